import { CERTIFICATE_FORMAT, type Certificate, type CertificatePair } from '../../certificate/certificate.ts';
import { type BodyPart, bodyParts } from '../../certificate/convexParts.ts';
import { motionPieces, reachedPositions } from '../../certificate/motionPieces.ts';
import { obstacleRoom, type Room } from '../../certificate/obstacleRoom.ts';
import { PlaneProver } from '../../certificate/planeProver.ts';
import { endOf, spanProblems, verifyCertificate } from '../../certificate/verify.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import { PosedBodies } from '../../collision/posedBodies.ts';
import type { MotionLimits, Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../trajectory/trajectoryHash.ts';
import { type MotionFault, motionFaults } from '../../trajectory/trajectoryLimits.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { certifiable, saidInterpolation } from './certifyTrajectory.ts';
import { type Encounter, proofDefaults } from './checkTrajectory.ts';
import { curveMotions } from './curveMotions.ts';
import { SpanRecorder } from './spanRecorder.ts';
import { type CertifiedWorld, unchangedPairs } from './unchangedPairs.ts';

/** `collision` and `unresolved` come before `out-of-limits`: they are told first where several hold. */
export type RecertifyStatus = 'proved' | 'collision' | 'unresolved' | 'out-of-limits';

/** What became of the pairs of parts that may not touch. */
export interface PairCounts {
  /** The same as before: their old planes are taken unseen. */
  readonly unchanged: number;
  /** Their old planes still hold: shown anew. */
  readonly kept: number;
  /** Their old planes hold no longer, or there are none; new ones were found. */
  readonly renewed: number;
  /** No longer proved apart. */
  readonly lost: number;
}

/** A pair that is no longer proved apart: found in collision at that moment, or neither proved nor refuted there. */
export interface LostPair extends Encounter {
  readonly status: 'collision' | 'unresolved';
}

/** What is left of the proof of one motion. */
export interface RecertifyAnswer {
  readonly status: RecertifyStatus;
  readonly pairs: PairCounts;
  /** Each two bodies of lost pairs once, in the order of time. */
  readonly lost: readonly LostPair[];
  /** Limits that the motion breaks: no matter of the scene, but no motion to run either. */
  readonly faults: readonly MotionFault[];
  /** The whole proof, of old planes and new ones; undefined where a pair is lost. */
  readonly certificate: Certificate | undefined;
  /** Of each obstacle, by name; undefined where no proof is left, or nobody asked. */
  readonly room: Readonly<Record<string, Room>> | undefined;
}

export interface RecertifyOptions {
  /** The scene that old certificates were made for: pairs that are the same in both are not looked at. */
  readonly before?: CertifiedWorld | undefined;
  /** How far each obstacle may move: takes about as long as to verify the certificate. */
  readonly room: boolean;
  /** The certificate is to be written: it is verified as a whole first, and made anew if old planes that were believed do not hold. */
  readonly verified?: boolean;
}

export const recertifyDefaults: RecertifyOptions = { room: true };

/** Goes through motions with a scene that may have changed: what is still proved, with which planes, and what is not. */
export class Recertifier {
  private readonly model: CollisionModel;
  private readonly prover: MotionProver;
  private readonly limits: MotionLimits;
  private readonly names: readonly string[];
  private readonly parts: ReadonlyMap<string, BodyPart>;
  private readonly options: RecertifyOptions;
  private readonly isUnchanged: (a: BodyPart, b: BodyPart) => boolean;

  constructor(
    private readonly world: CertifiedWorld,
    given: Partial<RecertifyOptions> = {},
  ) {
    const { robot, scene } = world;
    this.options = { ...recertifyDefaults, ...given };
    const { before } = this.options;
    this.model = new CollisionModel(robot, scene);
    this.prover = new MotionProver(new PosedBodies(this.model), proofDefaults);
    this.limits = motionLimitsOf(robot);
    this.names = robot.variables.map((joint) => joint.name);
    this.parts = new Map(bodyParts(robot, scene).map((part) => [partKey(part.body, part.part), part]));
    this.isUnchanged = before ? unchangedPairs(before, world) : () => false;
  }

  /**
   * @param old a certificate of the motion, if there is one: it must be known to hold where the scene before was given, and is believed
   *   nothing otherwise. That of another motion is as good as none.
   * @param place what errors begin with
   * @throws InputError for joints that are not the robot's, and motions that no certificate can speak of
   */
  recertify(given: Trajectory, old?: Certificate, place?: string): RecertifyAnswer {
    const answer = this.renewed(given, old, place);
    const { robot, scene } = this.world;
    const isToBelieve = (one: RecertifyAnswer) =>
      !this.options.verified || !one.certificate || verifyCertificate(one.certificate, robot, scene, given).proved;
    if (isToBelieve(answer)) return answer;
    const anew = this.renewed(given, undefined, place);
    return isToBelieve(anew) ? anew : { ...anew, status: 'unresolved', certificate: undefined, room: undefined };
  }

  private renewed(given: Trajectory, old: Certificate | undefined, place: string | undefined): RecertifyAnswer {
    const { model, options } = this;
    const trajectory = certifiable(given, this.names, place);
    const pieces = motionPieces(trajectory);
    this.prover.forget();
    this.prover.reckonWith(reachedPositions(pieces, this.names.length));
    const hash = trajectoryHash(given);
    const end = endOf(trajectory);
    const planes = new PlaneProver(this.world.robot, pieces, Math.max(0, this.world.scene.padding));
    const said = saidInterpolation(given);
    const isOfIt = old?.trajectory === hash && old.duration === end && old.interpolation === said.interpolation;
    const proofs = this.oldProofs(isOfIt ? old : undefined, end, planes);
    const open = proofs.found.flatMap((proof, pair) => (proof ? [] : [pair]));
    const lost = this.prove(new TrajectoryCurve(trajectory), open, proofs.found);
    const faults = motionFaults(trajectory, this.limits);
    const whole = lost.length === 0 ? (proofs.found as CertificatePair[]) : undefined;
    return {
      status: statusOf(lost, faults),
      pairs: {
        unchanged: proofs.unchanged,
        kept: model.pairCount - open.length - proofs.unchanged,
        renewed: open.length - lost.length,
        lost: lost.length,
      },
      lost: lost.filter((one, i) => lost.findIndex((other) => sameBodies(one, other)) === i),
      faults,
      certificate: whole && { format: CERTIFICATE_FORMAT, trajectory: hash, ...said, duration: end, pairs: whole },
      room: whole && options.room ? this.roomOf(whole, planes) : undefined,
    };
  }

  /** Of each pair the old proof where it still is one: of unchanged pairs unseen, of others after every plane was tried. */
  private oldProofs(old: Certificate | undefined, end: number, planes: PlaneProver) {
    const { model } = this;
    const known = new Map(old?.pairs.map((pair) => [pairKey(pair.a, pair.partA, pair.b, pair.partB), pair]));
    let unchanged = 0;
    const found = Array.from({ length: model.pairCount }, (_, pair) => {
      const a = model.moving[model.pairA[pair]];
      const b = model.bodyOf(model.pairB[pair]);
      const proof =
        known.get(pairKey(a.name, a.part, b.name, b.part)) ?? known.get(pairKey(b.name, b.part, a.name, a.part));
      if (!proof || spanProblems(proof.spans, end).length > 0) return undefined;
      const [first, second] = this.partsOf(proof);
      if (first.link < 0) return undefined; // an obstacle comes second, or no plane of it means anything
      if (this.isUnchanged(first, second)) {
        unchanged++;
        return proof;
      }
      planes.setPair(first, second);
      const holds = proof.spans.every(([from, to, ...n]) => planes.provesSpan(from, to, Float64Array.from(n)));
      return holds ? proof : undefined;
    });
    return { found, unchanged };
  }

  /** Proves the pairs that are `open`, puts their proofs into `proofs`, and returns those that cannot be proved. */
  private prove(curve: TrajectoryCurve, open: readonly number[], proofs: (CertificatePair | undefined)[]): LostPair[] {
    const { model, prover } = this;
    const recorder = new SpanRecorder(model);
    const lost: LostPair[] = [];
    let left = open;
    for (const motion of curveMotions(curve)) {
      while (left.length > 0) {
        const verdict = prover.prove(motion, recorder, left);
        if (verdict === 'certified') break;
        lost.push({ pair: model.namesOf(prover.pair), time: prover.time, status: verdict });
        left = left.filter((pair) => pair !== prover.pair);
      }
    }
    for (const pair of left) proofs[pair] = recorder.pair(pair, curve.start, curve.end);
    return lost.sort((one, other) => one.time - other.time);
  }

  private roomOf(pairs: readonly CertificatePair[], planes: PlaneProver): Record<string, Room> {
    const parted = pairs.map((pair) => {
      const [a, b] = this.partsOf(pair);
      return { a, b, spans: pair.spans };
    });
    return Object.fromEntries(
      this.world.scene.obstacles.map(({ name }) => {
        const own = parted.filter(({ b }) => b.body === name);
        return [name, obstacleRoom(planes, own)];
      }),
    );
  }

  private partsOf({ a, partA, b, partB }: CertificatePair): [BodyPart, BodyPart] {
    return [this.parts.get(partKey(a, partA))!, this.parts.get(partKey(b, partB))!];
  }
}

function statusOf(lost: readonly LostPair[], faults: readonly MotionFault[]): RecertifyStatus {
  if (lost.length > 0) return lost.some(({ status }) => status === 'collision') ? 'collision' : 'unresolved';
  return faults.length > 0 ? 'out-of-limits' : 'proved';
}

const sameBodies = (one: LostPair, other: LostPair) =>
  one.status === other.status && one.pair[0] === other.pair[0] && one.pair[1] === other.pair[1];

const partKey = (body: string, part: number) => `${part} ${body}`;

const pairKey = (a: string, partA: number, b: string, partB: number) =>
  JSON.stringify([partKey(a, partA), partKey(b, partB)]);
