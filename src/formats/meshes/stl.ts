import { InputError } from '../../errors.ts';
import { decodeNumbers, refuseUtf16 } from '../text/fileText.ts';
import type { Mesh } from './mesh.ts';
import { TokenLines } from './tokenLines.ts';

const HEADER = 84;
const TRIANGLE = 50;

/**
 * Reads an STL. It is binary if the file size matches the triangle count in the header, whatever the header's text says
 * (many begin with "solid"), and ASCII if the text begins with "solid" and a facet follows. Normals are not used. Does
 * not use three's loader, which rounds ASCII numbers to single precision and guesses the content of broken files.
 */
export function readStl(bytes: Uint8Array, file: string): Mesh {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER ? view.getUint32(80, true) : 0;
  if (bytes.length >= HEADER && bytes.length === HEADER + TRIANGLE * count) return readBinary(view, count, file);
  refuseUtf16(bytes, file);
  if (looksLikeText(bytes)) return readAscii(decodeNumbers(bytes, file), file);
  if (bytes.length < HEADER)
    throw new InputError(
      `${file}: this is not an STL file: it has ${bytes.length} bytes, at least ${HEADER} are required`,
    );
  const expected = HEADER + TRIANGLE * count;
  // Some exporters append a few bytes. As many bytes as a triangle has are not padding but further triangles.
  const isPadded = bytes.length > expected && bytes.length < expected + TRIANGLE;
  if (isPadded && count > 0) return readBinary(view, count, file);
  throw new InputError(
    `${file}: the header states ${count} triangles, which take ${expected} bytes, but the file has ${bytes.length}`,
    bytes.length > expected
      ? 'The count is wrong, or this is not an STL file.'
      : 'The file is truncated, or is not an STL file.',
  );
}

function readBinary(view: DataView, count: number, file: string): Mesh {
  const points = new Float64Array(9 * count);
  const place = (t: number) => `${file}: triangle ${t + 1} of ${count} (index ${t})`;
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 9; k++) {
      const value = view.getFloat32(HEADER + TRIANGLE * t + 12 + 4 * k, true);
      if (!Number.isFinite(value)) throw new InputError(`${place(t)}: a coordinate is ${value}`);
      points[9 * t + k] = value;
    }
  }
  return { points, triangles: count, warnings: [] };
}

/**
 * Returns true if the text begins with "solid" and has no zero bytes near its start; "solid" alone also begins many
 * binary headers.
 */
function looksLikeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 1024);
  if (head.includes(0)) return false;
  return /^\s*solid\b/i.test(new TextDecoder().decode(head).replace('\uFEFF', ''));
}

/** Reads facet normal … / outer loop / vertex x y z (three of them) / endloop / endfacet, case-insensitively. */
function readAscii(text: string, file: string): Mesh {
  const coordinates: number[] = [];
  const lines = new TokenLines(text, file);
  let corners = -1; // vertices so far of the current loop; −1 outside a loop
  let facets = 0;
  let loops = 0; // of the current facet
  let open = false;
  while (lines.next()) {
    switch (lines.words[0].toLowerCase()) {
      case 'facet':
        if (open) throw lines.error('a facet begins before the last one ended');
        lines.refuseWords(2);
        open = true;
        loops = 0;
        break;
      case 'outer':
        if (!open || corners >= 0) throw lines.error('a loop that is not in a facet, or in another loop');
        corners = 0;
        break;
      case 'vertex':
        if (corners < 0) throw lines.error('a vertex outside a loop');
        coordinates.push(...lines.numbers(1, 3, `facet ${facets + 1} (index ${facets})`));
        corners++;
        break;
      case 'endloop':
        if (corners !== 3) throw lines.error(`a facet of ${Math.max(corners, 0)} vertices, 3 make a triangle`);
        corners = -1;
        loops++;
        break;
      case 'endfacet':
        if (!open || loops !== 1) throw lines.error(`a facet of ${loops} loops ends, one makes a triangle`);
        open = false;
        facets++;
        break;
      case 'solid':
      case 'endsolid':
        break;
      default:
        throw lines.error(`"${lines.words[0].slice(0, 20)}" is not an STL keyword`);
    }
  }
  if (open || corners >= 0) throw lines.error('the file ends inside a facet', 'The file is cut off.');
  return { points: Float64Array.from(coordinates), triangles: facets, warnings: [] };
}
