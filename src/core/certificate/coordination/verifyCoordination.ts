import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { startStateOf } from '../../scene/configurationOf.ts';
import { isForceConstraint } from '../../scene/constraints.ts';
import { kindOf } from '../../scene/movingScene.ts';
import { restsBefore } from '../../trajectory/leadIn/leadIn.ts';
import { inJointOrder, isTimed, sceneEventFault, type Trajectory } from '../../trajectory/trajectory.ts';
import { CERTIFICATE_FORMAT } from '../certificate.ts';
import { ConstraintProver } from '../constraints/constraintProver.ts';
import type { CertifiedScene } from '../convexParts.ts';
import { motionPieces } from '../motionPieces.ts';
import { PlaneProver } from '../planeProver.ts';
import { bindingProblems, endOf } from '../verify.ts';
import { refused, spanCount, type VerifyResult, verifyRequiredPairs } from '../verifyPairs.ts';
import type { CoordinationCertificate } from './cellCertificate.ts';
import { CellPlaneProver } from './cellPlaneProver.ts';
import type { CoordinationRecord, DiagramCell, RecordCurve } from './coordinationRecord.ts';
import { aloneIn, type CoordinationWorld, createCoordinationWorld } from './coordinationWorld.ts';
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
  const count = spansOf(certificate);
  const motions = members.map(({ model, trajectory }) =>
    inJointOrder(
      trajectory,
      model.variables.map((joint) => joint.name),
    ),
  );
  const stated = certificateProblems(certificate, members, motions);
  if (members.length > 0 && !restsBefore(motions[0], startStateOf(members[0].model, scene)))
    stated.push(`${names[0]}: the motion from the start of the scene to its first point is not proved`);
  if (kindOf(scene) === 'program') stated.push('the scene is a program: schedules would change when its steps happen');
  if ((scene.clearances ?? []).length > 0)
    stated.push('the scene has clearances of pairs, which diagrams do not prove');
  if (scene.torque !== undefined || scene.constraints?.some(isForceConstraint))
    stated.push('the scene limits torques, momentum or power, which coordination does not prove');
  if (stated.length > 0) return refused(stated, count);
  const durations = motions.map(endOf);
  const recorded = recordProblems(record, names, durations);
  if (recorded.length > 0) return refused(recorded, count);

  const world = createCoordinationWorld(members, motions, scene);
  const claim = { certificate, record, names, durations, world, padding: Math.max(0, scene.padding), interrupt };
  const own = verifyMembers(claim);
  if (own.problems.length > 0) return refused(own.problems, count);
  const between = verifyDiagrams(claim);
  if (between.problems.length > 0) return refused(between.problems, count);
  const violated = constraintProblems(members[0], motions[0], scene, interrupt);
  if (violated.length > 0) return refused(violated, count);
  const leastGap = Math.min(own.minGap, between.minGap);
  return {
    proved: true,
    problems: [],
    spans: count,
    leastGap: leastGap === Number.POSITIVE_INFINITY ? undefined : leastGap,
  };
}

/** Returns the number of spans and cells that a certificate states. */
const spansOf = ({ robots, diagrams }: CoordinationCertificate): number =>
  robots.reduce((sum, { pairs }) => sum + spanCount(pairs), 0) +
  diagrams.reduce((sum, { pairs }) => sum + pairs.reduce((all, pair) => all + pair.cells.length, 0), 0);

/** A coordination with its certificate, both consistent, and what they are verified with. */
interface Claim {
  readonly certificate: CoordinationCertificate;
  readonly record: CoordinationRecord;
  /** Names of the robots. */
  readonly names: readonly string[];
  /** Durations of their trajectories, seconds. */
  readonly durations: readonly number[];
  readonly world: CoordinationWorld;
  /** Metres, at least 0. */
  readonly padding: number;
  readonly interrupt: Interrupt;
}

/** What is not proved of a part of a claim, and the least gap that is proved, metres. */
interface PartialResult {
  readonly problems: readonly string[];
  readonly minGap: number;
}

/** Verifies each trajectory by itself, up to the first that is not proved. */
function verifyMembers({ certificate, names, durations, world, padding, interrupt }: Claim): PartialResult {
  let minGap = Number.POSITIVE_INFINITY;
  for (const [i, { pairs }] of certificate.robots.entries()) {
    const interval = { from: 0, to: durations[i] };
    const prover = new PlaneProver(world.robot, aloneIn(world.members, i), { padding });
    const result = verifyRequiredPairs(pairs, world.requiredOf(i, i), world.parts, prover, interval, interrupt);
    minGap = Math.min(minGap, prover.minGap);
    if (!result.proved) return { problems: result.problems.map((problem) => `${names[i]}: ${problem}`), minGap };
  }
  return { problems: [], minGap };
}

/** Verifies the cells and the schedules of each pair of robots, up to the first pair that is not proved. */
function verifyDiagrams(claim: Claim): PartialResult {
  const { certificate, record, names, durations, world, padding, interrupt } = claim;
  const slack = SLACK * Math.max(record.makespan!, ...durations);
  const prover = new CellPlaneProver(world.robot, world.members, padding);
  for (const [i, j] of pairsOf(names)) {
    const isPair = ({ a, b }: { readonly a: string; readonly b: string }) => a === names[i] && b === names[j];
    const { pairs } = certificate.diagrams.find(isPair)!;
    const { free } = record.diagrams.find(isPair)!;
    const required = world.requiredOf(i, j);
    const diagram = { free, durations: [durations[i], durations[j]], required, slack } as const;
    prover.select(i, j);
    const unproved = diagramProblems(pairs, diagram, world.parts, prover, interrupt);
    const problems =
      unproved.length > 0
        ? unproved.map((problem) => `${names[i]} and ${names[j]}: ${problem}`)
        : coverProblems(record, free, [names[i], names[j]], slack);
    if (problems.length > 0) return { problems, minGap: prover.minGap };
  }
  return { problems: [], minGap: prover.minGap };
}

/**
 * Returns the path constraints of the scene that the trajectory of its own robot is not proved to satisfy. Schedules
 * run it at most at its own pace, so that limits of speed hold along them, too.
 */
function constraintProblems(
  { name, model }: CoordinatedMember,
  motion: Trajectory,
  scene: CertifiedScene,
  interrupt: Interrupt,
): string[] {
  const { constraints = [] } = scene;
  if (constraints.length === 0) return [];
  const prover = new ConstraintProver(model, motionPieces(motion), isTimed(motion), scene, interrupt);
  return prover.problems(constraints).map((problem) => `${name}: ${problem}`);
}

/** Returns all pairs of indices, i before j. */
const pairsOf = (names: readonly string[]): [number, number][] =>
  names.flatMap((_, i) => names.slice(i + 1).map((_, k): [number, number] => [i, i + 1 + k]));

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
  free: readonly DiagramCell[],
  names: readonly [string, string],
  slack: number,
): string[] {
  const curve = (curves: readonly RecordCurve[], name: string) => curves.find(({ robot }) => robot === name)!.points;
  const onTime = (late: string, other: string) =>
    ({ late: curve(schedule, late), other: curve(schedule, other), free, isFirst: late === names[0], slack }) as const;
  const outside = timeOutsideFree({ ...onTime(...names), delay: [[0, 0]] });
  if (outside !== undefined) return [`${names.join(' and ')}: the schedules leave the free cells at ${outside}`];
  return [names, [names[1], names[0]] as const].flatMap(([late, other]) => {
    const lateAt = timeOutsideFree({ ...onTime(late, other), delay: curve(delay, late) });
    return lateAt === undefined ? [] : [`delay of ${late}: not tolerated with ${other} at ${lateAt}`];
  });
}
