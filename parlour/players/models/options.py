"""Read the text that names a model player: `model:PROVIDER/NAME?OPTION=VALUE&...`, or `model:FILE.toml`."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from parlour.core.values import MOST_NAME, Name, plain, why_not_a_name
from parlour.players.models.endpoints import Api, BadEndpoint, Endpoint, check_usable, find_endpoint

PREFIX = "model:"
MOST_FILE = 100_000
"""Bytes of a file with options."""
NANOS_PER_PRICE = 1000
"""Billionths of a dollar that one token costs at a price of one dollar per million tokens."""

Memory: TypeAlias = Literal["all", "window", "notes"]
Price = Annotated[float, Meta(ge=0, le=100_000)]


class BadModel(ValueError):
    """The text names no usable model; the message is one line."""


class ModelOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of a model player. Every one can be written in the query part or in a file."""

    name: Name | None = None
    """The player's name at the table; None: the name of the model."""
    api: Api | None = None
    """The API that the endpoint answers; None: that of the provider, or openai."""
    base_url: str | None = None
    """The address of the endpoint, such as http://127.0.0.1:11434/v1."""
    answers: Literal["tools", "text"] = "tools"
    """Whether the model answers by calling a function, or in words."""
    memory: Memory = "all"
    """Which earlier decisions the model is shown: all of them, the last `window`, or only its own notes."""
    window: Annotated[int, Meta(ge=0, le=10_000)] = 6
    """How many earlier decisions a model with memory=window sees."""
    context: Annotated[int, Meta(ge=1000, le=10_000_000)] = 60_000
    """About how many tokens a prompt may have. Beyond that the oldest decisions are left out."""
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    """None: the endpoint's default."""
    max_tokens: Annotated[int, Meta(ge=1, le=1_000_000)] = 2000
    """The most tokens of an answer, including those with which a model thinks."""
    retries: Annotated[int, Meta(ge=0, le=20)] = 2
    """How often an answer that cannot be read is explained to the model before it counts as a fault."""
    request_s: Annotated[float, Meta(gt=0, le=3600)] = 60.0
    """Time limit of one request. The time for the answer limits it, too."""
    attempts: Annotated[int, Meta(ge=1, le=20)] = 4
    """How often a request is sent if the endpoint fails or is busy."""
    requests_per_minute: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    """How many requests all players of this process send to the endpoint in a minute; None: no limit."""
    price_in: Price | None = None
    """Dollars per million tokens of prompts; None: unknown."""
    price_out: Price | None = None
    """Dollars per million tokens of answers; None: unknown."""
    extra: dict[str, Any] = {}
    """More fields of the request's body, such as `reasoning_effort`. Only in a file."""


class ModelTerms(Struct, frozen=True):
    """A model and how it is asked."""

    model: str
    """The name of the model, as the endpoint knows it."""
    endpoint: Endpoint
    options: ModelOptions

    @property
    def label(self) -> str:
        """`PROVIDER/NAME`, as records show it."""
        return f"{self.endpoint.provider}/{self.model}"

    @property
    def player_name(self) -> str:
        last = self.model.rpartition("/")[2] or self.model
        return self.options.name or plain(last, MOST_NAME).strip() or "model"

    @property
    def has_prices(self) -> bool:
        return self.options.price_in is not None and self.options.price_out is not None

    def nanodollars(self, tokens_in: int, tokens_out: int) -> int:
        """The cost of so many tokens, in billionths of a dollar; 0 if the prices are unknown."""
        dollars = tokens_in * (self.options.price_in or 0.0) + tokens_out * (self.options.price_out or 0.0)
        return round(dollars * NANOS_PER_PRICE)


def is_model(text: str) -> bool:
    return text.startswith(PREFIX)


def read_model(text: str) -> ModelTerms:
    """The model that a player's text names, ready to be asked; BadModel if it cannot be."""
    where, _, query = text.removeprefix(PREFIX).partition("?")
    try:
        given = _file(Path(where)) if where.endswith(".toml") else {"model": where}
        given |= _query(query)
        terms = _terms(given)
        check_usable(terms.endpoint)
    except (BadModel, BadEndpoint) as e:
        raise BadModel(f"{_shown(text)}: {e}") from None
    return terms


def _shown(text: str) -> str:
    """The player as it was written, without its options, and without what looks like a password."""
    return plain(text.partition("?")[0].rpartition("@")[2])


def _terms(given: dict[str, Any]) -> ModelTerms:
    model = given.pop("model", None)
    if not isinstance(model, str) or not all(model.partition("/")):
        raise BadModel("write model:PROVIDER/NAME, such as model:openai/gpt-5-mini")
    provider, _, name = model.partition("/")
    if len(name) > 200 or not name.isprintable():
        raise BadModel("the name of the model is too long, or has characters that cannot be shown")
    options = read_options(given)
    endpoint = find_endpoint(provider, options.api, options.base_url)
    return ModelTerms(name, endpoint, replace(options, api=endpoint.api))


def read_options(given: dict[str, Any]) -> ModelOptions:
    """The options of these keys and values; BadModel names the first that is wrong."""
    known = ModelOptions.__struct_fields__
    for key in given:
        if "key" in key.lower() or key.lower() == "token":
            raise BadModel("keys come from the environment only, never from options or files")
        if key not in known:
            raise BadModel(f"unknown option {plain(key, 40)!r}; options: {', '.join(known)}")
    if given.get("name") is not None and (why := why_not_a_name(given["name"])):
        raise BadModel(f"name: {why}")
    try:
        options = msgspec.convert(given, ModelOptions, strict=False)
    except msgspec.ValidationError as e:
        raise BadModel(_which(str(e))) from None
    if (options.price_in is None) != (options.price_out is None):
        raise BadModel("price_in and price_out go together")
    return options


def _which(error: str) -> str:
    """An error of a value, beginning with the name of its option."""
    what, _, path = error.partition(" - at `$.")
    return f"{path.rstrip('`')}: {what[:1].lower()}{what[1:]}" if path else error


def _query(query: str) -> dict[str, str]:
    if not query:
        return {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True)
    except ValueError:
        raise BadModel("after the ? come options as OPTION=VALUE, with & between them") from None
    given = dict(pairs)
    if len(given) < len(pairs):
        raise BadModel("an option is given twice")
    if not given.keys().isdisjoint(("extra", "model")):
        raise BadModel("extra and model can be written in a file only")
    return given


def _file(path: Path) -> dict[str, Any]:
    try:
        raw = path.read_bytes()
        if len(raw) > MOST_FILE:
            raise BadModel(f"the file is larger than {MOST_FILE:,} bytes")
        return tomllib.loads(raw.decode())
    except OSError as e:
        raise BadModel(f"cannot read the file: {(e.strerror or str(e)).lower()}") from None
    except UnicodeDecodeError:
        raise BadModel("the file is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as e:
        raise BadModel(f"the file is not TOML: {e}") from None
    except RecursionError:
        raise BadModel("the file is not TOML that can be read: it has too many levels") from None
