import { firstIndex } from '../../math/firstIndex.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { SceneWorld } from '../../world/sceneWorld.ts';
import type { CertificatePair } from '../certificate.ts';
import { type CertifiedPart, certifiedParts, checkedPairs } from '../convexParts.ts';
import { type JointRates, jointRates, type MotionPiece } from '../motionPieces.ts';
import { PlaneProver } from '../planeProver.ts';
import { type RequiredPair, verifyRequiredPairs } from '../verifyPairs.ts';
import { piecesOfTracks, type Track, trackOf } from '../worldPieces.ts';
import { type BrakingPart, partAfter } from './brakingMotion.ts';
import type { StatedStop } from './stopForms.ts';

/** Seconds: later, a time has rounding errors of more than 1e-10 s. */
const LATEST = 1e-10 / Number.EPSILON;
/** Metres that pairs must be apart beyond what is required, for rounding errors of the times of a stop. */
const SLACK = 2e-10;

/** Relative rounding error of rates. */
const ROUNDING = 1e-9;

/**
 * Returns the terms of a position during stops along a motion with these terms: twice, since the time along the path is
 * rounded, too, by which the position changes by as much at most.
 */
export const stoppedTerms = (terms: number): number => 2 * terms;

/**
 * Proves that the robot touches nothing that moves by itself during the stops of an interval: they are along a path
 * that is collision-free, but later than the motion.
 */
export class StopPairProof {
  private prepared: PreparedPairs | undefined;

  /** @param claims for each stop, planes over its time */
  constructor(
    private readonly claims: readonly (readonly CertificatePair[])[] = [],
    private readonly world: SceneWorld,
    private readonly interrupt: Interrupt,
  ) {}

  /** Returns why the pairs are not proved separated until the robot is at rest; undefined if they are. */
  problem(k: number, { begin, parts }: StatedStop): string | undefined {
    const { claims, world, interrupt } = this;
    this.prepared ??= preparedPairs(world);
    const { parts: all, required, others } = this.prepared;
    if (required.length === 0)
      return claims[k]?.length ? 'it states planes, but nothing moves that the robot may touch' : undefined;
    if (parts.length > 0 && !(begin <= LATEST)) return `rounding errors of t = ${begin} are too large`;
    const own: BrakingPiece[] = [];
    for (let i = 0, since = 0; i < parts.length; ) {
      const { piece } = parts[i];
      const first = i;
      while (i < parts.length && parts[i].piece === piece) i++;
      const braking = parts.slice(first, i).map(({ part }) => part);
      const one = new BrakingPiece(begin, since, piece, braking);
      if (one.end > one.start) own.push(one);
      for (const { duration } of braking) since += duration;
    }
    if (own.length === 0) return undefined; // at rest
    const { end } = own[own.length - 1];
    const tracks = [{ trajectory: world.sources[0], pieces: own }, ...others];
    const prover = new StopPlaneProver(world.robot, piecesOfTracks(tracks, begin, end), world.scene);
    const pairs = (claims[k] ?? []).map((pair) => ({ ...pair, spans: until(end, pair.spans) }));
    const { problems } = verifyRequiredPairs(pairs, required, all, prover, { from: begin, to: end }, interrupt);
    return problems.length === 0 ? undefined : problems[0];
  }
}

/** What stops in a world are judged by: all parts, the pairs of the robot with what moves, and its motions. */
interface PreparedPairs {
  readonly parts: readonly CertifiedPart[];
  readonly required: readonly RequiredPair[];
  readonly others: readonly Track[];
}

function preparedPairs({ robot, scene, sources }: SceneWorld): PreparedPairs {
  if (sources.length === 0) return { parts: [], required: [], others: [] };
  const parts = certifiedParts(robot, scene);
  const isOther = ({ object }: CertifiedPart) => robot.others?.has(object) === true;
  const required = checkedPairs(robot, scene, parts).filter(([a, b]) => isOther(a) !== isOther(b));
  return { parts, required, others: sources.map(trackOf) };
}

/** Proves planes during a stop, whose times have rounding errors. */
class StopPlaneProver extends PlaneProver {
  override setPair(a: CertifiedPart, b: CertifiedPart): void {
    super.setPair(a, b);
    this.padding += SLACK;
  }
}

/** Returns spans, cut at a time: they may prove more. */
const until = (end: number, spans: CertificatePair['spans']): CertificatePair['spans'] =>
  spans.filter(([from]) => from <= end).map(([from, to, ...n]) => [from, Math.min(to, end), ...n]);

/**
 * The parts of a stop q(s(t)) along one piece q of the motion, over the time of the world. The pace s' is continuous,
 * so that a bound on the acceleration within each part is one across them.
 */
class BrakingPiece implements MotionPiece {
  readonly isQuintic = false;
  readonly coefficients = new Float64Array(0);
  /** Ends of the parts, seconds. */
  private readonly ends: number[] = [];

  readonly start: number;

  /** @param since seconds since the stop began: durations are summed from 0, where rounding errors are least */
  constructor(
    begin: number,
    since: number,
    private readonly piece: MotionPiece,
    private readonly braking: readonly BrakingPart[],
  ) {
    this.start = begin + since;
    let sum = since;
    for (const { duration } of braking) {
      sum += duration;
      this.ends.push(begin + sum);
    }
  }

  get end(): number {
    return this.ends[this.ends.length - 1];
  }

  get terms(): Float64Array {
    return this.piece.terms.map(stoppedTerms);
  }

  get rates(): Float64Array {
    return this.piece.rates;
  }

  /** With |q'| <= v and |q''| <= a on the range of s, s' <= p, |s''| <= u: |(q∘s)'| <= v p, |(q∘s)''| <= a p² + v u. */
  readonly ratesOver = (from: number, middle: number, to: number): JointRates => {
    const [first, at, last] = [from, middle, to].map((time) => this.stateAt(time));
    const { position, velocity, speed, acceleration } = jointRates(this.piece, first.from, at.from, last.from);
    const within = this.braking.slice(this.partAt(from), this.partAt(to) + 1);
    const steepest = Math.max(
      ...within.flatMap(({ rate, change, duration }) => [Math.abs(rate), Math.abs(rate + change * duration)]),
    );
    const pace = first.pace * (1 + ROUNDING);
    return {
      position,
      velocity: velocity.map((v) => v * at.pace),
      speed: speed.map((v) => v * pace),
      acceleration: acceleration.map((a, j) => (a * pace * pace + speed[j] * steepest) * (1 + ROUNDING)),
    };
  };

  /** Returns the state at a time: time of the motion, within the piece, and the pace. */
  private stateAt(time: number): BrakingPart {
    const { piece, braking, ends } = this;
    const k = this.partAt(time);
    const state = partAfter(braking[k], Math.max(0, time - (k === 0 ? this.start : ends[k - 1])));
    return { ...state, from: Math.min(piece.end, Math.max(piece.start, state.from)), pace: Math.max(0, state.pace) };
  }

  private partAt(time: number): number {
    return firstIndex(this.braking.length - 1, (k) => this.ends[k] >= time);
  }
}
