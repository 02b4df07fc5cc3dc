"""The actions of players and watchers, shared by the pages and the API."""
