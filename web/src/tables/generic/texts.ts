/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../../texts';
import { generic } from '../../texts/generic';

export const t = { ...shared, generic };
