"""Tournaments: the results of matches, and what they tell about the players. Needs the extra `tournament`."""
