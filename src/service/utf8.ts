import { isUtf8 } from 'node:buffer';

/** Bytes up to this many are decoded whatever they are. */
const FEW = 65_536;

/** The text of a message; of a long one that is not UTF-8, its beginning: which is no JSON either, and quicker to refuse than the whole. */
export function textOf(bytes: Buffer): string {
  if (bytes.length <= FEW || isUtf8(bytes)) return bytes.toString('utf8');
  return `not UTF-8: ${bytes.toString('utf8', 0, 100)}`;
}
