import { CERTIFICATE_FORMAT, type Certificate, type CertificatePair } from '../../core/certificate/certificate.ts';
import { type CertifiedPart, type CertifiedScene, certifiedParts } from '../../core/certificate/convexParts.ts';
import { reachedPositions } from '../../core/certificate/motionPieces.ts';
import { obstacleRoom, type Room } from '../../core/certificate/obstacleRoom.ts';
import { PlaneProver } from '../../core/certificate/planeProver.ts';
import { type SeparatedPair, spanFailures } from '../../core/certificate/spanProofs.ts';
import { endOf, verifyCertificate } from '../../core/certificate/verify.ts';
import { namedParts, partKey, spanProblems } from '../../core/certificate/verifyPairs.ts';
import { worldPieces } from '../../core/certificate/worldPieces.ts';
import type { Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { firstUncertified } from '../../core/collision/proofs/proverPool.ts';
import { never } from '../../core/math/interrupt.ts';
import { startStateOf, withoutStart } from '../../core/scene/configurationOf.ts';
import { requireSingleMotion } from '../../core/scene/program.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import { coveredMotion, executedMotion } from '../../core/trajectory/leadIn/leadIn.ts';
import { requireNoSceneEvents, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../core/trajectory/trajectoryHash.ts';
import { InputError } from '../../errors.ts';
import { refuseForces } from '../forces/torqueCheck.ts';
import { World } from '../world.ts';
import { requireCertifiable, statedInterpolation } from './certifyTrajectory.ts';
import type { CheckResult, TimedPair } from './checkResult.ts';
import { createFaultCheck } from './checkTrajectory.ts';
import { type ContactInterval, followedContact } from './contactInterval.ts';
import { proofDefaults } from './proofLimits.ts';
import { MAX_SPANS, SpanRecorder } from './spanRecorder.ts';
import { beginsAlike, type CertifiedWorld, type PairPredicate, unchangedPairs } from './unchangedPairs.ts';
import { uncheckedPairs } from './uncheckedCount.ts';
import { requireTimes, worldMotions } from './worldMotions.ts';

/**
 * Status of a motion in the changed scene. If several apply, `collision` comes before `unresolved`, and both before
 * `out-of-limits`.
 */
export type RecertifyStatus = 'proved' | 'collision' | 'unresolved' | 'out-of-limits';

/** Counts of the checked pairs of convex parts by result. */
export interface PairCounts {
  /** Equal in both scenes: old planes are accepted without a check. */
  readonly unchanged: number;
  /** Old planes are proved again in the changed scene. */
  readonly kept: number;
  /** Old planes are missing or do not separate the pair any more; new ones were found. */
  readonly renewed: number;
  /** Not proved separated any more. */
  readonly lost: number;
}

/** A pair that is not proved separated any more: in collision from this time on, or unresolved there. */
export interface LostPair extends TimedPair {
  /** Whether the pair collides or is unresolved. */
  readonly status: 'collision' | 'unresolved';
}

/** Result of `Recertifier.recertify` for one motion. */
export interface RecertifyResult {
  /** Status of the motion. */
  readonly status: RecertifyStatus;
  /** Counts of the pairs by result. */
  readonly pairs: PairCounts;
  /** Lost pairs, each pair of collision objects once, in the order of time. */
  readonly lost: readonly LostPair[];
  /** The first contact of the first lost pair that collides. */
  readonly collision: ContactInterval | undefined;
  /** Violated limits and path constraints: such a motion must not be executed. */
  readonly faults: CheckResult['faults'];
  /** The complete certificate of old and new planes; undefined if a pair is lost. */
  readonly certificate: Certificate | undefined;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
  /** Room of each obstacle without a motion, by name; undefined without a certificate or the option `room`. */
  readonly room: Readonly<Record<string, Room>> | undefined;
}

/** Options of `Recertifier`. */
export interface RecertifyOptions {
  /** Scene of the old certificates: pairs that are equal in both scenes are not checked again. */
  readonly before?: CertifiedWorld | undefined;
  /** Computes how far each obstacle may move; takes about as long as verifying the certificate. */
  readonly room: boolean;
  /**
   * Verifies each complete certificate, and computes it without old planes if planes that were accepted without a check
   * do not hold. Set it if certificates are written.
   */
  readonly verified?: boolean;
  /**
   * Limit of the intervals of one proof. Once unresolved pairs have used up twice as many, the remaining pairs of a
   * motion are reported as unresolved without a proof: at absurd speeds each pair would use up its own limit.
   */
  readonly intervals: number;
  /** Limit of the spans that are recorded for one motion; pairs that are not proved until then are unresolved. */
  readonly spans: number;
}

/** Defaults of `RecertifyOptions`. */
const recertifyDefaults: RecertifyOptions = { room: true, intervals: proofDefaults.intervals, spans: MAX_SPANS };

/**
 * Certifies motions in a changed scene incrementally: reuses the planes of old certificates that still separate their
 * pairs.
 */
export class Recertifier {
  private readonly prover: MotionProver;
  private readonly checkFaults: ReturnType<typeof createFaultCheck>;
  private readonly names: readonly string[];
  private readonly parts: ReadonlyMap<string, CertifiedPart>;
  private readonly options: RecertifyOptions;
  private readonly isUnchanged: PairPredicate;
  private readonly world: World<CertifiedScene>;
  private readonly unchecked: UncheckedPairs;

  /** @throws InputError for a scene that is a program */
  constructor({ robot, scene }: CertifiedWorld, given: Partial<RecertifyOptions> = {}) {
    requireSingleMotion(scene, 'recertify');
    refuseForces(scene, 'recertify');
    this.options = { ...recertifyDefaults, ...given };
    const { before, intervals } = this.options;
    if (!(intervals >= 1)) throw new InputError(`intervals is ${intervals}`, 'Give a number of at least 1.');
    this.world = new World(robot, scene);
    const { manager, tree } = this.world;
    this.unchecked = uncheckedPairs(robot, scene);
    this.prover = new MotionProver(manager.posed, { ...proofDefaults, intervals });
    this.checkFaults = createFaultCheck(robot, scene);
    this.names = robot.variables.map((joint) => joint.name);
    this.parts = namedParts(certifiedParts(tree.robot, tree.scene));
    this.isUnchanged = before ? unchangedPairs(new World(before.robot, before.scene).tree, tree) : () => false;
  }

  /**
   * Certifies one motion.
   * @param old a certificate of the motion, if there is one. With the option `before`, it must be valid in that scene;
   *   without it, every plane is checked again. A certificate of another motion is ignored.
   * @param place prefix of error messages
   * @throws InputError for joints that are not the robot's, and for motions that a certificate cannot describe
   */
  recertify(given: Trajectory, old?: Certificate, place?: string): RecertifyResult {
    requireNoSceneEvents(given, place);
    const result = this.certify(given, old, place);
    const { robot } = this.world;
    const scene = { ...this.sceneOf(given), constraints: [] }; // violations are reported as faults
    const isVerified = (one: RecertifyResult) =>
      !this.options.verified || !one.certificate || verifyCertificate(one.certificate, robot, scene, given).proved;
    if (isVerified(result)) return result;
    const fresh = this.certify(given, undefined, place);
    return isVerified(fresh) ? fresh : { ...fresh, status: 'unresolved', certificate: undefined, room: undefined };
  }

  /** Returns the scene for a motion, which may begin anywhere; but the start is before a first point after time 0. */
  private sceneOf({ points }: Trajectory): CertifiedScene {
    const { scene } = this.world;
    return (points[0].time_from_start ?? 0) > 0 ? scene : withoutStart(scene);
  }

  /** Certifies one motion from old planes where they still hold and new ones elsewhere. */
  private certify(given: Trajectory, old: Certificate | undefined, place: string | undefined): RecertifyResult {
    const { options } = this;
    const { model, manager, tree } = this.world;
    const stated = requireCertifiable(given, this.names, place);
    const start = startStateOf(this.world.robot, this.sceneOf(given));
    const isUnknown = 'problem' in coveredMotion(stated, start);
    const trajectory = executedMotion(stated, start);
    requireTimes(trajectory, tree, place);
    const pieces = worldPieces(trajectory, tree);
    this.prover.clearCaches();
    this.prover.setMaxJointValues(reachedPositions(pieces, tree.robot.dof));
    const hash = trajectoryHash(given);
    const end = Math.max(endOf(trajectory), tree.end);
    const planes = new PlaneProver(tree.robot, pieces, tree.scene);
    const interpolation = statedInterpolation(given);
    const isOfMotion =
      old?.trajectory === hash && old.duration === end && old.interpolation === interpolation.interpolation;
    const isUnchanged = beginsAlike(options.before, stated, trajectory) ? this.isUnchanged : () => false;
    const proofs = this.oldProofs(isOfMotion ? old : undefined, end, planes, isUnchanged);
    const open = proofs.found.flatMap((proof, pair) => (proof ? [] : [pair]));
    const motions = worldMotions(new TrajectoryCurve(trajectory), tree);
    const lost = this.prove(motions, open, proofs.found);
    const hit = lost.find((one) => one.status === 'collision');
    const { faults } = this.checkFaults(trajectory);
    const complete =
      lost.length === 0 && !isUnknown ? model.certifiedPairs().map((pair) => proofs.found[pair]!) : undefined;
    return {
      status: isUnknown && lost.length === 0 ? 'unresolved' : statusOf(lost, faults),
      pairs: {
        unchanged: proofs.unchanged,
        kept: model.pairCount - open.length - proofs.unchanged,
        renewed: open.length - lost.length,
        lost: lost.length,
      },
      lost: lost.filter((one, i) => lost.findIndex((other) => isSamePair(one, other)) === i),
      collision: hit && followedContact(hit.pair, hit.time, [{ manager, motions }]),
      faults,
      certificate: complete && {
        format: CERTIFICATE_FORMAT,
        trajectory: hash,
        ...interpolation,
        duration: end,
        pairs: complete,
      },
      unchecked: this.unchecked,
      room: complete && options.room ? this.roomOf(complete, planes) : undefined,
    };
  }

  /**
   * Returns for each pair its old planes if they are still a proof: without a check for unchanged pairs, with a check
   * of every plane for others.
   */
  private oldProofs(old: Certificate | undefined, end: number, planes: PlaneProver, isUnchanged: PairPredicate) {
    const { model } = this.world;
    const known = new Map(old?.pairs.map((pair) => [pairKey(pair.a, pair.partA, pair.b, pair.partB), pair]));
    let unchanged = 0;
    const tried: (SeparatedPair & { readonly pair: number })[] = [];
    const found = Array.from({ length: model.pairCount }, (_, pair) => {
      const a = model.robotParts[model.pairA[pair]];
      const b = model.partOf(model.pairB[pair]);
      const proof =
        known.get(pairKey(a.name, a.part, b.name, b.part)) ?? known.get(pairKey(b.name, b.part, a.name, a.part));
      if (!proof || spanProblems(proof.spans, end).length > 0) return undefined;
      const [first, second] = this.partsOf(proof);
      if (first.link < 0) return undefined; // an obstacle must be second: its frame is that of the planes
      if (isUnchanged(first, second)) unchanged++;
      else tried.push({ a: first, b: second, spans: proof.spans, pair });
      return proof;
    });
    for (const { pair } of spanFailures(planes, tried, never)!.keys()) found[pair] = undefined;
    return { found, unchanged };
  }

  /** Proves the pairs of `open`, stores their proofs in `proofs`, and returns the pairs that cannot be proved. */
  private prove(
    motions: readonly Motion[],
    open: readonly number[],
    proofs: (CertificatePair | undefined)[],
  ): LostPair[] {
    const { prover } = this;
    const { model } = this.world;
    const recorder = new SpanRecorder(model, this.options.spans);
    const lost: LostPair[] = [];
    let left = open;
    let unresolved = 0; // intervals of proofs without a result
    for (const motion of motions) {
      while (left.length > 0) {
        const before = prover.intervals;
        const verdict = prover.prove(motion, recorder, left);
        if (verdict === 'certified') break;
        const { pair } = prover;
        const first = verdict === 'collision' ? firstUncertified(prover, motion, verdict, never, [pair]) : prover;
        lost.push({ pair: model.namesOf(pair), time: first.time, status: verdict });
        left = left.filter((one) => one !== pair);
        if (verdict === 'unresolved') unresolved += prover.intervals - before;
        if (unresolved <= 2 * this.options.intervals && !recorder.isFull) continue;
        lost.push(
          ...left.map((pair) => ({ pair: model.namesOf(pair), time: motion.start, status: 'unresolved' as const })),
        );
        left = [];
      }
    }
    const [start, end] = [motions[0].start, motions[motions.length - 1].end];
    for (const pair of left) {
      const proof = recorder.pair(pair, start, end);
      if (spanProblems(proof.spans, end).length === 0) proofs[pair] = proof;
      else lost.push({ pair: model.namesOf(pair), time: start, status: 'unresolved' });
    }
    return lost.sort((one, other) => one.time - other.time);
  }

  /** Computes the room of each static obstacle. Moving objects have none: their planes are fixed to moving frames. */
  private roomOf(pairs: readonly CertificatePair[], planes: PlaneProver): Record<string, Room> {
    const separated = pairs.map((pair) => {
      const [a, b] = this.partsOf(pair);
      return { a, b, spans: pair.spans };
    });
    return Object.fromEntries(
      this.world.tree.scene.obstacles.map(({ name }) => {
        const own = separated.filter(({ b }) => b.object === name);
        return [name, obstacleRoom(planes, own)];
      }),
    );
  }

  private partsOf({ a, partA, b, partB }: CertificatePair): [CertifiedPart, CertifiedPart] {
    return [this.parts.get(partKey(a, partA))!, this.parts.get(partKey(b, partB))!];
  }
}

function statusOf(lost: readonly LostPair[], faults: RecertifyResult['faults']): RecertifyStatus {
  if (lost.length > 0) return lost.some(({ status }) => status === 'collision') ? 'collision' : 'unresolved';
  return faults.length > 0 ? 'out-of-limits' : 'proved';
}

const isSamePair = (one: LostPair, other: LostPair) =>
  one.status === other.status && one.pair[0] === other.pair[0] && one.pair[1] === other.pair[1];

const pairKey = (a: string, partA: number, b: string, partB: number) =>
  JSON.stringify([partKey(a, partA), partKey(b, partB)]);
