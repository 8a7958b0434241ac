"""Talk to the shuffler and the shoe."""
