"""Replays of recorded matches, made in child processes so that running matches never wait for them."""
