import { InputError } from '../../errors.ts';

/**
 * Decodes the percent-encoded octets of a URI or of a part of it (UTF-8) [RFC3986 §2.1]. A decoded octet is data and
 * never a delimiter (§2.4): an encoded slash, backslash or NUL is refused, because no file name contains it.
 * @param place prefix of the message of an error
 */
export function decodePercent(encoded: string, place: string): string {
  const delimiter = /%(?:2f|5c|00)/i.exec(encoded)?.[0];
  if (delimiter !== undefined)
    throw new InputError(`${place}: ${delimiter} is not part of a file name`, 'Write / between the folders of a path.');
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new InputError(
      `${place}: a % is not followed by two hexadecimal digits of UTF-8`,
      'Write %25 for a percent sign.',
    );
  }
}

/** Encodes the percent signs of a path, so that the path can be a part of a URI. */
export const encodePercent = (path: string): string => path.replaceAll('%', '%25');
