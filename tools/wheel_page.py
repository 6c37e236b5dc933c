"""A build hook: a wheel has the built page in it. An editable install needs none, for the page may be built later."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WITHOUT = "PARLOUR_WHEEL_WITHOUT_PAGE"


class WheelPage(BuildHookInterface[Any]):
    """Refuses a wheel without the page."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        is_built = (Path(self.root) / "parlour" / "web" / "index.html").is_file()
        if version != "editable" and not is_built and not os.environ.get(WITHOUT):
            self.app.abort(
                "The wheel would lack the page: parlour/web/index.html does not exist. "
                f"`make page` builds it. For a wheel that serves only the API, set {WITHOUT}=1."
            )
