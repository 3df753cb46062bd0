"""Zip archives read by their own structure and not by a library's leave: bytes in, bytes out, nothing is extracted.

Whoever reads says which bytes it has; what else may stand in them (one file or many, gaps or none) is for the reader
to demand. The format is PKWARE's APPNOTE 6.3.
"""
