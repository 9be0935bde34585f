import { areaVector } from '../../core/hulls/triangleCut.ts';
import { InputError } from '../../errors.ts';
import { endingOf, refusePointer } from '../text/fileText.ts';
import type { Mesh } from './mesh.ts';
import { readObj } from './obj.ts';
import { readStl } from './stl.ts';

export type { Mesh } from './mesh.ts';

type MeshReader = (bytes: Uint8Array, file: string) => Mesh | Promise<Mesh>;

/** Readers of mesh files by file name extension; those of rarer formats are loaded on use. */
const readers: Readonly<Record<string, MeshReader>> = {
  stl: readStl,
  obj: readObj,
  dae: async (bytes, file) => (await import('./dae.ts')).readDae(bytes, file),
  ply: async (bytes, file) => (await import('./ply.ts')).readPly(bytes, file),
};

export const meshEndings: readonly string[] = Object.keys(readers);

/** Returns true if the file name has the extension of a supported mesh format. */
export function isMeshName(file: string): boolean {
  return readers[endingOf(file)] !== undefined && Object.hasOwn(readers, endingOf(file));
}

/**
 * Reads a mesh in the format of its file name extension. Throws `InputError` with file and place if the file is broken,
 * truncated or not a mesh. The result has only finite coordinates and at least one triangle.
 */
export async function readMesh(bytes: Uint8Array, file: string): Promise<Mesh> {
  if (!isMeshName(file)) {
    const list = `Use one of: ${meshEndings.map((ending) => `.${ending}`).join(', ')}.`;
    const ofPoints = /^(pcd|xyz)$/.test(endingOf(file));
    throw new InputError(
      `${file}: meshes of the kind ".${endingOf(file)}" cannot be read`,
      ofPoints ? `In a scene, points are an obstacle of type cloud. ${list}` : list,
    );
  }
  if (bytes.length === 0) throw new InputError(`${file}: the file is empty (0 bytes)`);
  refusePointer(bytes, file);
  const head = new TextDecoder().decode(bytes.subarray(0, 256)).trimStart().toLowerCase();
  if (head.startsWith('<!doctype html') || head.startsWith('<html')) {
    throw new InputError(
      `${file}: this is a web page, not a mesh`,
      'Was it saved from a download link that requires a login?',
    );
  }
  const mesh = await readers[endingOf(file)](bytes, file);
  if (mesh.triangles === 0) throw new InputError(`${file}: the mesh is empty: there are no triangles in it`);
  const flat = countFlat(mesh.points);
  if (flat === 0) return mesh;
  return { ...mesh, warnings: [...mesh.warnings, `${file}: ${flat} of ${mesh.triangles} triangles have no area`] };
}

/**
 * Returns a mesh of which only what is given is known; its points are read at the first use.
 * @param bytes of an STL or OBJ file that `readMesh` has read before
 */
export function readMeshLater(bytes: Uint8Array, file: string, known: Omit<Mesh, 'points'>): Mesh {
  let points: Float64Array | undefined;
  return {
    ...known,
    get points() {
      points ??= (endingOf(file) === 'stl' ? readStl : readObj)(bytes, file).points;
      return points;
    },
  };
}

/** Counts triangles whose vertices are exactly collinear. */
function countFlat(points: Float64Array): number {
  let count = 0;
  const normal = new Float64Array(3);
  for (let i = 0; i < points.length; i += 9) {
    areaVector(normal, points, i);
    if (normal.every((x) => x === 0)) count++;
  }
  return count;
}
