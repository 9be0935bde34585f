import { InputError } from '../errors.ts';
import { withDomGlobals } from './domGlobals.ts';
import type { Mesh } from './meshes.ts';
import { childOf, descendants, lineOf, parseXml, quote, removeChildren, type XmlElement } from './xmlDocument.ts';

/** Parts of a COLLADA file that collision does not need; textures among them would be fetched. */
const unneeded =
  /^library_(images|effects|materials|animations|animation_clips|cameras|lights|physics_.*|force_fields|kinematics_.*|articulated_systems|joints)$/;

/**
 * Reads the triangles of a COLLADA file as its scene places them, through three's ColladaLoader. Lengths are multiplied by the file's
 * `<unit>`. Its `<up_axis>` is ignored, as ROS tools do: coordinates are taken as they are in the file.
 */
export async function readDae(bytes: Uint8Array, file: string): Promise<Mesh> {
  const root = await parseXml(new TextDecoder().decode(bytes), file, 'COLLADA');
  const scene = childOf(root, 'scene');
  if (scene === undefined || childOf(scene, 'instance_visual_scene') === undefined) {
    throw new InputError(`${file}: there is no <scene> that places the geometry`);
  }
  removeChildren(root, (child) => unneeded.test(child.nodeName));
  checkNumbers(root, file);
  checkSizes(root, file);
  const points = await triangles(root, file);
  if (points.length === 0) throw new InputError(`${file}: the mesh is empty: there are no triangles in its scene`);
  return { points, triangles: points.length / 9, warnings: [] };
}

/** three reads NaN and cut-off arrays without a word. */
function checkNumbers(root: XmlElement, file: string): void {
  for (const { element } of descendants(root)) {
    if (element.nodeName !== 'float_array' && element.nodeName !== 'matrix' && element.nodeName !== 'p') continue;
    const words = (element.textContent ?? '').split(/\s+/).filter((word) => word !== '');
    const wrong = words.find((word) => !Number.isFinite(Number(word)));
    if (wrong !== undefined) {
      throw new InputError(
        `${file}:${lineOf(element)}: ${quote(wrong)} in <${element.nodeName}> is not a finite number`,
      );
    }
    const count = element.nodeName === 'float_array' ? Number(element.getAttribute('count')) : words.length;
    if (count !== words.length) {
      throw new InputError(
        `${file}:${lineOf(element)}: <float_array> promises ${count} numbers, ${words.length} are there`,
      );
    }
  }
}

/** Values of one vertex, or indices of one corner, that a file may claim: what it does not hold would be made up, and cost memory. */
const WIDEST = 1024;

/** three believes strides, offsets and corner counts as they stand. */
function checkSizes(root: XmlElement, file: string): void {
  for (const { element } of descendants(root)) {
    if (element.nodeName === 'accessor') checkSize(element, 'stride', 1, file);
    if (element.nodeName === 'input') checkSize(element, 'offset', 0, file);
    if (element.nodeName === 'polylist') checkCorners(element, file);
  }
}

function checkSize(element: XmlElement, name: string, least: number, file: string): void {
  const text = element.getAttribute(name);
  if (text === null) return;
  const size = Number(text);
  if (Number.isInteger(size) && size >= least && size <= WIDEST) return;
  throw new InputError(
    `${file}:${lineOf(element)}: ${name} of <${element.nodeName}> is ${quote(text)}, must be a whole number from ${least} to ${WIDEST}`,
  );
}

/** Polygons have no more corners in all than there are indices. */
function checkCorners(polylist: XmlElement, file: string): void {
  const numbersOf = (name: string) =>
    (childOf(polylist, name)?.textContent ?? '').split(/\s+/).filter((word) => word !== '');
  const counts = numbersOf('vcount').map(Number);
  const corners = counts.reduce((sum, count) => sum + count, 0);
  const indices = numbersOf('p').length;
  if (counts.every((count) => Number.isInteger(count) && count >= 0) && corners <= indices) return;
  throw new InputError(`${file}:${lineOf(polylist)}: <vcount> promises ${corners} corners, <p> has ${indices} numbers`);
}

async function triangles(root: XmlElement, file: string): Promise<Float64Array> {
  const { ColladaLoader, Mesh, Vector3 } = await import('./threeCollada.ts');
  const document = root.ownerDocument;
  const scene = await withDomGlobals(
    () =>
      silently(() => {
        try {
          return new ColladaLoader().parse(' ', '')?.scene;
        } catch (error) {
          throw new InputError(`${file}: this COLLADA file cannot be read: ${(error as Error).message}`);
        }
      }),
    document,
  );
  if (scene === undefined) throw new InputError(`${file}: this COLLADA file cannot be read`);
  scene.rotation.set(0, 0, 0);
  scene.updateMatrixWorld(true);
  const coordinates: number[] = [];
  const point = new Vector3();
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const position = object.geometry.getAttribute('position');
    const index = object.geometry.getIndex();
    const count = index?.count ?? position?.count ?? 0;
    for (let i = 0; i < count - (count % 3); i++) {
      point.fromBufferAttribute(position, index?.getX(i) ?? i).applyMatrix4(object.matrixWorld);
      coordinates.push(point.x, point.y, point.z);
    }
  });
  const bad = coordinates.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw new InputError(`${file}: a coordinate is ${bad}: an index leads nowhere`);
  return Float64Array.from(coordinates);
}

/** three talks on the console, even on standard output. */
function silently<T>(use: () => T): T {
  const { debug, warn, error, log, info } = console;
  const nothing = () => {};
  Object.assign(console, { debug: nothing, warn: nothing, error: nothing, log: nothing, info: nothing });
  try {
    return use();
  } finally {
    Object.assign(console, { debug, warn, error, log, info });
  }
}
