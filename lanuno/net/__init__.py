"""The only place with sockets: TLS, framing, discovery, links. It knows nothing of games."""
