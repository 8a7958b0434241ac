"""A table at work: journal, table file, devices, and the supervisor that joins them."""
