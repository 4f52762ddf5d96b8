"""The client half of a bot: connections to a server, the state it is sent, what to do next."""
