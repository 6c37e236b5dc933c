/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../texts';
import { bots } from '../texts/bots';
import { models } from '../texts/models';

export const t = { ...shared, bots, models };
