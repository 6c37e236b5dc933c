/** The shared texts, and those of the ladder, which are loaded with it. */
import { t as shared } from '../texts';
import { ladder } from '../texts/ladder';

export const t = { ...shared, ladder };
