/** Pictures of the items. There are more than a thousand, so a picture is chosen by the words of the name: a form by what
 * the thing is, and a colour by what it is made of. */
import type { Shape, Tint } from '../art';

/** The forms, each about 20 units wide around the origin. */
const FORMS = {
  block: [
    ['tint-bright', 'M0-9L9-4.5L0 0L-9-4.5Z'],
    ['tint', 'M-9-4.5L0 0V9L-9 4.5Z'],
    ['tint-deep', 'M9-4.5L0 0V9L9 4.5Z'],
  ],
  slab: [
    ['tint-bright', 'M0-4L9 .5L0 5L-9 .5Z'],
    ['tint', 'M-9 .5L0 5V9L-9 4.5Z'],
    ['tint-deep', 'M9 .5L0 5V9L9 4.5Z'],
  ],
  stairs: [
    ['tint', 'M-9 8V2h6V-3H3V-8H9V8Z'],
    ['fine', 'M-3 2V8M3-3V8'],
  ],
  log: [
    ['tint-deep', 'M-3-8H8V8H-3Z'],
    ['tint-bright', 'M-8 0a5 8 0 1 0 10 0a5 8 0 1 0-10 0Z'],
    ['fine', 'M-5.5 0a2.5 4 0 1 0 5 0a2.5 4 0 1 0-5 0Z'],
  ],
  planks: [
    ['tint', 'M-9-8H9V8H-9Z'],
    ['fine', 'M-9-2.7H9M-9 2.7H9M-2-8v5.3M4-2.7v5.4M-4 2.7V8'],
  ],
  pane: [
    ['tint-bright', 'M-8-9H8V9H-8Z'],
    ['fine', 'M0-9V9M-8 0H8M-5-3L-3-6'],
  ],
  stick: [
    ['tint', 'M-9 7L6-9L9-6L-6 9Z'],
    ['fine', 'M-3 1.5L0 4'],
  ],
  ingot: [
    ['tint', 'M-11 5l3-9h13l6 9Z'],
    ['tint-deep', 'M-8-4l4-3h12l-3 3ZM5-4l3-3 3 8v4Z'],
  ],
  nugget: [['tint', 'M-7 5L-8-2L-2-7L6-5L8 3L2 7Z']],
  gem: [
    ['tint', 'M-8-3L-4-8H4L8-3L0 9Z'],
    ['fine', 'M-8-3H8M-4-8L-2-3L0 9L2-3L4-8'],
  ],
  pearl: [
    ['tint', 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z'],
    ['fine', 'M-4-2a4 4 0 0 1 4-3'],
  ],
  dust: [
    ['tint', 'M-10 7q3-6 6-6q1-6 5-6q4 1 4 6q4 0 5 6Z'],
    ['fine', 'M-3 4h.1M2 1h.1M5 4h.1'],
  ],
  drop: [['tint', 'M0-9q9 10 9 13a9 6 0 0 1-18 0q0-3 9-13Z']],
  plant: [
    ['slit', 'M0-1V9'],
    ['leaf', 'M0-1q-9 0-8-8q8 0 8 8q0-7 8-7q0 8-8 7Z'],
  ],
  flower: [
    ['slit', 'M0 0V9'],
    ['tint', 'M0-9a3.2 3.2 0 0 1 3 4a3.2 3.2 0 0 1 0 5a3.2 3.2 0 0 1-6 0a3.2 3.2 0 0 1 0-5a3.2 3.2 0 0 1 3-4Z'],
    ['lit', 'M-1.8-2.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z'],
  ],
  fruit: [
    ['tint', 'M-8 1a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z'],
    ['leaf', 'M0-7q2-5 7-4q-1 5-7 4Z'],
  ],
  food: [
    ['tint', 'M-9 3q-1-9 9-9t9 9q-9 5-18 0Z'],
    ['fine', 'M-4-3l2 3M0-4l2 3M4-3l2 3'],
  ],
  egg: [['tint-bright', 'M0-9q7 5 7 11a7 7 0 0 1-14 0q0-6 7-11Z']],
  bottle: [
    ['wall', 'M-2.5-9h5v5q5 2 5 7a5 5 0 0 1-5 6h-5a5 5 0 0 1-5-6q0-5 5-7Z'],
    ['tint', 'M-7 2h14q0 7-5 7h-4q-5 0-5-7Z'],
    ['fine', 'M-3.5-6h7'],
  ],
  bucket: [
    ['shade', 'M-8-4h16l-2.5 13h-11Z'],
    ['tint', 'M-8-4q8 5 16 0q-8-5-16 0Z'],
    ['fine', 'M-8-4q8-11 16 0'],
  ],
  bowl: [
    ['tint', 'M-9-2q9 4 18 0q-9-4-18 0Z'],
    ['wood', 'M-9-2q9 4 18 0q-1 9-9 9t-9-9Z'],
  ],
  cloth: [
    ['tint', 'M-9-6q4 3 9 0t9 0v12q-4 3-9 0t-9 0Z'],
    ['fine', 'M-4-5v10M4-6v10'],
  ],
  bed: [
    ['tint', 'M-10 0h14v5h-14Z'],
    ['wall', 'M4-2h6v7h-6Z'],
    ['slit', 'M-10 5v4M10 5v4M10-6v8'],
  ],
  pick: [
    ['slit', 'M-8 9L5-5'],
    ['tint', 'M-6-9q11-1 15 4q2 6 1 11q-2-8-7-11q-4-3-9-4Z'],
  ],
  blade: [
    ['tint', 'M9-9L8-4L-3 7L-6 4L5-7Z'],
    ['slit', 'M-7 2L-2 7M-5 5L-9 9'],
  ],
  hammer: [
    ['slit', 'M-8 9L3-3'],
    ['tint', 'M0-8L8 0L4 4L-4-4Z'],
  ],
  armour: [
    ['tint', 'M-8-8h5q3 3 6 0h5v6l-3 2v8h-10v-8l-3-2Z'],
    ['fine', 'M-5 4H5'],
  ],
  bow: [
    ['slit', 'M-5-9q14 3 14 14'],
    ['fine', 'M-5-9L9 5M-9 9L3-3'],
  ],
  door: [
    ['tint', 'M-6-9h12v18h-12Z'],
    ['fine', 'M-3-6h6v5h-6ZM-3 2h6v4h-6Z'],
  ],
  sign: [
    ['slit', 'M0 2V9'],
    ['tint', 'M-9-8h18v10h-18Z'],
    ['fine', 'M-6-5h12M-6-1.5h8'],
  ],
  fence: [['tint', 'M-8-9h4v18h-4ZM4-9h4v18h-4ZM-4-5h8v3h-8ZM-4 2h8v3h-8Z']],
  boat: [
    ['tint', 'M-10-2h20q-2 9-10 9t-10-9Z'],
    ['fine', 'M-7 1h14'],
  ],
  cart: [
    ['tint', 'M-9-5h18l-2 9h-14Z'],
    ['dark', 'M-7 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0ZM3 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z'],
  ],
  light: [
    ['tint', 'M-2.5 0h5v9h-5Z'],
    ['lit', 'M0-9q5 5 0 9q-5-4 0-9Z'],
  ],
  lamp: [
    ['tint', 'M-6-4h12v12h-12Z'],
    ['lit', 'M-3-1h6v6h-6Z'],
    ['fine', 'M-3-4q3-8 6 0'],
  ],
  chest: [
    ['tint', 'M-9-2h18v10h-18Z'],
    ['tint-deep', 'M-9-2q0-6 5-6h8q5 0 5 6Z'],
    ['lit', 'M-1.5-3h3v4h-3Z'],
  ],
  machine: [
    ['tint', 'M-9-9h18v18h-18Z'],
    ['dark', 'M-5 0h10v5h-10Z'],
    ['fine', 'M-5-5h10'],
  ],
  book: [
    ['tint', 'M-8-8h13q3 0 3 3v13h-13q-3 0-3-3Z'],
    ['fine', 'M-8 5q0-3 3-3h13M-3-4h6'],
  ],
  paper: [
    ['wall', 'M-7-9h10l4 4v14h-14Z'],
    ['fine', 'M3-9v4h4M-4-1h8M-4 3h8'],
  ],
  rail: [
    ['tint-deep', 'M-9-6h18v3h-18ZM-9 3h18v3h-18Z'],
    ['slit', 'M-6-9V9M6-9V9'],
  ],
  string: [['slit', 'M-9 4q3-14 7-5t6-2t6 7']],
} satisfies Record<string, readonly Shape[]>;

type Form = keyof typeof FORMS;

/** Words of names and their forms. The last word of a name says most, so names are read from their end. */
const FORM_WORDS: Readonly<Record<Form, string>> = {
  block: '',
  slab: 'slab carpet plate tray pad',
  stairs: 'stairs ladder scaffolding',
  log: 'log logs wood stem stems hyphae bamboo barrel',
  planks: 'planks shelf bookshelf mosaic',
  pane: 'pane bars glass painting frame map',
  stick: 'stick rod bone lever brush spyglass horn',
  ingot: 'ingot brick bricks',
  nugget: 'coal charcoal flint nugget scrap debris ball raw',
  gem: 'shard diamond emerald quartz crystal crystals amethyst lazuli star bud cluster prismarine',
  pearl: 'pearl eye slimeball snowball cream charge heart shell clock compass',
  dust: 'dust powder redstone sugar gunpowder meal glowstone',
  drop: 'dye sac tear breath lichen ink membrane honeycomb',
  plant:
    'sapling seeds leaves fern grass vine vines kelp cane wheat roots bush cactus sprouts propagule seagrass plant wart',
  flower:
    'tulip flower poppy orchid daisy dandelion rose lilac peony allium bluet cornflower blossom petals sunflower mushroom fungus azalea',
  fruit: 'apple berries melon pumpkin beetroot carrot potato fruit beans slice',
  food: 'bread cookie cake pie porkchop beef chicken mutton rabbit cod salmon fish pufferfish flesh hide leather foot',
  egg: 'egg',
  bottle: 'bottle potion xp',
  bucket: 'bucket cauldron',
  bowl: 'bowl stew soup',
  cloth: 'wool banner pattern feather cobweb elytra',
  bed: 'bed saddle',
  pick: 'pickaxe',
  blade: 'sword trident shears',
  hammer: 'axe shovel hoe anvil hammer',
  armour: 'helmet chestplate leggings boots armor shield',
  bow: 'bow crossbow arrow',
  door: 'door trapdoor',
  sign: 'sign stand head skull',
  fence: 'fence gate wall chain',
  boat: 'boat raft',
  cart: 'minecart',
  light: 'torch candle campfire',
  lamp: 'lantern lamp bell froglight shroomlight beacon',
  chest: 'chest box bundle',
  machine:
    'furnace dispenser dropper observer piston hopper smoker jukebox table loom stonecutter comparator repeater detector sensor',
  book: 'book lectern',
  paper: 'paper template sherd',
  rail: 'rail',
  string: 'string lead hook',
};

const TINT_WORDS: Readonly<Record<Tint, string>> = {
  black: 'black coal charcoal obsidian gray blackstone basalt deepslate netherite ink wither flint',
  blue: 'blue lapis lazuli water ice prismarine cyan warped',
  copper:
    'copper brown brick bricks terracotta granite cocoa leather chicken beef carrot pumpkin mud soul dirt podzol rabbit',
  gold: 'gold golden yellow honey honeycomb glowstone wheat blaze hay sand sandstone bread orange horn potato',
  green: 'green lime emerald cactus melon kelp leaves moss slime grass vine bamboo turtle',
  pink: 'pink magenta cherry porkchop axolotl',
  purple: 'purple amethyst chorus purpur dragon ender end crying shulker',
  red: 'red redstone apple nether beetroot berries crimson fire lava mangrove',
  stone: 'stone cobblestone iron gravel andesite tuff clay gunpowder anvil',
  teal: 'diamond teal sea conduit pearl oxidized',
  white: 'white quartz milk egg bone snow paper sugar wool diorite calcite feather string glass pane bottle map cake',
  wood: 'oak birch spruce jungle acacia stick wood log planks chest bookshelf boat crafting bowl ladder bow sapling fishing',
};

/** Each word and what it stands for. */
function byWord<T extends string>(words: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  const pairs = Object.entries<string>(words).flatMap(([kind, list]) => list.split(' ').map((word) => [word, kind]));
  return new Map(pairs as [string, T][]);
}

const FORM_OF = byWord(FORM_WORDS);
const TINT_OF = byWord(TINT_WORDS);

export interface ItemPicture {
  readonly form: Form;
  readonly tint: Tint;
  readonly shapes: readonly Shape[];
}

/** The picture of an item, such as "oak_planks". What nothing is known of is drawn as a block of stone. */
export function pictureOf(item: string): ItemPicture {
  const words = item.toLowerCase().split('_');
  // In "iron_block" the last word says what it is; in "potion_of_healing" the first one does.
  const last = words.findLast((word) => word === 'block' || FORM_OF.has(word));
  const form = FORM_OF.get(last ?? '') || 'block';
  const tint = TINT_OF.get(words.find((word) => TINT_OF.has(word)) ?? '') ?? 'stone';
  return { form, tint, shapes: FORMS[form] };
}
