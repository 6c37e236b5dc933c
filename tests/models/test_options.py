"""How models are written, and what is refused in one line."""

from pathlib import Path

import pytest

from parlour.players.models.endpoints import find_endpoint
from parlour.players.player_specs import BadPlayer, ModelSpec, load
from tests.models.matches import FORSALE
from tests.models.server import ModelServer

WRONG = {
    "model:": "model:: write model:PROVIDER/NAME, such as model:openai/gpt-5-mini",
    "model:openai": "model:openai: write model:PROVIDER/NAME",
    "model:openai/": "model:openai/: write model:PROVIDER/NAME",
    "model:openai/x": "model:openai/x: the key is missing; set OPENAI_API_KEY in the environment",
    "model:anthropic/x": "model:anthropic/x: the key is missing; set ANTHROPIC_API_KEY in the environment",
    "model:nowhere/x": "unknown provider 'nowhere'; known: openai, anthropic; or give its address as base_url",
    "model:No Where/x": "'No Where' is not the name of a provider",
    "model:local/x?memry=all": "model:local/x: unknown option 'memry'; options: name, api, base_url, answers, memory",
    "model:local/x?memory=some": "memory: invalid enum value 'some'",
    "model:local/x?window=-1": "window: expected `int` >= 0",
    "model:local/x?temperature=hot": "temperature: expected `float | null`, got `str`",
    "model:local/x?window": "after the ? come options as OPTION=VALUE, with & between them",
    "model:local/x?window=1&window=2": "an option is given twice",
    "model:local/x?extra=1": "extra and model can be written in a file only",
    "model:local/x?price_in=1": "price_in and price_out go together",
    "model:local/x?name=": "name: a name is text of 1 to 64 characters",
    "model:local/x?base_url=ftp://x": "base_url 'ftp://x': write http://HOST/v1 or https://HOST/v1",
    "model:local/x?base_url=http://me:secret@x/v1": "base_url: write no user, password or query in it",
    "model:missing.toml": "model:missing.toml: cannot read the file: no such file or directory",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_model_is_refused_in_one_line(server: ModelServer, text: str) -> None:
    with pytest.raises(BadPlayer) as refused:
        load(FORSALE, text)
    said = str(refused.value)
    assert WRONG[text] in said and "\n" not in said and "secret" not in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("model = ", "the file is not TOML"),
        ('model = "local/x"\ncolour = 1', "unknown option 'colour'"),
        ('name = "x"', "write model:PROVIDER/NAME"),
        ('model = "local/x"\napi_key = "sk-1"', "keys come from the environment only"),
        ("model = 3", "write model:PROVIDER/NAME"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(server: ModelServer, tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "m.toml").write_text(content)
    with pytest.raises(BadPlayer) as refused:
        load(FORSALE, f"model:{tmp_path / 'm.toml'}")
    assert words in str(refused.value) and "sk-1" not in str(refused.value)


def test_the_query_goes_before_the_file(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text('model = "local/big/model:7b"\nwindow = 3\ntemperature = 1')
    spec = load(FORSALE, f"model:{tmp_path / 'm.toml'}?window=5")
    assert isinstance(spec, ModelSpec) and spec.name == "model:7b"
    assert (spec.terms.options.window, spec.terms.options.temperature) == (5, 1.0)
    assert spec.terms.label == "local/big/model:7b"


def test_providers_and_their_keys() -> None:
    environment = {"PARLOUR_MODEL_URL_MY_BOX": "http://box/v1/", "OPENAI_BASE_URL": "http://proxy/v1"}
    box = find_endpoint("my-box", None, None, environment)
    assert (box.api, box.base_url, box.key_variable) == ("openai", "http://box/v1", "PARLOUR_MODEL_KEY_MY_BOX")
    assert find_endpoint("openai", None, None, environment).key_variable == "OPENAI_API_KEY"
    elsewhere = find_endpoint("openai", None, "http://other/v1", environment)
    assert elsewhere.key_variable == "PARLOUR_MODEL_KEY_OPENAI", "the key of OpenAI is not for other addresses"
    assert find_endpoint("anthropic", None, None, {}).is_own
