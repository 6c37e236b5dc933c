"""How much memory the page needs for long matches: its JavaScript heap after 20,000 events at full speed.

python bench/page_memory.py [--events N]

It needs the built page and Chromium. The replay shows a real match of ColorfightII, which a route of the browser
repeats until it is long enough, as fast as frames come. The live match is a stream of real views and events, sent as
fast as the browser takes them.
"""
