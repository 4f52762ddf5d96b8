"""Who may do what: clients, keys of tables, connections, commands; the same for every transport."""
