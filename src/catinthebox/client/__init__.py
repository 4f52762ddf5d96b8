"""A bot's side of the protocol: the HTTP connection, the table's state, the next command."""
