/** What `elbowroom` and `elbowroom/node` both export of the client of a service. */

export type { MethodName as ServiceMethod, Params as ServiceParams } from '../../formats/schemas/serviceMessages.ts';
export type { CallOptions } from './requests.ts';
export type {
  ServiceCertifiedUntil,
  ServiceCheck,
  ServiceClearance,
  ServiceClearances,
  ServiceCloud,
  ServiceDescription,
  ServiceIkResult,
  ServiceMotionAnswer,
  ServicePlan,
  ServicePoseGoal,
  ServicePoses,
  ServiceProgress,
  ServiceRecertification,
  ServiceRepair,
  ServiceScene,
  ServiceStateAnswer,
  ServiceTrajectory,
  ServiceVerification,
  ServiceWatch,
  ServiceWatchReport,
} from './results.ts';
export type { ServiceAnswers, ServiceLinkPoses, ServiceResults, ServiceValidity } from './resultsByMethod.ts';
export type { Motions, ServicePoints, States } from './rows.ts';
export type { ServiceClient } from './serviceClient.ts';
export { ServiceError } from './transport.ts';
