/**
 * `elbowroom/node`: the functions that need a file system. Loads robots and scenes with their meshes, and writes files
 * atomically; everything else is in `elbowroom`, which browsers can load as well.
 */
export type { SceneData, SceneScript, SceneTools } from './experiments/sceneScript.ts';
export type { LoadedScene } from './node/files.ts';
export {
  builtInRobots,
  loadProblems,
  loadRobot,
  loadScene,
  readContent,
  readText,
  writeAtomically,
} from './node/files.ts';
// Plans on other threads: suites, and races of seeds.
export { PlanThreads } from './node/planThreads.ts';
// A service of validity, in this process, and its client.
export {
  type ClientOptions,
  connectService,
  type ServiceClearance,
  type ServiceClient,
  type ServiceDescription,
  ServiceError,
  type ServiceIkResult,
  type ServiceMotionAnswer,
  type ServicePoseGoal,
  type ServiceStateAnswer,
} from './service/client.ts';
export { type HttpOptions, listenOnHttp } from './service/http.ts';
export { Service, type ServiceOptions } from './service/service.ts';
export { type Listening, listenOnSocket } from './service/socket.ts';
