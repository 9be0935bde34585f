import { convexHull } from '../../hulls/hull.ts';
import { createRobotModel, independentJoints } from '../../kinematics/createRobotModel.ts';
import type {
  CollisionPart,
  JointDescription,
  LinkDescription,
  RobotDescription,
} from '../../kinematics/robotModel.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { robotAllowedPairs } from '../../scene/allowedCollisions.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';

/** What was loaded, as plain data for people and programs. Links and joints in the order of the file; metres, radians. */
export interface RobotSummary {
  readonly name: string;
  readonly root: string;
  /** Joints that move by themselves. */
  readonly dof: number;
  readonly links: readonly LinkSummary[];
  readonly joints: readonly JointSummary[];
  /** Pairs that may touch, and why. */
  readonly allowed: readonly (readonly [string, string, string])[];
  /** Of the SRDF: groups as the joints they move, names of states, end effectors, joints that no motor moves. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly states: readonly string[];
  readonly end_effectors: readonly EndEffectorSummary[];
  readonly passive: readonly string[];
  readonly warnings: readonly string[];
}

export interface EndEffectorSummary {
  readonly name: string;
  readonly group: string;
  readonly parent_link: string;
  readonly parent_group: string | null;
}

export interface LinkSummary {
  readonly name: string;
  /** Null for the root. */
  readonly parent: string | null;
  /** Collision shapes of the file; one mesh cut into several convex parts is one. */
  readonly collisions: number;
  /** Box around them in the link's frame; null where there is none. */
  readonly bounds: { readonly min: readonly number[]; readonly max: readonly number[] } | null;
  /** Of its meshes as read, of their hulls, and what hulls and primitives hold in m³. */
  readonly triangles: number;
  readonly hull_vertices: number;
  readonly volume: number;
}

export interface JointSummary {
  readonly name: string;
  readonly type: string;
  readonly parent: string;
  readonly child: string;
  readonly axis: readonly number[];
  /** Null when unbounded or fixed. */
  readonly limits: Readonly<Record<'lower' | 'upper' | 'velocity' | 'effort', number | null>> | null;
  /** Of its `safety_controller`. */
  readonly soft_limits: { readonly lower: number; readonly upper: number } | null;
  readonly mimic: { readonly joint: string; readonly multiplier: number; readonly offset: number } | null;
}

/** Answers `robot --json`. */
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
    allowed: robotAllowedPairs(robot).list(),
    groups: robot.groups,
    states: Object.keys(robot.states),
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
    if (part.source !== link.collisions[i - 1]?.source) triangles += part.triangles; // parts of one mesh follow each other
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

/** m³ of the shapes that a URDF can name. */
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

/** The box around convex parts: the support function along each axis of the link, both ways. */
function boundsOf(parts: readonly CollisionPart[]): { min: number[]; max: number[] } {
  const min = [0, 1, 2].map((k) => Math.min(...parts.map((part) => -reach(part, k, -1))));
  const max = [0, 1, 2].map((k) => Math.max(...parts.map((part) => reach(part, k, 1))));
  return { min, max };
}

/** How far the part reaches along ± axis k of the link's frame. */
function reach({ shape, T_link_part: T }: CollisionPart, k: number, sign: number): number {
  const direction: Vec3 = Float64Array.of(sign * T[4 * k], sign * T[4 * k + 1], sign * T[4 * k + 2]);
  const point: Vec3 = new Float64Array(3);
  shape.support(point, shape, direction, 0);
  const along = direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2];
  return along + sign * T[4 * k + 3] + shape.margin + 0; // + 0: no −0 in the output
}

function summarizeJoint(joint: JointDescription): JointSummary {
  const { name, type, parent, child, axis, lower, upper, velocity, effort, soft, mimic } = joint;
  const bounded = type !== 'fixed' && (lower !== undefined || upper !== undefined) && type !== 'continuous';
  const limits = bounded
    ? { lower: lower ?? null, upper: upper ?? null, velocity: velocity ?? null, effort: effort ?? null }
    : null;
  return { name, type, parent, child, axis, limits, soft_limits: soft ?? null, mimic: mimic ?? null };
}
