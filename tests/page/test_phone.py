"""A whole match on a phone, over plain http from an address that is not this machine's own."""

from pathlib import Path

from tests.page.browser import Evening, spend
from tests.page.forsale import Person, seated


def test_for_sale_on_a_phone_over_plain_http(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor(phone=True, plain=True)
        assert not await visitor.page.evaluate("isSecureContext")
        person = Person(visitor)
        match = await seated(tonight, visitor, "forsale", *["minimum"] * 5)
        await person.stage()
        await visitor.audit()
        assert await visitor.page.get_by_role("button", name="Notify").count() == 0
        await visitor.button("Copy link").click()
        await visitor.button("Copied").wait_for()
        await visitor.page.get_by_role("textbox", name="Raise to").fill("99")
        await person.raises.click()
        await visitor.page.get_by_role("alert").filter(has_text="Refused: bid 99").wait_for()
        await person.play_on()
        await visitor.audit()
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        await person.over.click()
        await visitor.page.get_by_role("slider").first.wait_for()
        await visitor.audit()

    spend(tmp_path, work)
