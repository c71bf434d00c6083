"""Colours of lines and letters, and the tints of areas: few, and told apart when printed grey."""

COLORS = {
    "black": "#000000", "gray": "#777777", "blue": "#1f5fa8", "red": "#c8322b",
    "green": "#22803a", "orange": "#d2761a", "purple": "#7a3c9e", "light": "#d8d8d8",
}  # fmt: skip
TINTS = {
    "gray": "#e4e4e4", "blue": "#d6e6f5", "red": "#f7dcd9", "green": "#dcefdc",
    "yellow": "#fdf3c4", "orange": "#fbe6cf", "purple": "#eaddf2", "white": "#ffffff",
}  # fmt: skip
