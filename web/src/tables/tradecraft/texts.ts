/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { tradecraft } from '../../texts/tradecraft';

export const t = { ...shared, tradecraft };
