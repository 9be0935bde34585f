export { type Packages, readMeshFile } from './meshFiles.ts';
export { readText, writeWhole } from './readFiles.ts';
export { builtInRobots, loadRobot, type RobotFiles } from './robots.ts';
