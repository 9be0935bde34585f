import { MotionBounds } from '../../core/collision/bounds/motionBounds.ts';
import { CollisionModel } from '../../core/collision/model/collisionModel.ts';
import { PosedParts } from '../../core/collision/model/posedParts.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver, type MotionVerdict } from '../../core/collision/motions/motionProver.ts';
import type { PairSlack } from '../../core/collision/motions/pairSlack.ts';
import { firstUncertified } from '../../core/collision/proofs/proverPool.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { never } from '../../core/math/interrupt.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { createCloudShape, createShape } from '../../core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../core/shapes/shape.ts';
import { createSceneWorld, type SceneWorld } from '../../core/world/sceneWorld.ts';
import { InputError } from '../../errors.ts';
import type { SceneChange } from '../../formats/streams/gateMessages.ts';
import { proofDefaults } from '../checking/proofLimits.ts';
import { curveMotions, isAlone, worldMotionsWithin } from '../checking/worldMotions.ts';
import type { CubicCurve, Knot } from './cubicCurve.ts';
import { differenceOf, type SeenAt, sceneAfter } from './gateScene.ts';

/** Contact of a pair, or a pair that is not proved separated. */
export interface GateContact {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Seconds. */
  readonly time: number;
  /** Upper bound on the relative speed of the two at that time, m/s. */
  readonly speed: number;
}

/** Pairs of names, as keys: a set of them, or a map from them. */
export type PairKeys = Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>;

/** Returns the key of a pair of names. */
export const pairKey = (pair: readonly [string, string]): string => JSON.stringify(pair);

/** Result of a proof; `over`: the work was used up. */
export type WorldVerdict = 'certified' | 'over' | GateContact;

/** A motion that is not certified; without a verdict, the work was used up. */
interface Failed {
  readonly motion: Motion;
  readonly verdict: MotionVerdict | undefined;
}

/** Relative: rounding of a slack. */
const ROUNDING = 1e-12;

/** Throws `InputError` for a tracking or an unknown speed that is no number of at least 0: NaN would count as 0. */
function requireSpeeds({ tracking = 0, obstacles }: Scene): void {
  if (!(tracking >= 0)) throw new InputError(`tracking is ${tracking}`, 'Give a number of at least 0, in metres.');
  const wrong = obstacles.findIndex(({ unknownSpeed = 0 }) => !(unknownSpeed >= 0));
  if (wrong < 0) return;
  const place = `obstacles[${wrong}]: the unknown speed of "${obstacles[wrong].name}"`;
  throw new InputError(`${place} is ${obstacles[wrong].unknownSpeed}`, 'Give a number of at least 0, in m/s.');
}

/** The world of a gate as it was seen last, and the proof of motions in it. */
export class GateWorld {
  /** Incremented by each change. */
  generation = 0;
  /** Pair checks, and halved intervals of rates and torques, that proofs may still use. */
  checksLeft = Number.POSITIVE_INFINITY;
  private readonly original: Scene;
  private readonly shapes = new WeakMap<ShapeSpec, ConvexShape>();
  private readonly seen = new Map<string, number>();
  /**
   * Pieces of motions that were certified with all pairs since the last message or change, by their first and last
   * point: parts of a proposal are tried that begin with the same pieces. Replaced, not cleared: once V8 has moved a
   * map to its old generation, each cleared table keeps the next one alive until V8 collects that generation.
   */
  private proved = new Map<Knot, Knot>();
  /** What was seen last. */
  world: SceneWorld<Scene>;
  private model: CollisionModel;
  private posed: PosedParts;
  private prover: MotionProver;
  /** Of the moving arm, and of the arm at rest. */
  private slack: PairSlack | undefined;
  private slackAtRest: PairSlack | undefined;

  constructor(
    readonly robot: RobotModel,
    scene: Scene,
  ) {
    requireSpeeds(scene);
    this.original = scene;
    this.world = createSceneWorld(robot, scene);
    ({ model: this.model, posed: this.posed, prover: this.prover } = this.prepared(this.world));
    this.updateSlack();
  }

  /** Begins a message: proofs may use so many pair checks, and motions may differ from those of earlier ones. */
  begin(budget: number): void {
    this.checksLeft = budget;
    this.proved = new Map();
  }

  get scene(): Scene {
    return this.world.given;
  }

  /** True if verdicts depend on the time at which a path is followed. */
  get dependsOnTime(): boolean {
    return !isAlone(this.world) || (this.slack?.rate ?? 0) > 0;
  }

  /** Returns the scene after changes. Throws `InputError` if one is not possible. */
  after(changes: readonly SceneChange[], at: SeenAt): Scene {
    return changes.reduce((scene, change) => sceneAfter(this.robot, this.original, scene, change, at), this.scene);
  }

  /**
   * Replaces the scene by one that differs in its objects, allowed pairs and clearances, as seen at a time, and returns
   * the names of links and objects of which pairs changed. Throws `InputError`, and changes nothing, if it
   * cannot be checked.
   */
  see(scene: Scene, now: number): Set<string> {
    const { seen, ruled, isMoved } = differenceOf(this.scene, scene);
    requireSpeeds(scene);
    const moved = isMoved ? this.indicesOf(seen) : undefined;
    const world = createSceneWorld(this.robot, scene, this.world);
    if (moved) {
      this.model.replaceScene(world.scene, moved);
      this.posed.followModel(moved);
    } else ({ model: this.model, posed: this.posed, prover: this.prover } = this.prepared(world));
    this.world = world;
    this.generation++;
    this.proved = new Map();
    for (const name of seen) this.seen.set(name, now);
    this.updateSlack();
    return new Set([...seen, ...ruled]);
  }

  /** Names of all links and objects that are checked. */
  get names(): Set<string> {
    return new Set([...this.model.robotParts, ...this.model.obstacleParts].map(({ name }) => name));
  }

  /** Returns the pairs of which a name is in one list, and which are not in the other. */
  pairsOf(names: ReadonlySet<string>, except: PairKeys): number[] {
    const { model } = this;
    const isNamed = [...model.robotParts, ...model.obstacleParts].map(({ name }) => names.has(name));
    const { pairA, pairB } = model;
    const pairs: number[] = [];
    for (let pair = 0; pair < model.pairCount; pair++)
      if (
        (isNamed[pairA[pair]] || isNamed[pairB[pair]]) &&
        !(except.size > 0 && except.has(pairKey(model.namesOf(pair))))
      )
        pairs.push(pair);
    return pairs;
  }

  /** Returns all pairs but some; undefined: all. */
  pairsBut(except: PairKeys): number[] | undefined {
    const { model } = this;
    if (except.size === 0) return undefined;
    const all = Array.from({ length: model.pairCount }, (_, pair) => pair);
    return all.filter((pair) => !except.has(pairKey(model.namesOf(pair))));
  }

  /**
   * Proves that a motion is free of collisions from a time on, and the arm at rest after its end until everything else
   * is at rest. While it moves, obstacles of unknown speed may approach.
   * @param pairs those that are checked; default: all
   */
  prove(motion: CubicCurve, from: number, pairs?: readonly number[]): WorldVerdict {
    const failed = this.proveStages(motion, from, pairs, false);
    return failed === undefined ? 'certified' : this.verdictOf(failed, pairs);
  }

  /** As `prove` with all pairs, but begins with the end of the motion, and finds no contact. */
  isFree(motion: CubicCurve, from: number): boolean {
    return this.proveStages(motion, from, undefined, true) === undefined;
  }

  /**
   * Proves the pieces of a motion, and then the arm at rest. Returns what failed; undefined if all was proved. Pieces
   * that were proved before are skipped.
   */
  private proveStages(
    { curve, knots }: CubicCurve,
    from: number,
    pairs: readonly number[] | undefined,
    isReversed: boolean,
  ): Failed | undefined {
    const { prover, world, proved } = this;
    const own = curveMotions(curve);
    const rest = Math.max(from, curve.end);
    const end = Math.max(rest, world.end);
    const isKept = pairs === undefined && isAlone(world);
    prover.clearCaches();
    prover.slack = this.slack;
    const moving = from < curve.end ? [...worldMotionsWithin(own, world, from, curve.end)] : [];
    for (const motion of isReversed ? moving.reverse() : moving) {
      const k = curve.pieceAt(motion.start);
      if (isKept && proved.get(knots[k]) === knots[k + 1]) continue;
      const failed = this.proveMotion(motion, pairs);
      if (failed) return failed;
      if (isKept && motion.start === curve.times[k]) proved.set(knots[k], knots[k + 1]);
    }
    if (from < curve.end && end === rest) return undefined;
    prover.slack = this.slackAtRest;
    for (const motion of worldMotionsWithin(own, world, rest, end)) {
      const failed = this.proveMotion(motion, pairs);
      if (failed) return failed;
    }
    return undefined;
  }

  /** Proves a motion. Returns undefined if it is certified. */
  private proveMotion(motion: Motion, pairs: readonly number[] | undefined): Failed | undefined {
    const { prover } = this;
    this.checksLeft--;
    let verdict = prover.begin(motion, undefined, pairs);
    if (verdict === undefined && this.checksLeft > 0) {
      verdict = prover.proceed(this.checksLeft);
      this.checksLeft = prover.checksLeft;
    }
    return verdict === 'certified' ? undefined : { motion, verdict };
  }

  /** Finds the first contact of the motion that the prover has just refused, unless the budget ended the proof. */
  private verdictOf({ motion, verdict }: Failed, pairs: readonly number[] | undefined): WorldVerdict {
    if (verdict === undefined) return 'over';
    const { pair, time } = firstUncertified(this.prover, motion, verdict, never, pairs);
    const bounds = new MotionBounds(this.posed);
    bounds.evaluateInterval(motion, { start: time, end: time });
    return { pair: this.model.namesOf(pair), time, speed: bounds.speed(pair) };
  }

  private prepared(world: SceneWorld<Scene>) {
    const { shapes } = this;
    const shapeOf = (spec: ShapeSpec, create: (spec: ShapeSpec) => ConvexShape = createShape) => {
      const shape = shapes.get(spec) ?? create(spec);
      shapes.set(spec, shape);
      return shape;
    };
    for (const { parts } of world.scene.obstacles)
      for (const { shape, balls } of parts) if (balls) shapeOf(shape, createCloudShape);
    const model = new CollisionModel(world.robot, world.scene, (spec) => shapeOf(spec));
    const posed = new PosedParts(model);
    return { model, posed, prover: new MotionProver(posed, proofDefaults) };
  }

  /** Returns the indices of obstacles at rest in the model; undefined if a name is not one of them. */
  private indicesOf(names: ReadonlySet<string>): Set<number> | undefined {
    const { obstacles } = this.model.scene;
    const indices = [...names].map((name) => obstacles.findIndex((one) => one.name === name));
    return indices.includes(-1) ? undefined : new Set(indices);
  }

  private updateSlack(): void {
    const { model, seen, scene } = this;
    const { tracking = 0, obstacles } = scene;
    const speeds = new Map(obstacles.map(({ name, unknownSpeed = 0 }) => [name, unknownSpeed]));
    this.slack = undefined;
    this.slackAtRest = undefined;
    if (tracking === 0 && obstacles.every(({ unknownSpeed = 0 }) => unknownSpeed === 0)) return;
    const parts = [...model.robotParts, ...model.obstacleParts].map(({ name }) => ({
      speed: speeds.get(name) ?? 0,
      since: seen.get(name) ?? 0,
      isOther: model.robot.others?.has(name) === true,
    }));
    const count = model.pairCount;
    const [speed, since, still] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    for (let pair = 0; pair < count; pair++) {
      const b = parts[model.pairB[pair]];
      speed[pair] = b.speed;
      since[pair] = b.since;
      still[pair] = model.isSelfPair(pair) && !b.isOther ? 2 * tracking : tracking;
    }
    const rate = speed.reduce((most, value) => Math.max(most, value), 0);
    const first = since.reduce((least, t, pair) => (speed[pair] > 0 ? Math.min(least, t) : least), Number.MAX_VALUE);
    this.slackAtRest = tracking > 0 ? { rate: 0, at: (pair) => still[pair], most: () => 2 * tracking } : undefined;
    const at = (pair: number, t: number) =>
      still[pair] + (1 + ROUNDING) * speed[pair] * Math.max(0, t - since[pair] + ROUNDING);
    const most = (t: number) => 2 * tracking + (1 + ROUNDING) * rate * Math.max(0, t - first + ROUNDING);
    this.slack = rate > 0 ? { rate, at, most } : this.slackAtRest;
  }
}
