/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { colorfight } from '../../texts/colorfight';

export const t = { ...shared, colorfight };
