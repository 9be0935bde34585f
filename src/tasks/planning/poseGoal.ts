import type { CollisionManager } from '../../collision/collisionManager.ts';
import { withFullTurns } from '../../kinematics/fullTurns.ts';
import { type IkMiss, InverseKinematics } from '../../kinematics/inverseKinematics.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { PoseGoal } from '../../scene/scene.ts';
import { freeIk, ikCollisions } from './collisionFreeIk.ts';
import { contactExcess, describeExcess } from './contactExcess.ts';
import type { EndDetail, EndFault } from './endpointDiagnosis.ts';
import { describeMiss, linkNamed, nearestFirst } from './solveIk.ts';

/** Of an arm with joints to spare a pose has solutions without end: so many are looked for. */
const MOST_SOLUTIONS = 64;
/** The same goals whatever the seed of the planner. */
const SEED = 1;

/**
 * Configurations within limits and free of collision that take a link to a pose, the nearest to the start first; or why there is none.
 * @param most so many at most: the nearest IK solutions, then the nearest of their full turns
 */
export function configurationsOfPose(
  robot: RobotModel,
  manager: CollisionManager,
  start: Configuration,
  { link, tolerance, ...pose }: PoseGoal,
  most: number,
): readonly Configuration[] | EndFault {
  const ik = new InverseKinematics(robot, linkNamed(robot, link));
  const options = { tolerance, solutions: MOST_SOLUTIONS };
  const { solutions, refused, miss } = freeIk(ik, manager, transformOfPose(pose), start, SEED, options);
  if (miss) return unreachable(link, miss);
  if (solutions.length === 0)
    return allCollide(
      manager,
      refused.map(({ q }) => q),
    );
  const turned = solutions.map(({ q }) => withFullTurns(robot, q, start, { most, perEndless: 1 }));
  const once = nearestOf(
    turned.map(([nearest]) => nearest),
    start,
    most,
  );
  const more = nearestOf(
    turned.flatMap(([_, ...others]) => others),
    start,
    most - once.length,
  );
  return nearestFirst([...once, ...more], start, (q) => q);
}

const nearestOf = (list: readonly Configuration[], start: Configuration, most: number) =>
  nearestFirst(list, start, (q) => q).slice(0, most);

function unreachable(link: string, miss: IkMiss): EndFault {
  const { shortfall, beyondLimits, nearest } = miss;
  const nearest_miss = { position: nearest.positionError, angle: nearest.angleError };
  const detail: EndDetail = shortfall
    ? { end: 'goal', kind: 'out-of-reach', short_by: shortfall.by, nearest_miss }
    : beyondLimits.length > 0
      ? { end: 'goal', kind: 'beyond-limits', joints: beyondLimits, nearest_miss }
      : { end: 'goal', kind: 'no-ik-solution', nearest_miss };
  const reason = `the goal cannot be reached: ${describeMiss(link, miss)}`;
  return { status: 'goal-unreachable', reason, details: [detail] };
}

/** Solutions, every one of them in collision. */
function allCollide(manager: CollisionManager, solutions: readonly Configuration[]): EndFault {
  const { contacts, reason } = ikCollisions(manager, solutions, ' of the goal');
  const found = solutions.flatMap((q, i) => contactExcess(manager, q, [contacts[i].pair]));
  const hulls = [...new Map(found.map((one) => [`${one.body}\n${one.mesh}`, one])).values()];
  const detail: EndDetail = {
    end: 'goal',
    kind: 'ik-solutions-collide',
    contacts,
    ...(hulls.length > 0 ? { hulls } : {}),
  };
  return { status: 'goal-in-collision', reason: `${reason}${describeExcess(hulls)}`, details: [detail] };
}
