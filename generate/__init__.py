"""Generates files from the message models: schema, documentation, types, texts. This package is not in the
wheel.
"""
