"""The one vocabulary: frozen records that every box passes to the next."""
