import { type CertifiedPart, type CertifiedScene, certifiedParts } from '../../core/certificate/convexParts.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { requiredDistance } from '../../core/scene/clearances.ts';
import { startStateOf } from '../../core/scene/configurationOf.ts';
import { executedMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { SceneWorld } from '../../core/world/sceneWorld.ts';

/** A scene with its robot, to which a certificate refers. */
export interface CertifiedWorld {
  /** Robot model of the scene. */
  readonly robot: RobotModel;
  /** The parts of the scene that a certificate depends on. */
  readonly scene: CertifiedScene;
}

/** Predicate of two parts of a world. */
export type PairPredicate = (a: CertifiedPart, b: CertifiedPart) => boolean;

/**
 * Returns a predicate of two parts of the world `now`: true if every plane that separated them in the world `before`
 * still separates them. This is so if the same joints move them, their shapes and placements are bitwise equal, and the
 * distance that they must be apart has not increased. For moving obstacles and links of other robots, all motions must
 * be equal as well.
 */
export function unchangedPairs(before: SceneWorld<CertifiedScene>, now: SceneWorld<CertifiedScene>): PairPredicate {
  const sameRobot = motionKey(before.planned) === motionKey(now.planned);
  const isAsApart = (a: CertifiedPart, b: CertifiedPart) =>
    requiredDistance(now.scene, a.object, b.object) <= requiredDistance(before.scene, a.object, b.object);
  if (!sameRobot) return () => false;
  const known = partKeys(before);
  const same = new Set([...partKeys(now)].filter(([name, key]) => known.get(name) === key).map(([name]) => name));
  const areOthersSame = movingKey(before) === movingKey(now);
  const { links, others } = now.robot;
  /** A moving obstacle, a link of another robot, or an object that is attached to one. */
  const movesByItself = ({ object, link }: CertifiedPart) =>
    others !== undefined && (others.has(object) || (link >= 0 && others.has(links[link].name)));
  const isSame = (part: CertifiedPart) => same.has(nameOf(part)) && (areOthersSame || !movesByItself(part));
  return (a, b) => isSame(a) && isSame(b) && isAsApart(a, b);
}

/**
 * Returns true if a trajectory is executed in the world before as now: a motion from the start of the scene to a first
 * point after time 0 is part of it.
 */
export function beginsAlike(before: CertifiedWorld | undefined, stated: Trajectory, executed: Trajectory): boolean {
  if (before === undefined || !((stated.points[0].time_from_start ?? 0) > 0)) return true;
  const [first] = executedMotion(stated, startStateOf(before.robot, before.scene)).points;
  return JSON.stringify(first) === JSON.stringify(executed.points[0]);
}

/** Key of everything that decides where moving obstacles and links of other robots are over time. */
const movingKey = ({ robot, sources, end }: SceneWorld): string => JSON.stringify([motionKey(robot), sources, end]);

const nameOf = ({ object, part }: CertifiedPart) => `${part} ${object}`;

function partKeys({ robot, scene }: SceneWorld<CertifiedScene>): Map<string, string> {
  return new Map(certifiedParts(robot, scene).map((part) => [nameOf(part), partKey(part, robot)]));
}

/**
 * Key of everything that decides where the points of a part are, except the joints; JSON keeps every digit of doubles.
 */
function partKey({ link, shape, T_link_part, T_link_frame }: CertifiedPart, { links }: RobotModel): string {
  const { type, size, vertices, margin } = shape;
  const numbers = [size, vertices, [margin], T_link_part, T_link_frame].map((row) => Array.from(row));
  return JSON.stringify([link < 0 ? null : links[link].name, type, numbers]);
}

/** Key of everything that decides the link poses for given values of the planned joints. */
function motionKey({ T_world_root, joints, links, variables }: RobotModel): string {
  const chain = joints.map(({ type, parent, child, T_parent_joint, axis, variable, multiplier, offset }) => {
    const mover = variable < 0 ? null : variables[variable].name;
    return [type, links[parent].name, links[child].name, [...T_parent_joint], [...axis], mover, multiplier, offset];
  });
  return JSON.stringify([[...T_world_root], chain]);
}
