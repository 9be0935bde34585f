import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { MethodName } from '../../formats/schemas/serviceMessages.ts';
import type { ServiceGateAnswer, ServiceGateState } from './gateResults.ts';
import type {
  ServiceCertifiedUntil,
  ServiceCheck,
  ServiceClearance,
  ServiceDescription,
  ServiceIkResult,
  ServiceMotionAnswer,
  ServicePlan,
  ServiceRecertification,
  ServiceRepair,
  ServiceScene,
  ServiceStateAnswer,
  ServiceVerification,
  ServiceWatch,
} from './results.ts';

/** Poses of links for one state. */
export interface ServiceLinkPoses {
  /** Poses in the world by the name of the link. */
  readonly links: Readonly<Record<string, Pose>>;
}

/** Validity of one item, or of a list. */
export interface ServiceValidity {
  /** A list for a list. */
  readonly valid: boolean | readonly boolean[];
}

/** Results about each item of a list. */
export interface ServiceAnswers<T> {
  /** One for each item, in order. */
  readonly answers: readonly T[];
}

/** Forces and energy of a state: N m, N, kg m/s, J. */
export interface ServiceDynamics {
  /** Torques of the planned joints. */
  readonly torques: readonly number[];
  /** Torques that hold the robot at rest in the state. */
  readonly gravity: readonly number[];
  /** Rows of the mass matrix, on request. */
  readonly mass_matrix?: readonly (readonly number[])[];
  /** In the world; the angular momentum about its origin. */
  readonly momentum: { readonly linear: readonly number[]; readonly angular: readonly number[] };
  /** Of all moving links, loads and rotors. */
  readonly kinetic_energy: number;
}

/** Result of each method of the service. */
export interface ServiceResults extends Record<MethodName, unknown> {
  /** Robot, scene and limits. */
  readonly describe: ServiceDescription;
  /** Validity of states; with `details` also why. */
  readonly validate: ServiceValidity | ServiceStateAnswer | ServiceAnswers<ServiceStateAnswer>;
  /** Validity of motions; with `details` also why. */
  readonly validate_motion: ServiceValidity | ServiceMotionAnswer | ServiceAnswers<ServiceMotionAnswer>;
  /** Minimum distances. */
  readonly clearance: ServiceClearance | ServiceAnswers<ServiceClearance>;
  /** Poses of links. */
  readonly fk: ServiceLinkPoses | ServiceAnswers<ServiceLinkPoses>;
  /** Joint values of a pose. */
  readonly ik: ServiceIkResult;
  /** Forces and energy of states. */
  readonly dynamics: ServiceDynamics | ServiceAnswers<ServiceDynamics>;
  /** Quantities of pairs, as the lines of the command `query`. */
  readonly query: ServiceAnswers<Readonly<Record<string, unknown>>>;
  /** Objects after the change. */
  readonly 'scene.move': ServiceScene;
  /** Objects after the change. */
  readonly 'scene.add': ServiceScene;
  /** Objects after the change. */
  readonly 'scene.remove': ServiceScene;
  /** Objects after the change. */
  readonly 'scene.attach': ServiceScene;
  /** Objects after the change. */
  readonly 'scene.detach': ServiceScene;
  /** Objects after the change. */
  readonly 'scene.reset': ServiceScene;
  /** Plan of a motion or a program. */
  readonly plan: ServicePlan;
  /** Verdict about a trajectory. */
  readonly check: ServiceCheck;
  /** Verdict about a certificate. */
  readonly verify: ServiceVerification;
  /** Repaired trajectory. */
  readonly repair: ServiceRepair;
  /** Certificate in the current scene. */
  readonly recertify: ServiceRecertification;
  /** Watch of a motion. */
  readonly watch: ServiceWatch;
  /** How far the motion is proved. */
  readonly 'watch.advance': ServiceCertifiedUntil;
  /** Nothing. */
  readonly 'watch.end': Readonly<Record<string, never>>;
  /** A gate, and warnings about the limits of the robot. */
  readonly 'gate.open': { readonly gate: number; readonly warnings?: readonly string[] };
  /** Verdict on a proposal. */
  readonly 'gate.propose': ServiceGateAnswer;
  /** Verdict on the committed motion. */
  readonly 'gate.tick': ServiceGateAnswer;
  /** The committed motion. */
  readonly 'gate.state': ServiceGateState;
  /** Nothing. */
  readonly 'gate.close': Readonly<Record<string, never>>;
}
