/** Hashes and signatures, by the browser where it offers them. It does not on plain http, where the bundled code of noble
 * does the same work. */
import * as ed25519 from '@noble/ed25519';
import { sha256, sha512 } from '@noble/hashes/sha2.js';

export interface Crypto {
  readonly name: 'browser' | 'bundled';
  sha256(data: Uint8Array): Promise<Uint8Array>;
  /** Whether the Ed25519 signature is valid for this message and public key. */
  isSigned(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean>;
}

ed25519.hashes.sha512 = sha512;

/** Everything in code that comes with the page. */
export const bundledCrypto: Crypto = {
  name: 'bundled',
  sha256: (data) => Promise.resolve(sha256(data)),
  isSigned: (signature, message, publicKey) => Promise.resolve(isSignedByNoble(signature, message, publicKey)),
};

function isSignedByNoble(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey);
  } catch {
    return false; // noble throws for a key or signature of a wrong form
  }
}

/** The browser's own code. Browsers that lack Ed25519 use the bundled code for it. */
export function browserCrypto(subtle: SubtleCrypto): Crypto {
  return {
    name: 'browser',
    sha256: async (data) => new Uint8Array(await subtle.digest('SHA-256', data as BufferSource)),
    isSigned: async (signature, message, publicKey) => {
      let key: CryptoKey;
      try {
        key = await subtle.importKey('raw', publicKey as BufferSource, 'Ed25519', false, ['verify']);
      } catch {
        return isSignedByNoble(signature, message, publicKey);
      }
      return subtle.verify('Ed25519', key, signature as BufferSource, message as BufferSource);
    },
  };
}

/** The functions that this page may use. */
export function availableCrypto(scope: { crypto?: { subtle?: SubtleCrypto } } = globalThis): Crypto {
  const subtle = scope.crypto?.subtle;
  return subtle === undefined ? bundledCrypto : browserCrypto(subtle);
}
