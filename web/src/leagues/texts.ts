/** The shared texts, and those of leagues, which are loaded with them. */
import { t as shared } from '../texts';
import { leagues } from '../texts/leagues';

export const t = { ...shared, leagues };
