"""What travels between client and server: commands, messages, settings, and their JSON.

Start with `commands` (what a client asks for) and `messages` (what it is sent, made of
`parts` and `announcements`). `stream` has all messages of a connection; `lobby`, `replays` and
`server_info` have the bodies of other HTTP requests and answers. `codec` reads and writes them.
"""
