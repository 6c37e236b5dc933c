/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../texts';
import { host } from '../texts/host';

export const t = { ...shared, host };
