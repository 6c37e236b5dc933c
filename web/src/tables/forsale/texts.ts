/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { forsale } from '../../texts/forsale';

export const t = { ...shared, forsale };
