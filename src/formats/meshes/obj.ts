import { decodeNumbers } from '../text/fileText.ts';
import { quote } from '../text/xmlDocument.ts';
import type { Mesh } from './mesh.ts';
import { TokenLines } from './tokenLines.ts';

/**
 * Reads the faces of a Wavefront OBJ: polygons as fans of triangles, `v`, `v/t`, `v//n`, `v/t/n`, negative indices,
 * continued lines. Points that no face uses are skipped. Does not use three's loader, which rounds to single precision
 * and accepts invalid indices.
 */
export function readObj(bytes: Uint8Array, file: string): Mesh {
  const lines = new TokenLines(decodeNumbers(bytes, file), file, '#');
  const vertices: number[] = [];
  const vertexIndices: number[] = [];
  let faces = 0;
  while (lines.next()) {
    if (lines.words[0] === 'v') addVertex(vertices, lines);
    if (/^v[nt]$/.test(lines.words[0])) lines.refuseWords(1);
    if (UNREAD_SURFACES.test(lines.words[0]))
      throw lines.error(`"${lines.words[0]}" is not supported: only faces (f) are`, 'Export it as triangles.');
    if (lines.words[0] === 'f') addFace(vertexIndices, lines, ++faces, vertices.length / 3);
  }
  if (vertices.length === 0) throw lines.error('the mesh is empty: there are no vertices in it');
  if (vertexIndices.length === 0) throw lines.error('the mesh is empty: there are no faces in it');
  const points = new Float64Array(3 * vertexIndices.length);
  for (const [i, vertex] of vertexIndices.entries()) {
    for (let k = 0; k < 3; k++) points[3 * i + k] = vertices[3 * vertex + k];
  }
  return { points, triangles: vertexIndices.length / 3, warnings: [] };
}

/** Statements with a surface: old faces, free-form surfaces and patches, and the content of another file. */
const UNREAD_SURFACES = /^(fo|surf|bzp|bsp|cdp|call)$/;

/** Adds a vertex. A fourth number is its weight: readers differ in whether they divide by it, so that it must be 1. */
function addVertex(vertices: number[], lines: TokenLines): void {
  const place = `vertex ${vertices.length / 3 + 1}`;
  vertices.push(...lines.numbers(1, 3, place));
  lines.refuseWords(4);
  if (lines.words.length !== 5 || lines.numbers(4, 1, place)[0] === 1) return;
  throw lines.error(`${place} has the weight ${lines.words[4]}, only 1 is supported`, 'Leave the fourth number out.');
}

function addFace(vertexIndices: number[], lines: TokenLines, index: number, count: number): void {
  const face = lines.words.slice(1).map((word) => vertexIndex(word, lines, index, count));
  if (face.length < 3) throw lines.error(`a face of ${face.length} vertices, at least 3 are required`);
  for (let i = 2; i < face.length; i++) vertexIndices.push(face[0], face[i - 1], face[i]);
}

/**
 * Returns the zero-based index of a vertex: indices of the file count from 1; negative ones backwards from the newest
 * vertex.
 */
function vertexIndex(word: string, lines: TokenLines, face: number, count: number): number {
  if (!/^[^/]*(\/([-+]?\d+)?){0,2}$/.test(word)) throw lines.error(`face ${face}: ${quote(word)} is not a vertex`);
  const text = word.split('/')[0];
  const index = /^[-+]?\d+$/.test(text) ? Number(text) : 0;
  if (index > 0 && index <= count) return index - 1;
  if (index < 0 && -index <= count) return count + index;
  throw lines.error(`face ${face} names vertex ${text.slice(0, 20)}, there are ${count} so far, counted from 1`);
}
