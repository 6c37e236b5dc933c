/** Bytes, hexadecimal digits and lines. */

const NEWLINE = 10;

export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** null if it is not hexadecimal, in small letters. */
export function fromHex(hex: string): Uint8Array | null {
  if (hex.length % 2 !== 0 || !/^[0-9a-f]*$/.test(hex)) return null;
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** The lines without their newlines, and what follows the last newline. */
export function linesOf(data: Uint8Array): { lines: Uint8Array[]; rest: Uint8Array } {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
    lines.push(data.subarray(start, end));
    start = end + 1;
  }
  return { lines, rest: data.subarray(start) };
}

/** The first and last digits of a hash. */
export function shortHex(hex: string): string {
  return hex.length <= 16 ? hex : `${hex.slice(0, 4)} … ${hex.slice(-4)}`;
}

/** The position of a part in the bytes; -1 if it is not there. */
export function indexOfBytes(data: Uint8Array, part: Uint8Array): number {
  const first = part[0] ?? 0;
  for (let i = data.indexOf(first); i >= 0; i = data.indexOf(first, i + 1)) {
    if (part.every((byte, k) => data[i + k] === byte)) return i;
  }
  return -1;
}
