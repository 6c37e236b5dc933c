pytest_plugins = ["parlour.testing"]
