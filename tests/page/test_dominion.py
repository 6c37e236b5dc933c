"""A person plays Dominion at its own table: by clicking, by keys, on a wide screen and on a phone."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Locator, WebSocketRoute, expect

from parlour.games.dominion.cards import CARDS
from tests.page.browser import PHONE, ROOT, WIDE, Evening, Visitor, first_of, spend
from tests.page.forsale import seated

OPTIONS = {"turn_cap": 9, "kingdom": ["cellar", "militia", "moat", "woodcutter", "workshop"]}
"""A short match. With the money of the first two turns, a Woodcutter and a card with a choice can always be bought."""
ASKING = ("Cellar", "Workshop")
"""Cards that ask for a choice."""


def test_the_page_knows_the_cards() -> None:
    """The page lights legal moves by itself, so its table of cards has to be ours."""
    told = json.loads((ROOT / "web/src/tables/dominion/facts.json").read_text())
    for name, card in CARDS.items():
        bonus = card.bonus
        ours = {
            "cost": card.cost,
            "kind": card.kind,
            "worth": card.worth,
            "points": card.points,
            "cards": card.cards,
            "actions": bonus.actions if bonus else 0,
            "buys": bonus.buys if bonus else 0,
            "money": bonus.money if bonus else 0,
            "choices": list(card.choices),
            "reaction": card.reaction,
        }
        assert told.pop(name) == {key: value for key, value in ours.items() if value or key == "cost"}
    assert not told


@dataclass
class Buyer:
    """One seat of a table of Dominion, in one browser."""

    visitor: Visitor
    done: Counter[str] = field(default_factory=Counter[str])
    """What was tried, by name."""

    def __post_init__(self) -> None:
        page = self.visitor.page
        self.page = page
        self.dock = page.get_by_role("region", name="Your seat")
        self.supply = page.get_by_role("group", name="Supply")
        self.hand = self.dock.get_by_role("group", name="Your hand").get_by_role("button")
        self.title = self.dock.get_by_role("heading", level=2).first
        self.over = self.visitor.button("Replay and proof")

    def pile(self, card: str) -> Locator:
        return self.supply.get_by_role("button", name=re.compile(f"^{card}, costs"))

    def held(self, card: str) -> Locator:
        return self.dock.get_by_role("group", name="Your hand").get_by_role("button", name=re.compile(f"^{card}"))

    def main(self, words: str) -> Locator:
        return self.dock.get_by_role("button", name=re.compile(words))

    async def why(self, words: str) -> None:
        """The page says why a move was not made."""
        await self.dock.get_by_role("alert").filter(has_text=words).wait_for()

    async def money(self) -> int:
        return int(await self.page.locator("dl:visible dd.number").nth(2).inner_text())

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def stage(self) -> str:
        """Wait until something is asked, or the match is over."""
        turn = self.title.filter(has_text=re.compile("^Your turn"))
        attack = self.title.filter(has_text=re.compile("^Militia"))
        return ("over", "turn", "attack")[await first_of(self.over, turn, attack)]

    async def sent(self) -> None:
        """The turn is over, and the others play."""
        await self.title.filter(has_text=re.compile("^(Your turn|End of)")).wait_for(state="hidden")


async def refuse_one_answer(visitor: Visitor) -> Callable[[], None]:
    """Change one answer on its way, after the call, to a card that is not in the hand."""
    due: list[bool] = []

    def follow(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "answer" and due:
                due.clear()
                message["action"] = {"type": "Play", "card": "moat"}
            server.send(json.dumps(message))

        page.on_message(pass_on)

    await visitor.page.route_web_socket(re.compile("/play/"), follow)
    return lambda: due.append(True)


async def first_turn(buyer: Buyer, spoil: Callable[[], None]) -> None:
    """What is not possible is said where it was tried; keys; the list of own cards."""
    page, dock = buyer.page, buyer.dock
    await buyer.pile("Province").click(force=True)  # marked as disabled, but it says why
    await buyer.why("Province costs more than the money you have left. It is not sent.")
    spoil()
    await buyer.main("End turn, buy nothing").click()
    await buyer.why("Refused: play moat: it is not in your hand. You lost one action.")
    await expect(buyer.main("End turn")).to_have_accessible_description(re.compile("Refused"))
    money = await buyer.money()
    await buyer.press("1")  # hold a copper back
    await expect(buyer.hand.first).to_have_accessible_name("Copper, held back")
    assert await buyer.money() == money - 1
    await buyer.press("1")
    await buyer.press("ArrowUp", *5 * ["ArrowLeft"], "Enter")  # from the Provinces, which were clicked, to the Coppers
    await expect(page.get_by_role("region", name="To buy")).to_contain_text("1 of 1 buy")
    await expect(buyer.pile("Copper")).to_have_accessible_name("Copper, costs 0, 45 left, 1 in your tray")
    await buyer.press("Escape")
    await page.get_by_text("A treasure worth 1.").filter(visible=True).first.wait_for()
    deck = dock.get_by_role("region", name="Your deck")
    await expect(deck).to_contain_text("10 cards · 3 points")
    await expect(deck.get_by_role("listitem").first).to_have_text(re.compile(r"Copper\s+7\s+\d in hand"))
    await buyer.visitor.audit()


async def buy_first(buyer: Buyer) -> None:
    """Buy a Woodcutter, then a card that asks."""
    wanted = "Woodcutter" if not buyer.done["bought Woodcutter"] else "Workshop"
    card = wanted if await buyer.money() >= 3 else "Cellar"
    buyer.done[f"bought {card}"] += 1
    await buyer.pile(card).click()
    await buyer.main(f"Buy {card}, end turn").click()


async def play_asking(buyer: Buyer, card: str) -> None:
    """Play a card, and answer what it asks in place."""
    await buyer.held(card).first.click()
    await buyer.title.filter(has_text=f"should {card}").wait_for()
    if card == "Workshop":
        await buyer.main("Play Workshop").click()
        await buyer.why("Choose the card of the supply to gain.")
        await buyer.pile("Silver").click()
        await buyer.main("Gain Silver").click()
    else:
        await buyer.hand.last.click()
        await buyer.main("Discard 1 card, draw as many").click()
    buyer.done["choice"] += 1
    await buyer.page.get_by_role("list", name="In play").get_by_text(card, exact=True).wait_for()
    await buyer.stage()


async def buy_two(buyer: Buyer) -> None:
    """Play a Woodcutter, and buy two cards at once."""
    await buyer.held("Woodcutter").first.click()
    await buyer.page.get_by_role("list", name="In play").get_by_text("Woodcutter").wait_for()
    await buyer.pile("Estate").click()
    await buyer.pile("Copper").click()
    await buyer.pile("Curse").click(force=True)
    await buyer.why("You have no buy left for it.")
    buyer.done["two buys"] += 1
    await buyer.main("Buy Estate, Copper, end turn").click()


async def take_turn(buyer: Buyer) -> None:
    asking = [card for card in ASKING if not buyer.done["choice"] and await buyer.held(card).count()]
    if buyer.done["turns"] <= 2:
        await buy_first(buyer)
    elif asking:
        await play_asking(buyer, asking[0])
        await buyer.press("e")
    elif not buyer.done["two buys"] and await buyer.held("Woodcutter").count():
        await buy_two(buyer)
    else:
        await buyer.press("e")


async def on_a_phone(buyer: Buyer) -> None:
    """The dock carries what is needed; a long press shows what a card does."""
    await buyer.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    counters = buyer.dock.locator("dl")
    await expect(counters).to_contain_text(re.compile(r"actions\s*1\s*buys\s*1\s*money"))
    await buyer.pile("Copper").click()
    await buyer.dock.get_by_role("button", name="Take Copper out of the tray").click()
    pile = buyer.pile("Woodcutter")
    await pile.dispatch_event("pointerdown", {"pointerType": "touch"})
    await buyer.page.get_by_text("Gives 1 buy and 2 money.").filter(visible=True).wait_for()
    await pile.dispatch_event("pointerup", {"pointerType": "touch"})
    await buyer.visitor.audit()


async def check_replay(buyer: Buyer) -> None:
    """The same board draws the replay, with the hand of the seat that is looked at."""
    await buyer.over.click()
    await buyer.page.get_by_role("slider").first.wait_for()
    await buyer.page.get_by_role("group", name="Supply").wait_for()
    await buyer.visitor.audit()


def test_dominion_is_played_to_the_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        spoil = await refuse_one_answer(visitor)
        match = await seated(tonight, visitor, "dominion", "militia", options=OPTIONS)
        buyer = Buyer(visitor)
        while (stage := await buyer.stage()) != "over":
            if stage == "attack":
                await buyer.press("5", "4", "e")
                await buyer.title.filter(has_text="Militia").wait_for(state="hidden")
                continue
            buyer.done["turns"] += 1
            if buyer.done["turns"] == 1:
                await first_turn(buyer, spoil)
            if buyer.done["turns"] == 3:
                await on_a_phone(buyer)
            if buyer.done["turns"] == 5:
                await buyer.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
            await take_turn(buyer)
            await buyer.sent()
        assert buyer.done["choice"] and buyer.done["two buys"] and buyer.done["turns"] == OPTIONS["turn_cap"]
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        text = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text
        lines = [json.loads(line) for line in text.splitlines()]
        faults = [line["fault"]["code"] for line in lines if "fault" in line]
        assert faults == ["not_in_hand"]
        bought = [line["do"]["cards"] for line in lines if line.get("by") == 0 and line["do"].get("type") == "Buy"]
        assert ["estate", "copper"] in bought
        await check_replay(buyer)

    spend(tmp_path, work)
