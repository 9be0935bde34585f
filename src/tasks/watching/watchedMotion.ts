import type { Certificate } from '../../core/certificate/certificate.ts';
import { verifyCertificate } from '../../core/certificate/verify.ts';
import type { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { type Motion, MotionInterval } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { firstUncertified, proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { derived } from '../../core/math/derived.ts';
import { type Interrupt, never } from '../../core/math/interrupt.ts';
import { withoutStart } from '../../core/scene/configurationOf.ts';
import { requireSingleMotion } from '../../core/scene/program.ts';
import type { AttachedObject, CollisionObject, Obstacle, Scene } from '../../core/scene/scene.ts';
import { createShape } from '../../core/shapes/index.ts';
import { coveredMotion, executedMotion, type StartState } from '../../core/trajectory/leadIn/leadIn.ts';
import { inJointOrder, isTimed, requireNoSceneEvents, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { proofDefaults } from '../checking/proofLimits.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { worldMotions } from '../checking/worldMotions.ts';
import { refuseForces } from '../forces/torqueCheck.ts';
import { World } from '../world.ts';
import { startedMotionFaults } from './startedMotion.ts';

/** How far a motion is proved from the current time on. */
export interface CertifiedUntil {
  /** Proved collision-free until then, seconds; null: to its end. */
  readonly until: number | null;
  /** The pair that is not proved separated at that time. */
  readonly pair?: readonly [string, string];
  /** Violated limits and constraints, one line each: nothing is proved then. */
  readonly faults?: readonly string[];
}

/**
 * A motion that is being executed while the scene changes. Stores for each pair of parts the time until which it is
 * proved separated. After a change of the scene, only the pairs of changed objects and those that were not proved are
 * checked again. Where something else moves, times are those of the scene, and the proof extends until all is at rest.
 */
export class WatchedMotion {
  private readonly trajectory: Trajectory;
  private readonly hasLeadIn: boolean;
  private readonly curve: TrajectoryCurve;
  private readonly shapeOf = derived(createShape);
  /** Returns the pairs of a scene that are not checked. */
  readonly unchecked = derived((scene: Scene) => uncheckedPairs(this.robot, scene));
  private proofs: PairProofs | undefined;
  private faults: readonly string[] | undefined;
  private now = 0;

  /**
   * @param place prefix of messages
   * @param start where the robot is at rest at time 0; undefined: at the first point, where it may move
   * @throws InputError for joints that are not the robot's, for paths without times, and for events of programs
   */
  constructor(
    private readonly robot: RobotModel,
    private readonly given: Trajectory,
    place = 'trajectory',
    private readonly start?: StartState,
  ) {
    const names = robot.variables.map(({ name }) => name);
    requireNoSceneEvents(given, place);
    const trajectory = inJointOrder(given, names, place);
    if (!isTimed(given)) throw new InputError(`${place}: a path without times cannot be executed`, 'Give it times.');
    const covered = coveredMotion(trajectory, start);
    if ('problem' in covered) this.faults = [covered.problem];
    this.trajectory = executedMotion(trajectory, start);
    this.hasLeadIn = this.trajectory !== trajectory;
    this.curve = new TrajectoryCurve(this.trajectory);
  }

  /** Advances the execution to a time, seconds; earlier times are ignored. */
  advance(time: number): void {
    this.now = Math.max(this.now, time);
  }

  /**
   * Proves the rest of the motion in a scene with the robot, the padding and the constraints of the scenes before.
   * @param certificate of this motion, for a scene in which nothing is proved yet: it is verified, and ignored unless
   *   it is a proof
   * @param interrupt ends the proof; the result is then the time proved so far
   * @throws InputError for a scene that is a program
   */
  certify(scene: Scene, certificate?: Certificate, interrupt: Interrupt = never): CertifiedUntil {
    requireSingleMotion(scene, 'watch');
    refuseForces(scene, 'watch');
    this.faults ??= describeFaults({
      faults: startedMotionFaults(this.robot, scene, this.hasLeadIn)(this.trajectory),
      collision: undefined,
      unresolved: undefined,
      duration: this.curve.end,
    });
    if (this.faults.length > 0) return { until: Math.min(this.now, this.curve.end), faults: this.faults };
    const before = this.proofs;
    if (before?.scene !== scene) this.proofs = this.proofsIn(scene, before);
    const { proofs } = this;
    const isNew = before === undefined && certificate !== undefined;
    const certified = this.start === undefined ? withoutStart(scene) : scene;
    if (isNew && verifyCertificate(certificate, this.robot, certified, this.given, interrupt).proved)
      proofs!.until.fill(proofs!.motions[proofs!.motions.length - 1].end);
    return this.prove(proofs!, interrupt);
  }

  private proofsIn(scene: Scene, before: PairProofs | undefined): PairProofs {
    const world = new World(this.robot, scene, { shapeOf: this.shapeOf }, before?.world.tree);
    const { model, tree } = world;
    const prover = new MotionProver(world.manager.posed, proofDefaults);
    const until = new Float64Array(model.pairCount).fill(Number.NEGATIVE_INFINITY);
    if (before && hasSameRobots(before.scene, scene)) keepUnchanged(until, { scene, model }, before);
    const motions = before?.world.tree.robot === tree.robot ? before.motions : worldMotions(this.curve, tree);
    return { scene, world, model, prover, motions, until };
  }

  /** Proves the open pairs piece by piece from the current time on. */
  private prove({ model, prover, motions, until }: PairProofs, interrupt: Interrupt): CertifiedUntil {
    const last = motions.length - 1;
    const now = Math.min(Math.max(this.now, motions[0].start), motions[last].end);
    prover.clearCaches();
    for (const [k, motion] of motions.entries()) {
      if (motion.end <= now && k < last) continue;
      const open = pairsBefore(until, motion.end);
      if (open.length === 0) continue;
      const from = Math.max(motion.start, now);
      const rest = new MotionInterval(motion, from, motion.end);
      const verdict = proveUnlessInterrupted(prover, rest, interrupt, undefined, open);
      if (verdict === undefined) return { until: from };
      const contact = verdict === 'certified' ? undefined : firstUncertified(prover, rest, verdict, interrupt, open);
      // A contact at `from` proves nothing, not even that instant: `from` may be the end.
      const proved = !contact ? motion.end : contact.until > from ? contact.until : Number.NEGATIVE_INFINITY;
      for (const pair of open) until[pair] = Math.max(until[pair], proved);
      if (!contact) continue;
      if (proved > from) return { until: proved, pair: model.namesOf(contact.pair) };
      // Everything is proved from the current time to `from`; if both are equal, the robot is in contact already.
      return { until: from > now ? from : Math.min(this.now, from), pair: model.namesOf(contact.pair) };
    }
    return { until: null };
  }
}

/** The checked pairs of a scene, and until when each is proved: from the current time on without a gap. */
interface PairProofs {
  readonly scene: Scene;
  readonly world: World;
  /** Motions of the whole world, piece by piece. */
  readonly motions: readonly Motion[];
  readonly model: CollisionModel;
  readonly prover: MotionProver;
  readonly until: Float64Array;
}

type SceneObject = CollisionObject & Partial<Pick<Obstacle, 'motion'> & Pick<AttachedObject, 'link'>>;

function pairsBefore(until: Float64Array, end: number): number[] {
  const open: number[] = [];
  for (let pair = 0; pair < until.length; pair++) if (!(until[pair] >= end)) open.push(pair);
  return open;
}

/** Copies the proofs of pairs whose objects are the same in both scenes, at the same place, on the same link. */
function keepUnchanged(
  until: Float64Array,
  { scene, model }: Pick<PairProofs, 'scene' | 'model'>,
  before: PairProofs,
): void {
  const old = before.model;
  const isSame = unchangedObjects(before.scene, scene);
  const count = old.robotParts.length + old.obstacleParts.length;
  const known = new Map<string, number>();
  for (let part = 0; part < count; part++) known.set(keyOf(old, part), part);
  const proved = new Map<number, number>();
  for (let pair = 0; pair < old.pairCount; pair++)
    proved.set(old.pairA[pair] * count + old.pairB[pair], before.until[pair]);
  const oldPart = Array.from({ length: model.robotParts.length + model.obstacleParts.length }, (_, part) =>
    isSame(model.partOf(part).name) ? known.get(keyOf(model, part)) : undefined,
  );
  for (let pair = 0; pair < model.pairCount; pair++) {
    const [a, b] = [oldPart[model.pairA[pair]], oldPart[model.pairB[pair]]];
    if (a !== undefined && b !== undefined) until[pair] = proved.get(a * count + b) ?? until[pair];
  }
}

/** Distinguishes the parts of a model: an attached object may have the name of an obstacle of another scene. */
function keyOf(model: CollisionModel, part: number): string {
  const one = model.partOf(part);
  const { name, part: index } = one;
  const partner = 'clearOf' in one ? ` clear of ${one.clearOf}` : '';
  return `${part < model.robotParts.length ? 'robot' : 'obstacle'} ${index} ${name}${partner}`;
}

function hasSameRobots({ robots: before = [] }: Scene, { robots: now = [] }: Scene): boolean {
  return before.length === now.length && now.every((robot, i) => robot === before[i]);
}

/** Returns a predicate of names: true for links, and for objects that are the same in both scenes. */
function unchangedObjects(before: Scene, now: Scene): (name: string) => boolean {
  const changed = new Set<string>();
  for (const kind of ['obstacles', 'attached'] as const) {
    const known = new Map<string, SceneObject>(before[kind].map((body) => [body.name, body]));
    for (const body of now[kind]) if (!isSameObject(known.get(body.name), body)) changed.add(body.name);
  }
  return (name) => !changed.has(name);
}

function isSameObject(before: SceneObject | undefined, object: SceneObject): boolean {
  if (before === object) return true;
  if (!before) return false;
  const { parts: now, ...place } = object;
  const { parts, ...placeBefore } = before;
  const isSamePlace = JSON.stringify(placeKey(placeBefore)) === JSON.stringify(placeKey(place));
  return isSamePlace && hasSameParts(parts, now);
}

/** Compares parts one by one: clouds have many, and another cloud differs in the first. */
function hasSameParts(parts: CollisionObject['parts'], now: CollisionObject['parts']): boolean {
  if (parts === now) return true;
  return parts.length === now.length && parts.every((part, i) => JSON.stringify(part) === JSON.stringify(now[i]));
}

/** Key of the pose of an object. Touch links are not part of it: they only select the checked pairs. */
const placeKey = ({ name, pose, link, motion }: Omit<SceneObject, 'parts'>) => [
  name,
  pose.xyz,
  pose.quat_wxyz,
  link ?? null,
  motion ?? null,
];
