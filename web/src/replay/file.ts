/** The header of a file. */

/** The name of the match in the first line of a transcript; null if there is none. */
export function matchIn(data: Uint8Array): string | null {
  const end = data.indexOf(10);
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(end < 0 ? data : data.subarray(0, end)));
    if (typeof header !== 'object' || header === null || !('match' in header)) return null;
    return typeof header.match === 'string' && /^[\w.-]{1,64}$/.test(header.match) ? header.match : null;
  } catch {
    return null;
  }
}
