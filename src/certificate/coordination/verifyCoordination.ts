import { compositeRobot } from '../../kinematics/composition/compositeRobot.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import { sceneEventFault } from '../../trajectory/sceneEvents.ts';
import { isTimed, type Trajectory } from '../../trajectory/trajectory.ts';
import { CERTIFICATE_FORMAT } from '../certificate.ts';
import { ConstraintProver } from '../constraints/constraintProver.ts';
import { type CertifiedPart, type CertifiedScene, certifiedParts, checkedPairs } from '../convexParts.ts';
import { type MotionPiece, motionPieces, restingPiece } from '../motionPieces.ts';
import { PlaneProver } from '../planeProver.ts';
import {
  bindingProblems,
  endOf,
  type RequiredPair,
  refused,
  spanCount,
  type VerifyResult,
  verifyRequiredPairs,
} from '../verify.ts';
import { combinedPiece } from '../worldPieces.ts';
import type { CoordinationCertificate } from './cellCertificate.ts';
import { type CellMember, CellPlaneProver } from './cellPlaneProver.ts';
import type { CoordinationRecord, RecordCell, RecordCurve } from './coordinationRecord.ts';
import { diagramProblems } from './diagramProof.ts';
import { delayProblems, paceProblems, timeOutsideFree } from './scheduleProof.ts';

/** A robot of a coordination, with the trajectory that its schedule refers to. */
export interface CoordinatedMember {
  /** Name of the robot, unique. */
  readonly name: string;
  /** Prefix of the names of its links: empty, or its name and a slash. */
  readonly prefix: string;
  /** The robot, with its pose in the world. */
  readonly model: RobotModel;
  /** Its trajectory as given: the certificate states its hash. */
  readonly trajectory: Trajectory;
}

/** Relative to the longest time: cells larger by this are proved, so that rounded times may be off by half of it. */
const SLACK = 2 ** -40;

/**
 * Verifies that a certificate proves a coordination collision-free: each trajectory by itself; every free cell, for
 * each pair of parts of two robots; and that the schedules run from start to end at a pace between 0 and 1 within free
 * cells, also if one robot is late by what `delay` tolerates. Undecided cells, and those that are said to be in
 * collision, are not judged: no schedule crosses them. Bounds and kinematics are independent of those of `coordinate`.
 * @param scene without its other robots, which are `members`: obstacles at rest, objects attached to any robot
 * @param interrupt ends the verification, which then has not proved the certificate
 * @throws InputError for joints that are not those of the robot
 */
export function verifyCoordination(
  certificate: CoordinationCertificate,
  members: readonly CoordinatedMember[],
  scene: CertifiedScene,
  record: CoordinationRecord,
  interrupt: Interrupt = never,
): VerifyResult {
  const names = members.map(({ name }) => name);
  const count =
    certificate.robots.reduce((sum, { pairs }) => sum + spanCount(pairs), 0) +
    certificate.diagrams.reduce((sum, { pairs }) => sum + pairs.reduce((all, pair) => all + pair.cells.length, 0), 0);
  const motions = members.map(({ model, trajectory }) =>
    inJointOrder(
      trajectory,
      model.variables.map((joint) => joint.name),
    ),
  );
  const problems = certificateProblems(certificate, members, motions);
  if (scene.steps !== undefined) problems.push('the scene is a program: schedules would change when its steps happen');
  if (problems.length > 0) return refused(problems, count);
  const durations = motions.map(endOf);
  problems.push(...recordProblems(record, names, durations));
  if (problems.length > 0) return refused(problems, count);

  const world = createWorld(members, motions, scene);
  const padding = Math.max(0, scene.padding);
  let leastGap = Number.POSITIVE_INFINITY;
  for (const [i, { pairs }] of certificate.robots.entries()) {
    const interval = { from: 0, to: durations[i] };
    const prover = new PlaneProver(world.robot, alone(world.members, i), padding);
    const result = verifyRequiredPairs(pairs, world.requiredOf(i, i), world.parts, prover, interval, interrupt);
    if (!result.proved)
      return refused(
        result.problems.map((problem) => `${names[i]}: ${problem}`),
        count,
      );
    leastGap = Math.min(leastGap, prover.minGap);
  }
  const slack = SLACK * Math.max(record.makespan!, ...durations);
  const prover = new CellPlaneProver(world.robot, world.members, padding);
  for (const [i, j] of pairsOf(names)) {
    const proof = certificate.diagrams.find(({ a, b }) => a === names[i] && b === names[j])!;
    const { free } = record.diagrams.find(({ a, b }) => a === names[i] && b === names[j])!;
    const required = world.requiredOf(i, j);
    const diagram = { free, durations: [durations[i], durations[j]], required, slack } as const;
    prover.select(i, j);
    problems.push(
      ...diagramProblems(proof.pairs, diagram, world.parts, prover, interrupt).map(
        (problem) => `${names[i]} and ${names[j]}: ${problem}`,
      ),
    );
    if (problems.length === 0) problems.push(...coverProblems(record, free, [names[i], names[j]], slack));
    if (problems.length > 0) return refused(problems, count);
  }
  const violated = constraintProblems(members[0], motions[0], scene, interrupt);
  if (violated.length > 0) return refused(violated, count);
  leastGap = Math.min(leastGap, prover.minGap);
  return {
    proved: true,
    problems,
    spans: count,
    leastGap: leastGap === Number.POSITIVE_INFINITY ? undefined : leastGap,
  };
}

/**
 * Returns the path constraints of the scene that the trajectory of its own robot is not proved to satisfy. Schedules
 * run it at most at its own pace, so that limits of speed hold along them, too.
 */
function constraintProblems(
  { name, model }: CoordinatedMember,
  motion: Trajectory,
  { constraints = [], tcp }: CertifiedScene,
  interrupt: Interrupt,
): string[] {
  if (constraints.length === 0) return [];
  const prover = new ConstraintProver(model, motionPieces(motion), isTimed(motion), tcp, interrupt);
  return prover.problems(constraints).map((problem) => `${name}: ${problem}`);
}

/** Returns all pairs of indices, i before j. */
const pairsOf = (names: readonly string[]): [number, number][] =>
  names.flatMap((_, i) => names.slice(i + 1).map((_, k): [number, number] => [i, i + 1 + k]));

/** All robots as one tree, and the pairs of parts that must be apart. */
interface World {
  readonly robot: RobotModel;
  readonly members: readonly CellMember[];
  readonly parts: readonly CertifiedPart[];
  /** The checked pairs of parts of two robots; of one robot (i = j) those with itself and the obstacles. */
  requiredOf(i: number, j: number): readonly RequiredPair[];
}

function createWorld(
  members: readonly CoordinatedMember[],
  motions: readonly Trajectory[],
  scene: CertifiedScene,
): World {
  const robot = compositeRobot('all robots', members);
  const parts = certifiedParts(robot, scene);
  let [firstLink, firstVariable] = [1, 0]; // link 0 is the root of all
  const placed = members.map(({ model }, i): CellMember => {
    const member = { model, pieces: motionPieces(motions[i]), firstLink, firstVariable };
    firstLink += model.links.length;
    firstVariable += model.dof;
    return member;
  });
  const memberOf = ({ link }: CertifiedPart) => placed.findLastIndex((member) => member.firstLink <= link);
  const byMembers = new Map<string, RequiredPair[]>();
  for (const [a, b] of checkedPairs(robot, scene, parts)) {
    const [i, j] = [memberOf(a), b.link < 0 ? memberOf(a) : memberOf(b)].sort((one, other) => one - other);
    const key = `${i} ${j}`;
    byMembers.set(key, [...(byMembers.get(key) ?? []), [a, b]]);
  }
  return { robot, members: placed, parts, requiredOf: (i, j) => byMembers.get(`${i} ${j}`) ?? [] };
}

/** Returns the pieces of the motion of one robot while the others rest at the start. */
const alone = (members: readonly CellMember[], moving: number): MotionPiece[] =>
  members[moving].pieces.map(({ start, end }, k) =>
    combinedPiece(
      start,
      end,
      members.map(({ pieces, model }, i) =>
        i === moving
          ? pieces[k]
          : restingPiece(
              start,
              end,
              Array.from({ length: model.dof }, (_, j) => pieces[0].coefficients[6 * j]),
            ),
      ),
    ),
  );

/** Returns the problems of lists of names: there must be one entry per robot, in order. */
const listProblems = (what: string, found: readonly string[], names: readonly string[]): string[] =>
  found.length === names.length && names.every((name, i) => found[i] === name)
    ? []
    : [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(names)}`];

/** Returns the problems of the certificate as a whole: it must be that of these trajectories, and of all pairs. */
function certificateProblems(
  { robots, diagrams }: CoordinationCertificate,
  members: readonly CoordinatedMember[],
  motions: readonly Trajectory[],
): string[] {
  const names = members.map(({ name }) => name);
  return [
    ...listProblems(
      'robots of the certificate',
      robots.map(({ robot }) => robot),
      names,
    ),
    ...diagramNames('diagrams of the certificate', diagrams, names),
    ...robots.slice(0, members.length).flatMap(({ robot: _, ...stated }, i) => {
      const { trajectory, name } = members[i];
      const found = bindingProblems({ format: CERTIFICATE_FORMAT, ...stated }, motions[i], trajectory);
      if (!isTimed(motions[i])) found.push('the trajectory has no times');
      const event = sceneEventFault(trajectory);
      if (event !== undefined) found.push(event);
      return found.map((problem) => `${name}: ${problem}`);
    }),
  ];
}

/** Returns the problems of a list of diagrams: there must be one for each pair of robots. */
const diagramNames = (
  what: string,
  diagrams: readonly { readonly a: string; readonly b: string }[],
  names: readonly string[],
): string[] =>
  listProblems(
    what,
    diagrams.map(({ a, b }) => `${a} and ${b}`),
    pairsOf(names).map(([i, j]) => `${names[i]} and ${names[j]}`),
  );

/** Returns the problems of the schedules and delays of a coordination by themselves. */
function recordProblems(
  { robots, diagrams, schedule, makespan, delay }: CoordinationRecord,
  names: readonly string[],
  durations: readonly number[],
): string[] {
  const problems = [
    ...listProblems('robots of the coordination', robots, names),
    ...diagramNames('pairs of the coordination', diagrams, names),
  ];
  if (problems.length > 0) return problems;
  if (schedule.length === 0 || makespan === null) return ['the coordination has no schedule'];
  const robotsOf = (curves: readonly RecordCurve[]) => curves.map(({ robot }) => robot);
  problems.push(...listProblems('schedules', robotsOf(schedule), names));
  problems.push(...listProblems('delays', robotsOf(delay), names));
  if (problems.length > 0) return problems;
  for (const [i, name] of names.entries()) {
    const own = paceProblems(schedule[i].points, durations[i]).map((problem) => `schedule of ${name}: ${problem}`);
    problems.push(...own, ...delayProblems(delay[i].points).map((problem) => `delay of ${name}: ${problem}`));
  }
  const last = Math.max(...schedule.map(({ points }) => points.at(-1)?.[0] ?? 0));
  if (makespan !== last) problems.push(`the makespan is ${makespan}, the last schedule ends at ${last}`);
  return problems;
}

/** Returns the problems of the schedules of two robots in their free cells, on time and with either of them late. */
function coverProblems(
  { schedule, delay }: CoordinationRecord,
  free: readonly RecordCell[],
  names: readonly [string, string],
  slack: number,
): string[] {
  const curve = (curves: readonly RecordCurve[], name: string) => curves.find(({ robot }) => robot === name)!.points;
  return [names, names.toReversed()].flatMap(([late, other], k) => {
    const on = { late: curve(schedule, late), other: curve(schedule, other), free, isFirst: k === 0, slack };
    const outside = timeOutsideFree({ ...on, delay: [[0, 0]] });
    if (outside !== undefined)
      return k > 0 ? [] : [`${late} and ${other}: the schedules leave the free cells at ${outside}`];
    const lateAt = timeOutsideFree({ ...on, delay: curve(delay, late) });
    return lateAt === undefined ? [] : [`delay of ${late}: not tolerated with ${other} at ${lateAt}`];
  });
}
