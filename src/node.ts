/**
 * `elbowroom/node`: what needs a file system. Loads robots and scenes with their meshes, and writes files whole or not at all; everything
 * else is in `elbowroom`, which a browser can load too.
 */
export type { LoadedScene } from './node/files.ts';
export { builtInRobots, loadProblems, loadRobot, loadScene, readContent, readText, writeWhole } from './node/files.ts';
