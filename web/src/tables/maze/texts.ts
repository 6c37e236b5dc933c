/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { maze } from '../../texts/maze';

export const t = { ...shared, maze };
