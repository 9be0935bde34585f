import type { CollisionModel } from '../../../core/collision/model/collisionModel.ts';
import { BOX_SIZE, PosedParts } from '../../../core/collision/model/posedParts.ts';
import type { RoadmapData } from '../../../core/planning/planner.ts';
import { requiredDistance } from '../../../core/scene/clearances.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { createSceneRobot, type Problem } from '../../sceneRobot.ts';
import { BOX_UNIT } from './edgeBoxes.ts';
import { type MotionLibrary, obstacleHashes, requireLibraryScene, robotHash } from './libraryFile.ts';

/** The roadmap of a library in a scene: edges that survive are free, all others are checked when they are used. */
export interface SceneLibrary {
  readonly roadmap: RoadmapData;
  /** Number of edges that the stored boxes prove valid in the scene, and of those that they do not. */
  readonly kept: number;
  readonly dropped: number;
}

/** An obstacle part that the library does not know: its world box, and the objects that are checked against it. */
interface NewPart {
  readonly box: Float64Array;
  readonly required: readonly (number | undefined)[];
}

/**
 * Returns the roadmap of a library for a scene. All edges are certified against the obstacles that the scene has had
 * then; an edge survives if its boxes are apart from the boxes of all other obstacles by the required distance. Throws
 * `InputError` for another robot.
 * @param model of the scene
 */
export function sceneLibrary(
  library: MotionLibrary,
  file: string,
  problem: Problem,
  model: CollisionModel,
): SceneLibrary {
  const { scene } = problem;
  requireLibraryScene(scene);
  const robot = createSceneRobot(problem);
  const joints = robot.variables.map(({ name }) => name);
  if (library.joint_names.join('\n') !== joints.join('\n'))
    throw new InputError(
      `${file}: the library is of the joints ${library.joint_names.join(', ')}`,
      `The robot of ${scene.name} has ${joints.join(', ')}.`,
    );
  if (library.robot_hash !== robotHash(robot, scene))
    throw new InputError(
      `${file}: the library is of another robot, or of other attached objects, padding or allowed pairs`,
      'Build one for this scene; only obstacles, start and goal may differ.',
    );
  const fresh = newParts(library, model, scene);
  const [free, unchecked]: [number, number][][] = [[], []];
  for (const [i, edge] of library.edges.entries())
    (survives(library.boxes[i], library.objects.length, fresh) ? free : unchecked).push([edge[0], edge[1]]);
  const roadmap = { dof: joints.length, points: library.points, free, unchecked };
  return { roadmap, kept: free.length, dropped: unchecked.length };
}

/** Returns the parts of the obstacles that the library does not know as they are. */
function newParts({ obstacles, objects }: MotionLibrary, model: CollisionModel, scene: Scene): NewPart[] {
  const hashes = obstacleHashes(scene);
  const posed = new PosedParts(model);
  const { robotParts, obstacleParts } = model;
  return obstacleParts.flatMap(({ name }, o) => {
    if (obstacles[name] === hashes[name]) return [];
    const at = BOX_SIZE * (robotParts.length + o);
    const isChecked = (object: string) =>
      robotParts.some((part, i) => part.name === object && model.obstaclePair[i * obstacleParts.length + o] >= 0);
    const required = objects.map((object) => (isChecked(object) ? requiredDistance(scene, object, name) : undefined));
    return [{ box: posed.boxes.slice(at, at + BOX_SIZE), required }];
  });
}

/** Returns true if the boxes of an edge are apart from all parts. */
function survives(boxes: readonly number[], objects: number, parts: readonly NewPart[]): boolean {
  for (const { box, required } of parts)
    for (let at = 0, object = 0; at < boxes.length; at += 6, object = (object + 1) % objects) {
      const distance = required[object];
      if (distance === undefined) continue;
      let apart = false;
      for (let k = 0; k < 3 && !apart; k++) {
        const [low, high] = [BOX_UNIT * boxes[at + k], BOX_UNIT * boxes[at + 3 + k]];
        apart = low - box[k + 3] > distance || box[k] - high > distance;
      }
      if (!apart) return false;
    }
  return true;
}
