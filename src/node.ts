/**
 * `elbowroom/node`: the functions that need a file system. Loads robots and scenes with their meshes, and writes files
 * atomically; everything else is in `elbowroom`, which browsers can load as well.
 */

// Files: robots, scenes, texts.

export type { SceneData, SceneScript, SceneTools } from './experiments/sceneScript.ts';
export {
  builtInRobots,
  type LoadedScene,
  loadProblems,
  loadRobot,
  loadScene,
  type RobotFiles,
  readContent,
  readText,
  type SceneOptions,
  writeAtomically,
} from './node/files.ts';

export type { Packages } from './node/meshFiles.ts';

// Plans on other threads: suites, and races of seeds.

export { PlanThreads } from './node/planThreads.ts';

// The service: validity checking for other programs, in this process, and its client.

export * from './client/clientExports.ts';
export { type ClientOptions, connectService, startService } from './service/client.ts';
export type { StartOptions } from './service/clients/processTransport.ts';
export { type HttpOptions, listenOnHttp } from './service/http.ts';
export type { Lane } from './service/scheduler.ts';
export { Service, type ServiceOptions } from './service/service.ts';
export { type ServiceLimits, serviceLimits } from './service/serviceLimits.ts';
export type { Session } from './service/session.ts';
export { type Listening, listenOnSocket } from './service/socket.ts';
