import { convexHull } from '../../core/hulls/hull.ts';
import { createRobotModel, independentJoints } from '../../core/kinematics/createRobotModel.ts';
import type {
  CollisionPart,
  JointDescription,
  LinkDescription,
  RobotDescription,
} from '../../core/kinematics/robotModel.ts';
import { elbowOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Vec3 } from '../../core/math/vec3.ts';
import { robotAllowedPairs } from '../../core/scene/allowedCollisions.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';

/** Summary of a loaded robot as plain data. Links and joints in the order of the file; metres, radians. */
export interface RobotSummary {
  readonly name: string;
  readonly root: string;
  /** Number of independent joints. */
  readonly dof: number;
  readonly links: readonly LinkSummary[];
  readonly joints: readonly JointSummary[];
  /** Name of the link whose frame is the elbow; null if there is none. */
  readonly elbow: string | null;
  /** Allowed pairs with their reasons. */
  readonly allowed: readonly (readonly [string, string, string])[];
  /** From the SRDF: joints of each group, names of states, end effectors, passive joints. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly states: readonly string[];
  /** Names of the states of each group. */
  readonly group_states: Readonly<Record<string, readonly string[]>>;
  readonly end_effectors: readonly EndEffectorSummary[];
  readonly passive: readonly string[];
  readonly warnings: readonly string[];
}

/** An end effector of the SRDF. */
export interface EndEffectorSummary {
  readonly name: string;
  readonly group: string;
  readonly parent_link: string;
  readonly parent_group: string | null;
}

/** Summary of a link. */
export interface LinkSummary {
  readonly name: string;
  /** Parent link; null for the root. */
  readonly parent: string | null;
  /** Number of collision shapes in the file; a mesh decomposed into several convex parts counts as one. */
  readonly collisions: number;
  /** Bounding box of these in the link frame; null if there are none. */
  readonly bounds: { readonly min: readonly number[]; readonly max: readonly number[] } | null;
  /** Triangles of its meshes, vertices of their hulls, and volume of hulls and primitives, m³. */
  readonly triangles: number;
  readonly hull_vertices: number;
  readonly volume: number;
}

/** Summary of a joint. */
export interface JointSummary {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly child: string;
  readonly axis: readonly number[];
  /** Null if unbounded or fixed. */
  readonly limits: Readonly<Record<'lower' | 'upper' | 'velocity' | 'effort', number | null>> | null;
  /** Limits of its `safety_controller`. */
  readonly soft_limits: { readonly lower: number; readonly upper: number } | null;
  readonly mimic: { readonly joint: string; readonly multiplier: number; readonly offset: number } | null;
}

/** Computes the summary that `robot --json` prints. */
export async function describeRobot(robot: RobotDescription): Promise<RobotSummary> {
  const model = createRobotModel(robot);
  const partsOf = new Map(model.links.map((link) => [link.name, link.parts]));
  const parentOf = new Map(robot.joints.map((joint) => [joint.child, joint.parent]));
  const links: LinkSummary[] = [];
  for (const link of robot.links) {
    links.push(await summarizeLink(link, parentOf.get(link.name) ?? null, partsOf.get(link.name) ?? []));
  }
  return {
    name: robot.name,
    root: robot.root,
    dof: independentJoints(robot).length,
    links,
    joints: robot.joints.map(summarizeJoint),
    elbow: elbowOf(robot) ?? null,
    allowed: robotAllowedPairs(robot).list(),
    groups: robot.groups,
    states: Object.keys(robot.states),
    group_states: Object.fromEntries(
      Object.entries(robot.groupStates ?? {}).map(([group, states]) => [group, Object.keys(states)]),
    ),
    end_effectors: (robot.endEffectors ?? []).map(({ name, group, parentLink, parentGroup = null }) => ({
      name,
      group,
      parent_link: parentLink,
      parent_group: parentGroup,
    })),
    passive: robot.passive ?? [],
    warnings: robot.warnings,
  };
}

async function summarizeLink(
  link: LinkDescription,
  parent: string | null,
  parts: readonly CollisionPart[],
): Promise<LinkSummary> {
  let triangles = 0;
  let vertices = 0;
  let volume = 0;
  for (const [i, part] of link.collisions.entries()) {
    if (part.triangles === 0) {
      volume += primitiveVolume(part.shape);
      continue;
    }
    const { points } = part.shape as unknown as { readonly points: readonly (readonly number[])[] };
    // parts of one mesh follow each other
    if (part.source !== link.collisions[i - 1]?.source) triangles += part.triangles;
    vertices += points.length;
    volume += (await convexHull(Float64Array.from(points.flat()))).volume;
  }
  return {
    name: link.name,
    parent,
    collisions: new Set(link.collisions.map((part) => part.source)).size,
    bounds: parts.length === 0 ? null : boundsOf(parts),
    triangles,
    hull_vertices: vertices,
    volume,
  };
}

/** Computes the volume of a primitive of URDF, m³; 0 for other shapes. */
function primitiveVolume(shape: ShapeSpec): number {
  const { size, radius = 0, length = 0 } = shape as { size?: readonly number[]; radius?: number; length?: number };
  const disc = Math.PI * radius * radius;
  switch (shape.type) {
    case 'box':
      return size!.reduce((product, edge) => product * edge, 1);
    case 'sphere':
      return (4 / 3) * disc * radius;
    case 'cylinder':
      return disc * length;
    case 'capsule':
      return disc * (length + (4 / 3) * radius);
    default:
      return 0;
  }
}

/** Steps per metre of printed bounds, 0.1 nm: 0.2 mm in the single precision of a mesh is printed as 0.0002. */
const STEPS_PER_METRE = 1e10;

/**
 * Computes the bounding box of convex parts, to 0.1 nm, with the support function along both directions of each link
 * axis.
 */
function boundsOf(parts: readonly CollisionPart[]): { min: number[]; max: number[] } {
  const rounded = (value: number) => Math.round(value * STEPS_PER_METRE) / STEPS_PER_METRE + 0; // no −0
  const min = [0, 1, 2].map((k) => rounded(Math.min(...parts.map((part) => -extent(part, k, -1)))));
  const max = [0, 1, 2].map((k) => rounded(Math.max(...parts.map((part) => extent(part, k, 1)))));
  return { min, max };
}

/** Computes the extent of the part along ± axis k of the link frame. */
function extent({ shape, T_link_part: T }: CollisionPart, k: number, sign: number): number {
  const direction: Vec3 = Float64Array.of(sign * T[4 * k], sign * T[4 * k + 1], sign * T[4 * k + 2]);
  const point: Vec3 = new Float64Array(3);
  shape.support(point, shape, direction, 0);
  const along = direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2];
  return along + sign * T[4 * k + 3] + shape.margin;
}

function summarizeJoint(joint: JointDescription): JointSummary {
  const { name, type, parent, child, axis, lower, upper, velocity, effort, soft, mimic } = joint;
  const bounded = type !== 'fixed' && (lower !== undefined || upper !== undefined) && type !== 'continuous';
  const limits = bounded
    ? { lower: lower ?? null, upper: upper ?? null, velocity: velocity ?? null, effort: effort ?? null }
    : null;
  return { name, type, parent, child, axis, limits, soft_limits: soft ?? null, mimic: mimic ?? null };
}
