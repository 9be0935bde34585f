import { AtomicFile } from './atomicFile.ts';

export { type Packages, readMeshFile } from './meshFiles.ts';
export { readContent, readInputText, readText } from './readFiles.ts';
export { builtInRobots, loadRobot, type RobotFiles } from './robots.ts';
export { type LoadedScene, loadProblems, loadScene, loadUnsettledScene, type SceneOptions } from './scenes.ts';

/** Writes a file atomically (completely or not at all) and creates missing parent folders. */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const whole = new AtomicFile(file);
  await whole.write(content);
  whole.commit();
}
