/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { dominion } from '../../texts/dominion';

export const t = { ...shared, dominion };
