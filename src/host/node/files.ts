export { writeAtomically } from './atomicFile.ts';
export { type Packages, readMeshFile } from './meshFiles.ts';
export { readContent, readInputText, readText } from './readFiles.ts';
export { builtInRobots, loadRobot, type RobotFiles } from './robots.ts';
export { type LoadedScene, loadProblems, loadScene, loadUnsettledScene, type SceneOptions } from './scenes.ts';
