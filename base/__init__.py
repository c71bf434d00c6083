"""The small ground under every house: files, errors' words, pictures, tables of names, output.

It has no door of its own: each file is one base thing and is imported by its name.
"""
