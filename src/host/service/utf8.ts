import { isUtf8 } from 'node:buffer';

/** Messages up to this size (bytes) are decoded without a UTF-8 check. */
const FEW = 65_536;

/**
 * Decodes a message. For a long one that is not UTF-8, returns only its beginning, which is invalid JSON and refused
 * quickly.
 */
export function textOf(bytes: Buffer): string {
  if (bytes.length <= FEW || isUtf8(bytes)) return bytes.toString('utf8');
  return `not UTF-8: ${bytes.toString('utf8', 0, 100)}`;
}
