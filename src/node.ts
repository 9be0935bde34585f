/**
 * `elbowroom/node`: the functions that need a file system. Loads robots and scenes with their meshes, and writes files
 * atomically; everything else is in `elbowroom`, which browsers can load as well.
 */

// Files: robots, scenes, texts.

export type { SceneData, SceneScript, SceneTools } from './host/experiments/sceneScript.ts';
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
} from './host/node/files.ts';

export type { Packages } from './host/node/meshFiles.ts';

// Plans on other threads: suites, and races of seeds.

export { PlanThreads } from './host/node/planThreads.ts';

// The service: validity checking for other programs, in this process; connections to it (`elbowroom/client`).

export { type ClientOptions, connectService, startService } from './host/service/connectService.ts';
export { type HttpOptions, listenOnHttp } from './host/service/http.ts';
export { Service, type ServiceOptions } from './host/service/service.ts';
export { type ServiceLimits, serviceLimits } from './host/service/serviceLimits.ts';
export type { ClientSession } from './host/service/session/clientSession.ts';
export { type Listening, listenOnSocket } from './host/service/socket.ts';
export type { StartOptions } from './host/service/transports/processTransport.ts';
export type { Lane } from './host/service/turns.ts';
