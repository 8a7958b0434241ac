"""Training of the recogniser: ``python -m vision.training --artwork DIR --out DIR``.

Needs the ``train`` extra; nothing here is imported at run time.
"""
