/**
 * `elbowroom/client`: the client of a service (docs/serve.md), and its connection by WebSocket for browsers;
 * `elbowroom/node` connects by all transports.
 */

export type { ServiceTrajectory } from './formats/schemas/planningMessages.ts';
export type {
  MethodName as ServiceMethod,
  Params as ServiceParams,
  ServiceResults,
} from './formats/schemas/serviceMessages.ts';
export { connectWebSocket } from './host/client/connectWebSocket.ts';
export type { CallOptions } from './host/client/requests.ts';
export type * from './host/client/results.ts';
export type { Motions, ServicePoints, States } from './host/client/rows.ts';
export type { ServiceClient } from './host/client/serviceClient.ts';
export type { ServiceGate } from './host/client/serviceGate.ts';
export { ServiceError } from './host/client/transport.ts';
