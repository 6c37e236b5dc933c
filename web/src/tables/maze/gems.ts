/** How gems look: a colour and a cut for each name, so that no two of them look the same. */

/** Names by colour, in the order of the classes `k0` to `k10` of Gem.svelte. At most sixteen per colour. */
const BY_COLOUR: readonly string[] = [
  'ammolite citrine citrine-checkerboard chrysoberyl-cushion golden-diamond-cut lemon-quartz-briolette raw-citrine ' +
    'tigers-eye yellow-baguette yellow-beryl-oval yellow-heart yellow-jasper',
  'azurite blue-ceylon-sapphire blue-cushion blue-pear-shape blue-spinel-heart dumortierite iolite-emerald-cut ' +
    'lapis-lazuli labradorite cordierite tanzanite-trillion zoisite',
  'australian-marquise chrome-diopside emerald green-aventurine green-beryl green-beryl-antique green-princess-cut ' +
    'grandidierite heliotrope moss-agate tourmaline unakite',
  'kunzite kunzite-oval morganite-oval pink-emerald-cut pink-opal pink-round pink-spinel-cushion rhodonite rose-quartz ' +
    'tourmaline-laser-cut',
  'apricot-square-radiant carnelian clinohumite goldstone mexican-opal orange-radiant padparadscha-oval ' +
    'padparadscha-sapphire stilbite sunstone',
  'alexandrite amethyst ametrine hackmanite purple-cabochon purple-oval purple-spinel-trillion purple-square-cushion ' +
    'super-seven',
  'almandine-garnet bulls-eye garnet jasper jaspilite red-diamond red-spinel-square-emerald-cut ruby ' +
    'ruby-diamond-profile sphalerite spinel',
  'alexandrite-pear-shape apatite aquamarine color-change-oval fancy-spinel-marquise star-cabochon zircon',
  'aventurine beryl chrysolite grossular-garnet peridot prasiolite prehnite raw-beryl',
  'diamond magnesite moonstone rock-quartz white-square aplite',
  'black-obsidian black-onyx black-spinel-cushion gray-agate hematite',
];

/** Outlines within a square of 16 units around the origin. */
export const CUTS: readonly string[] = [
  'M0-7 6-2 4 6H-4L-6-2Z',
  'M-5-6H5L7 0 5 6H-5L-7 0Z',
  'M0-7 5 0 0 7-5 0Z',
  'M-6-4-3-6H3L6-4V4L3 6H-3L-6 4Z',
  'M0-7C5-3 5 3 0 7-5 3-5-3 0-7Z',
  'M0 6 7-5H-7Z',
  'M-6 0A6 6 0 1 1 6 0 6 6 0 1 1-6 0Z',
  'M0 6C-9 0-6-7-2.5-6L0-3.5 2.5-6C6-7 9 0 0 6Z',
];

/** The shine on a gem: two kinds double the number of cuts. */
export const FACETS: readonly string[] = ['M-3.5-2 0-4 3.5-2', 'M-3-3 3 3M-3 3 3-3'];

export interface Look {
  readonly colour: number;
  readonly cut: number;
  readonly facet: number;
}

const LOOKS = new Map<string, Look>(
  BY_COLOUR.flatMap((names, colour) =>
    names.split(' ').map((name, i) => [name, { colour, cut: (i + colour) % CUTS.length, facet: i < 8 ? 0 : 1 }]),
  ),
);

/** How a gem looks; an unknown name looks like some gem, always the same one. */
export function lookOf(name: string): Look {
  const known = LOOKS.get(name);
  if (known !== undefined) return known;
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return { colour: sum % BY_COLOUR.length, cut: sum % CUTS.length, facet: sum % 2 };
}

/** `blue-spinel-heart` as it is read: "blue spinel heart". */
export function gemName(name: string): string {
  return name.replaceAll('-', ' ');
}
