"""HTTP: the application, its routes, their middleware, and the files of the browser client."""
