/**
 * `elbowroom/client`: the client of a service (docs/serve.md), and its connection by WebSocket for browsers;
 * `elbowroom/node` connects by all transports.
 */

export type { MethodName as ServiceMethod, Params as ServiceParams } from './formats/schemas/serviceMessages.ts';
export { connectWebSocket } from './host/client/connectWebSocket.ts';
export type {
  ServiceGateAnswer,
  ServiceGateMotion,
  ServiceGatePoint,
  ServiceGateState,
} from './host/client/gateResults.ts';
export type { CallOptions } from './host/client/requests.ts';
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
} from './host/client/results.ts';
export type {
  ServiceAnswers,
  ServiceDynamics,
  ServiceLinkPoses,
  ServiceResults,
  ServiceValidity,
} from './host/client/resultsByMethod.ts';
export type { Motions, ServicePoints, States } from './host/client/rows.ts';
export type { ServiceClient } from './host/client/serviceClient.ts';
export type { ServiceGate } from './host/client/serviceGate.ts';
export { ServiceError } from './host/client/transport.ts';
