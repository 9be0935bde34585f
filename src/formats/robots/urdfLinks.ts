import type { Hull } from '../../core/hulls/hull.ts';
import { recordCover } from '../../core/hulls/hullExcess.ts';
import { convexSpec, type MeshDecomposer } from '../../core/hulls/meshParts.ts';
import { longestSide, scaled } from '../../core/hulls/pointCloud.ts';
import { missingGeometryWarning } from '../../core/kinematics/collisionGeometry.ts';
import type { CollisionDescription, LinkDescription } from '../../core/kinematics/robotModel.ts';
import { firstBeyond, lengthProblem } from '../../core/math/magnitudes.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';
import type { Mesh } from '../meshes/index.ts';
import { attributeOf, childOf, childrenOf, fileOf, lineOf, type XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';
import { massOf, UNKNOWN_MASS, urdfInertial, warnUnknown } from './inertials.ts';
import type { CollisionDraft, LinkDraft, LinkGeometry, Urdf } from './urdfDocument.ts';

/** Geometry of a link longer than this (m) is probably given in millimetres and causes a warning. */
const LONGEST_LINK = 10;
/** A primitive thinner than `thick` (m) may be a floor, and causes the warning only if it is longer than `long` (m). */
const FLOOR = { thick: 1, long: 100 };

/** Reads links and their collision shapes, in the order of the file. */
export function checkLinks(robot: XmlElement, numbers: XmlNumbers, geometry: LinkGeometry): LinkDraft[] {
  return childrenOf(robot, 'link').map((link) => {
    const name = attributeOf(link, 'name') ?? '';
    const place = `link "${name}"`;
    const elements = collisionElements(link, place, numbers, geometry);
    const collisions = elements.flatMap((element) => readGeometry(element, place, numbers) ?? []);
    const inertial = childOf(link, 'inertial');
    const mass = inertial && childOf(inertial, 'mass');
    const kilograms = mass && numbers.number(mass, 'value', place);
    const isBody = collisions.length === 0 && (childOf(link, 'visual') ?? childOf(link, 'collision')) !== undefined;
    const unstated = isBody ? UNKNOWN_MASS : undefined;
    const stated = inertial && urdfInertial(inertial);
    warnUnknown(numbers, place, inertial, stated);
    return { name, collisions, ...massOf(kilograms, stated ?? unstated) };
  });
}

/**
 * Returns the elements that are a link's collision geometry. If visual geometry is requested and a link has none, its
 * collision geometry is used: otherwise the link would not be checked.
 */
function collisionElements(link: XmlElement, place: string, numbers: XmlNumbers, geometry: LinkGeometry): XmlElement[] {
  const collisions = childrenOf(link, 'collision');
  const visuals = childrenOf(link, 'visual');
  if (geometry === 'visual') {
    if (visuals.length > 0) return visuals;
    if (collisions.length > 0) {
      numbers.warnings.push(`${place} has no visual geometry: its collision geometry is used`);
    }
  } else if (collisions.length === 0 && visuals.length > 0) {
    numbers.warnings.push(missingGeometryWarning(attributeOf(link, 'name') ?? ''));
  }
  return collisions;
}

/** Converts the drafts to links; every mesh is scaled and covered with convex parts. */
export async function describeLinks(
  urdf: Urdf,
  meshes: ReadonlyMap<string, Mesh>,
  warnings: string[],
  partsOf: MeshDecomposer,
): Promise<LinkDescription[]> {
  for (const { address, link } of urdf.meshes) {
    for (const warning of meshes.get(address)?.warnings ?? []) warnings.push(`link "${link}": ${warning}`);
  }
  const known = new Map<string, readonly ShapeSpec[]>();
  const links: LinkDescription[] = [];
  for (const { name, mass, inertial, collisions } of urdf.links) {
    const described: CollisionDescription[] = [];
    for (const [source, draft] of collisions.entries()) {
      const mesh = draft.mesh && meshes.get(draft.mesh.address);
      if (draft.mesh !== undefined && mesh === undefined) {
        throw new InputError(
          `${draft.file ?? urdf.file}:${draft.line}: link "${name}": mesh ${draft.mesh.address} was not loaded`,
        );
      }
      if (draft.shape !== undefined) warnings.push(...lengthWarning(draft.shape, `link "${name}"`));
      const shapes = draft.shape
        ? [draft.shape]
        : await meshShapes(draft.mesh!, mesh!, `link "${name}"`, {
            known,
            warnings,
            partsOf,
            at: `${draft.file ?? urdf.file}:${draft.line}`,
          });
      for (const shape of shapes) described.push({ shape, pose: draft.pose, triangles: mesh?.triangles ?? 0, source });
    }
    links.push({ name, collisions: described, ...massOf(mass, inertial) });
  }
  return links;
}

/** Returns a warning if the sizes of a primitive are probably millimetres. */
export function lengthWarning(shape: ShapeSpec, place: string): string[] {
  const [x0, y0, z0, x1, y1, z1] = createShape(shape).bounds;
  const sizes = [x1 - x0, y1 - y0, z1 - z0];
  const [length, thickness] = [Math.max(...sizes), Math.min(...sizes)];
  if (length === Number.POSITIVE_INFINITY) return []; // a plane
  if (length < FLOOR.long && !(length > LONGEST_LINK && thickness > FLOOR.thick)) return [];
  return [`${place}: its ${shape.type} is ${Number(length.toPrecision(3))} m long; sizes are metres, not millimetres`];
}

interface MeshShaping {
  /** By scale and address. */
  readonly known: Map<string, readonly ShapeSpec[]>;
  readonly warnings: string[];
  readonly partsOf: MeshDecomposer;
  /** FILE:LINE of the mesh, for errors. */
  readonly at: string;
}

async function meshShapes(
  { address, scale }: NonNullable<CollisionDraft['mesh']>,
  mesh: Mesh,
  place: string,
  { known, warnings, partsOf, at }: MeshShaping,
): Promise<readonly ShapeSpec[]> {
  const key = `${scale.join(' ')} ${address}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const points = () => scaled(mesh.points, scale);
  const { length, parts } =
    keptHull(mesh, scale) ?? (await coverOf(points(), partsOf, `${at}: ${place}: mesh ${address}`));
  if (length > LONGEST_LINK) {
    warnings.push(
      `${place}: mesh ${address} is ${Number(length.toPrecision(3))} m long; in millimetres? scale="0.001 0.001 ` +
        '0.001" makes metres of them',
    );
  }
  const shapes = parts.map((part) => convexSpec(part));
  known.set(key, shapes);
  recordCover(address, points, shapes);
  return shapes;
}

/** Convex parts that cover a mesh, and the longest side of its bounding box, metres. */
interface Cover {
  readonly length: number;
  readonly parts: readonly Hull[];
}

function keptHull({ hulls }: Mesh, scale: readonly number[]): Cover | undefined {
  const kept = hulls?.get(scale.join(' '));
  return kept && { length: kept.length, parts: [kept.hull] };
}

/** @param place of the mesh, for errors */
async function coverOf(points: Float64Array, partsOf: MeshDecomposer, place: string): Promise<Cover> {
  const beyond = firstBeyond(points);
  if (beyond >= 0) {
    const problem = `the scaled coordinate ${points[beyond]} ${lengthProblem(points[beyond])}`;
    throw new InputError(`${place}: ${problem}`, 'Give the <mesh> a smaller scale.');
  }
  return { length: longestSide(points), parts: await partsOf(points) };
}

/**
 * Reads the geometry of a `<collision>`, or of a `<visual>`, which has the same structure. Returns undefined if there
 * is none: a problem was added, or a warning that a sphere or box of size 0, which some robots have, is left out.
 */
export function readGeometry(element: XmlElement, place: string, numbers: XmlNumbers): CollisionDraft | undefined {
  const pose = numbers.origin(element, place);
  const geometry = numbers.onlyChild(element, 'geometry', place);
  const [body, second] = geometry === undefined ? [] : childrenOf(geometry);
  if (body === undefined) {
    const kind = geometry === undefined ? 'no' : 'an empty';
    numbers.addProblem(element, place, `a <${element.nodeName}> has ${kind} <geometry>`);
    return undefined;
  }
  if (second !== undefined) {
    const note = `Give each shape a <${element.nodeName}> of its own.`;
    numbers.addProblem(
      second,
      place,
      `a <geometry> has two shapes, <${body.nodeName}> and <${second.nodeName}>, it must have one`,
      note,
    );
  }
  const file = fileOf(body);
  const at = { ...(file === undefined ? {} : { file }), line: lineOf(body) };
  if (body.nodeName === 'mesh') {
    const mesh = readMeshAddress(body, place, numbers);
    return mesh && { ...at, pose, mesh };
  }
  const read = primitives[body.nodeName];
  if (read === undefined || !Object.hasOwn(primitives, body.nodeName)) {
    const known = [...Object.keys(primitives), 'mesh'].join(', ');
    numbers.addProblem(body, place, `unknown geometry <${body.nodeName}>`, `Use one of: ${known}.`);
    return undefined;
  }
  const shape = read(body, place, numbers);
  return shape && { ...at, pose, shape };
}

const primitives: Readonly<
  Record<string, (element: XmlElement, place: string, numbers: XmlNumbers) => ShapeSpec | undefined>
> = {
  box: (element, place, numbers) => {
    if (attributeOf(element, 'size') === undefined) numbers.addProblem(element, place, '<box> has no size');
    const size = numbers.lengths(element, 'size', place);
    if (size === undefined) return undefined;
    if (size.every((edge) => edge > 0)) return { type: 'box', size };
    if (size.every((edge) => edge === 0)) {
      numbers.warn(element, place, 'size of the box is 0 0 0: it is left out');
      return undefined;
    }
    numbers.addProblem(element, place, `size of the box is ${size.join(' ')}, every edge must be greater than 0`);
    return undefined;
  },
  sphere: (element, place, numbers) => {
    const given = attributeOf(element, 'radius')?.trim() ?? '';
    if (/^[-+.\d]/.test(given) && !/[xob]/i.test(given) && Number(given) === 0) {
      numbers.warn(element, place, 'radius of the sphere is 0: it is left out');
      return undefined;
    }
    const radius = numbers.positive(element, 'radius', place);
    return radius === undefined ? undefined : { type: 'sphere', radius };
  },
  cylinder: (element, place, numbers) => round('cylinder', element, place, numbers),
  capsule: (element, place, numbers) => round('capsule', element, place, numbers),
};

function round(type: string, element: XmlElement, place: string, numbers: XmlNumbers): ShapeSpec | undefined {
  const radius = numbers.positive(element, 'radius', place);
  const length = numbers.positive(element, 'length', place);
  return radius === undefined || length === undefined ? undefined : { type, radius, length };
}

function readMeshAddress(element: XmlElement, place: string, numbers: XmlNumbers): CollisionDraft['mesh'] {
  const address = (attributeOf(element, 'filename') ?? '').trim();
  if (address === '') {
    numbers.addProblem(element, place, '<mesh> has no filename');
    return undefined;
  }
  if (attributeOf(element, 'scale') === undefined) return { address, scale: [1, 1, 1] };
  const scale = numbers.triple(element, 'scale', place);
  if (scale === undefined) return undefined;
  if (scale.every((factor) => factor !== 0)) return { address, scale };
  numbers.addProblem(element, place, `scale of the mesh is ${scale.join(' ')}, no factor may be 0`);
  return undefined;
}
