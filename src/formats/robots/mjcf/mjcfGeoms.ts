import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import { lengthProblem } from '../../../core/math/magnitudes.ts';
import { compose, create, type Transform } from '../../../core/math/transform.ts';
import type { ShapeSpec } from '../../../core/shapes/shape.ts';
import { lineOf } from '../../text/xmlDocument.ts';
import type { Triple } from '../jointChain.ts';
import type { CollisionDraft, LinkGeometry } from '../urdfDocument.ts';
import type { WithDefaults } from './mjcfDefaults.ts';
import type { MjcfModel } from './mjcfModel.ts';
import { readPose, turningZTo } from './mjcfPose.ts';

const GEOM_TYPES = ['sphere', 'plane', 'hfield', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'] as const;
type GeomType = (typeof GEOM_TYPES)[number];

/** Highest group that the viewer of MuJoCo shows by default. */
const LAST_VISIBLE_GROUP = 2;

/** A geom of a body, with the geometries that it belongs to. */
export interface MjcfGeom {
  readonly given: WithDefaults;
  /** Pose of the frames between the body and the geom. */
  readonly T_body_frame: Transform;
  /** Bits that two geoms must share to collide; both 0: it never collides. */
  readonly masks: { readonly type: number; readonly affinity: number };
  readonly group: number;
  /** A `<pair>` states that it collides, whatever its masks. */
  readonly isPaired: boolean;
}

/** Reads the attributes that decide whether a geom is collision geometry. */
export function classifyGeom(given: WithDefaults, T_body_frame: Transform, isPaired: boolean): MjcfGeom {
  const integer = (attribute: string, absent: number): number => {
    const value = given.number(attribute);
    if (value === undefined) return absent;
    if (!Number.isInteger(value) || Math.abs(value) > 0x7fffffff)
      given.addProblem(attribute, `${attribute} is ${value}, it must be a 32-bit integer`);
    return value;
  };
  const masks = { type: integer('contype', 1), affinity: integer('conaffinity', 1) };
  return { given, T_body_frame, masks, group: integer('group', 0), isPaired };
}

/** Returns true if a geom belongs to the geometry of this kind: it collides, or MuJoCo shows it by default. */
export function isSelected({ masks, group, isPaired }: MjcfGeom, geometry: LinkGeometry): boolean {
  return geometry === 'visual' ? group <= LAST_VISIBLE_GROUP : isPaired || masks.type !== 0 || masks.affinity !== 0;
}

/** Reads the shape and pose of a geom. Returns undefined if a problem was added. */
export async function readGeom(
  { given, T_body_frame }: MjcfGeom,
  model: MjcfModel,
): Promise<CollisionDraft | undefined> {
  const { element, place } = given;
  const type = (given.holder('type') === undefined ? 'sphere' : given.keyword('type', GEOM_TYPES)) as GeomType;
  const at = { line: lineOf(element), ...model.document.otherFile(element) };
  const T = create();
  if (type === 'mesh') {
    const name = given.value('mesh');
    if (given.holder('fromto') !== undefined) given.addProblem('fromto', 'fromto of a mesh');
    if (name === undefined) given.addProblem('mesh', 'a geom of type mesh needs the name of a mesh');
    const used = name === undefined ? undefined : await model.meshes.use(name, element, place);
    if (used === undefined) return undefined;
    compose(T, T_body_frame, readPose(given, model.compiler));
    compose(T, T, used.T_geom_mesh);
    const { mesh, shape } = used;
    return { ...at, pose: poseOfTransform(T), ...(mesh ? { mesh } : {}), ...(shape ? { shape } : {}) };
  }
  if (type === undefined || refuses(type, given)) return undefined;
  const line = readLine(given, type);
  const shape = line === 'invalid' ? undefined : primitive(type, given, line?.length);
  if (shape === undefined || line === 'invalid') return undefined;
  compose(T, T_body_frame, line?.T_body_geom ?? readPose(given, model.compiler));
  return { ...at, pose: poseOfTransform(T), shape };
}

/** Adds a problem for geoms whose shape is not supported. */
function refuses(type: GeomType, given: WithDefaults): boolean {
  const { element, place, numbers } = given;
  if (given.holder('mesh') !== undefined) {
    const note = 'Use type="mesh", write its size, or exclude it from collisions: contype="0" conaffinity="0".';
    numbers.addProblem(element, place, `a ${type} that is fitted to a mesh is not supported`, note);
    return true;
  }
  if (type !== 'hfield' && type !== 'sdf') return false;
  const note = type === 'hfield' ? 'Use an obstacle of type heightfield in the scene.' : 'Use a mesh.';
  numbers.addProblem(element, place, `geoms of type ${type} are not supported`, note);
  return true;
}

interface Line {
  readonly T_body_geom: Transform;
  /** Distance of the two ends, metres. */
  readonly length: number;
}

/** Reads `fromto`: the two ends of the z axis of a shape. */
function readLine(given: WithDefaults, type: GeomType): Line | 'invalid' | undefined {
  if (given.holder('fromto') === undefined) return undefined;
  const wrong = (what: string): 'invalid' => {
    given.addProblem('fromto', what);
    return 'invalid';
  };
  if (!['capsule', 'cylinder', 'box', 'ellipsoid'].includes(type)) return wrong(`fromto of a ${type}`);
  if (given.holder('pos') !== undefined) return wrong('it has both pos and fromto, which exclude each other');
  const ends = given.list('fromto', 6, lengthProblem);
  if (ends === undefined) return 'invalid';
  const [ax, ay, az, bx, by, bz] = ends;
  const along: Triple = [ax - bx, ay - by, az - bz];
  const T = turningZTo(along);
  if (T === undefined) return wrong('the two points of fromto coincide');
  T[3] = (ax + bx) / 2;
  T[7] = (ay + by) / 2;
  T[11] = (az + bz) / 2;
  return { T_body_geom: T, length: Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]) };
}

/** Number of sizes that each shape needs; a `fromto` replaces all but the first. */
const SIZES: Readonly<Partial<Record<GeomType, number>>> = { sphere: 1, capsule: 2, cylinder: 2, ellipsoid: 3, box: 3 };

/** Reads a primitive. Sizes are half lengths; @param length distance of the ends of `fromto` */
function primitive(type: GeomType, given: WithDefaults, length: number | undefined): ShapeSpec | undefined {
  if (type === 'plane') return { type: 'halfspace', normal: [0, 0, 1] }; // its sizes are for display only
  const needed = length === undefined ? SIZES[type]! : 1;
  const stated = readSizes(given);
  if (stated === undefined) return undefined;
  if (stated.length < needed || stated.slice(0, needed).some((size) => !(size > 0))) {
    const what = `size of the ${type} is "${stated.join(' ')}", it needs ${needed} numbers greater than 0`;
    given.addProblem('size', what);
    return undefined;
  }
  const [a, b, c] = length === undefined ? stated : fromToSizes(type, stated[0], length / 2);
  switch (type) {
    case 'sphere':
      return { type, radius: a };
    case 'capsule':
    case 'cylinder':
      return { type, radius: a, length: 2 * b };
    case 'ellipsoid':
      return { type, radii: [a, b, c] };
    default:
      return { type: 'box', size: [2 * a, 2 * b, 2 * c] };
  }
}

/**
 * Reads the sizes: where the element states fewer than its defaults, the rest is inherited, as in MuJoCo. Returns
 * undefined if a problem was added.
 */
function readSizes(given: WithDefaults): number[] | undefined {
  const sizes: number[] = [];
  for (const holder of given.holders('size')) {
    const stated = given.numbers.bounded(holder, 'size', [1, 3], given.place, lengthProblem);
    if (stated === undefined) return undefined;
    sizes.push(...stated.slice(sizes.length));
  }
  return sizes;
}

/** The half sizes of a shape between two points: the first size is that across in both directions. */
const fromToSizes = (type: GeomType, across: number, half: number): readonly number[] =>
  type === 'box' || type === 'ellipsoid' ? [across, across, half] : [across, half];
