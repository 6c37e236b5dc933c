// The bot of dominion_starter.py again, for Node and without any package. Try it:
//   parlour match dominion "exec+dominion:node examples/dominion_starter.js" money

const PRICES = { province: 8, gold: 6, smithy: 4, silver: 3 }; // in the order in which it wants them
const WORTH = { copper: 1, silver: 2, gold: 3 };
const KEEP = { gold: 4, smithy: 3, silver: 2, copper: 1 }; // under attack, all else goes first

let supply = {};
const bought = [];

function play(turn) { // it is asked again after every reply, until it cleans up
  if (turn.actions && turn.hand.includes("smithy")) {
    return { type: "play-reply", phase: "action", card: "smithy", additional_parameters: {} };
  }
  if (turn.buys) {
    const treasures = turn.hand.filter((card) => card in WORTH);
    const money = treasures.reduce((sum, card) => sum + WORTH[card], turn.extra_money);
    return { type: "play-reply", phase: "buy", played_treasures: treasures, cards_to_buy: shop(money) };
  }
  return { type: "play-reply", phase: "cleanup" };
}

function shop(money) {
  for (const [card, price] of Object.entries(PRICES)) {
    if (price <= money && supply[card] && !(card === "smithy" && bought.includes("smithy"))) {
      bought.push(card);
      return [card];
    }
  }
  return [];
}

function bear(attack) {
  if (attack.options.includes("moat")) return { type: "attack-reply-reaction", reaction: "moat" };
  const worstFirst = [...attack.options].sort((a, b) => (KEEP[a] ?? 0) - (KEEP[b] ?? 0));
  return { type: "attack-reply", discard: worstFirst.slice(0, attack.discard) };
}

function answer(message) {
  switch (message.type) {
    case "player-name-request":
      return { type: "player-name-reply", player_number: message.player_number, name: "Node starter", version: 1 };
    case "play-turn":
      return play(message);
    case "attack-request":
      return bear(message);
    case "supply-info": // a map; in the shape `text` a list
      supply = Array.isArray(message.cards)
        ? Object.fromEntries(message.cards.map(({ card, count }) => [card, count]))
        : message.cards;
  }
  return null; // nothing else wants a reply
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const reply = answer(JSON.parse(line));
  if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
});
