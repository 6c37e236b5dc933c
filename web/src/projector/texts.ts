/** The shared texts, and those of this place, which are loaded with it. */
import { t as shared } from '../texts';
import { projector } from '../texts/projector';

export const t = { ...shared, projector };
