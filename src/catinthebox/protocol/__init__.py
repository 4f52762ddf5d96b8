"""What travels between client and server: commands, messages, settings, and their JSON.

Start with `commands` (what a client asks for) and `messages` (what it is sent); `api` has the
messages of a connection and the bodies of HTTP requests, `codec` reads and writes them all.
"""
