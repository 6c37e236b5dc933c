/** The id of this build; see scripts/build_id.js. */
declare const __BUILD__: string;
