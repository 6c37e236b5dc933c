import { expect, it } from 'vitest';
import { pictureOf } from './items';

it.each([
  ['oak_planks', 'planks', 'wood'],
  ['iron_pickaxe', 'pick', 'stone'],
  ['gold_ingot', 'ingot', 'gold'],
  ['raw_iron_block', 'block', 'stone'],
  ['honey_block', 'block', 'gold'],
  ['red_wool', 'cloth', 'red'],
  ['potion_of_healing', 'bottle', 'stone'],
  ['amethyst_shard', 'gem', 'purple'],
  ['milk_bucket', 'bucket', 'white'],
  ['cobblestone', 'block', 'stone'],
  ['', 'block', 'stone'],
])('draws %s as a %s of %s', (item, form, tint) => {
  expect(pictureOf(item)).toMatchObject({ form, tint });
});
