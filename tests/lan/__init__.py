"""The network package on a network of its own: namespaces joined by a cable, with real tools."""
