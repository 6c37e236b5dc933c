"""Report events to the log. The server writes it as JSON lines; without a server there is no output."""

import logging
from typing import Any

log = logging.getLogger("parlour")
log.addHandler(logging.NullHandler())  # no output unless logging is configured


def tell(event: str, level: int = logging.INFO, **facts: Any) -> None:
    """Log one event with its facts."""
    if log.isEnabledFor(level):
        log.log(level, event, extra={"facts": facts})


def tell_bug(event: str, error: BaseException, **facts: Any) -> None:
    """Log an unexpected exception. A server logs failures of its database with their message, once a minute."""
    log.error(event, exc_info=error, extra={"facts": facts})
