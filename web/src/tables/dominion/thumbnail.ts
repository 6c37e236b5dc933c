import { t } from './texts';
import Picture from './Thumbnail.svelte';

export default { Picture, heading: t.dominion.stage };
