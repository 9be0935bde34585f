import { BOX_SIZE, type PosedParts } from '../../../core/collision/model/posedParts.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { sha256 } from '../../../core/math/sha256.ts';
import type { EdgeLibrary, LibraryStats } from '../../../core/planning/library.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';
import { Roadmap } from '../../../core/planning/roadmap.ts';
import { requiredDistance } from '../../../core/scene/clearances.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { BOX_UNIT } from './edgeBoxes.ts';
import { type MotionLibrary, obstacleTexts, requireLibraryScene, robotHash, robotRules } from './libraryFile.ts';

/**
 * A library in the form that queries use: create it once for any number of queries. Its parts are computed when they
 * are first used.
 */
export class PreparedLibrary {
  /** Boxes of all edges, `MotionLibrary.boxes`, edge by edge. */
  private readonly boxes: Int32Array;
  /** First number of each edge in `boxes`, and their number. */
  private readonly starts: Int32Array;
  /** Box around all boxes of an edge. */
  private readonly hulls: Int32Array;
  private roadmap: { readonly space: JointSpace; readonly roadmap: Roadmap } | undefined;
  /** Rules of pairs that were accepted, by robot, and texts of obstacles as built, by name. */
  private readonly accepted = new WeakMap<RobotModel, string>();
  private readonly asBuilt = new Map<string, string>();

  constructor(
    private readonly library: MotionLibrary,
    /** Name of its file, for messages. */
    private readonly file: string,
  ) {
    const { boxes } = library;
    this.starts = new Int32Array(boxes.length + 1);
    for (const [i, list] of boxes.entries()) this.starts[i + 1] = this.starts[i] + list.length;
    this.boxes = new Int32Array(this.starts[boxes.length]);
    this.hulls = new Int32Array(BOX_SIZE * boxes.length);
    for (const [i, list] of boxes.entries()) {
      this.boxes.set(list, this.starts[i]);
      for (let k = 0; k < BOX_SIZE; k++) {
        let most = list[k];
        for (let at = k; at < list.length; at += BOX_SIZE)
          most = k < 3 ? Math.min(most, list[at]) : Math.max(most, list[at]);
        this.hulls[BOX_SIZE * i + k] = most;
      }
    }
  }

  /**
   * Returns the library for one query of a scene. Throws `InputError` for another robot.
   * @param space of the query
   * @param posed its poses and boxes, with the obstacles where they are
   * @internal
   */
  inScene(scene: Scene, posed: PosedParts, space: JointSpace): SceneLibrary {
    const { library, boxes, starts, hulls } = this;
    requireLibraryScene(scene);
    this.requireRobot(posed.model.robot, scene);
    return new SceneLibrary(
      this.roadmapIn(space),
      { objects: library.objects, boxes, starts, hulls },
      this.changed(scene, posed),
    );
  }

  private requireRobot(robot: RobotModel, scene: Scene): void {
    const { library, file, accepted } = this;
    const rules = robotRules(scene);
    if (accepted.get(robot) === rules) return;
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
    accepted.set(robot, rules);
  }

  private roadmapIn(space: JointSpace): Roadmap {
    const { points, edges } = this.library;
    const isSame = (a?: Float64Array, b?: Float64Array) => a?.join() === b?.join();
    const known = this.roadmap?.space;
    if (!known || !isSame(known.weights, space.weights) || !isSame(known.halfTurns, space.halfTurns))
      this.roadmap = {
        space,
        roadmap: Roadmap.fromData({ dof: space.dof, points, free: [], unchecked: edges }, space),
      };
    return this.roadmap!.roadmap;
  }

  /** Returns the parts of the obstacles that the library does not know as they are. */
  private changed(scene: Scene, { boxes, model }: PosedParts): ChangedPart[] {
    const { library, asBuilt } = this;
    const { robotParts, obstacleParts, obstaclePair, partStart } = model;
    const found: ChangedPart[] = [];
    for (const [i, text] of obstacleTexts(scene).entries()) {
      const { name } = scene.obstacles[i];
      const built = asBuilt.get(name);
      if (built === text) continue;
      // Hashing takes longer than all else here: a text that differs from that of the known hash is not hashed.
      if (built === undefined && name in library.obstacles && library.obstacles[name] === sha256(text)) {
        asBuilt.set(name, text);
        continue;
      }
      for (let o = partStart[i]; o < partStart[i + 1]; o++) {
        const required = library.objects.map((object) =>
          robotParts.some((part, k) => part.name === object && obstaclePair[k * obstacleParts.length + o] >= 0)
            ? requiredDistance(scene, object, name)
            : Number.NEGATIVE_INFINITY,
        );
        const at = BOX_SIZE * (robotParts.length + o);
        found.push({ box: boxes.slice(at, at + BOX_SIZE), required, most: Math.max(...required) });
      }
    }
    return found;
  }
}

/** An obstacle part that the library does not know. */
interface ChangedPart {
  /** Its box in the world. */
  readonly box: Float64Array;
  /** Distance from each object of the library; negative infinity if the two are not checked. */
  readonly required: readonly number[];
  /** The greatest of them. */
  readonly most: number;
}

/** Boxes of the edges of a library, in units of `BOX_UNIT`; see `PreparedLibrary`. */
interface EdgeBoxLists {
  readonly objects: readonly string[];
  readonly boxes: Int32Array;
  readonly starts: Int32Array;
  readonly hulls: Int32Array;
}

/**
 * A library in one query. All of its edges are certified against the obstacles that the scene has had then; an edge is
 * kept if its boxes are apart from the boxes of all other obstacles by the required distance.
 */
export class SceneLibrary implements EdgeLibrary {
  private kept = 0;
  private dropped = 0;
  private proved = 0;

  constructor(
    readonly roadmap: Roadmap,
    private readonly lists: EdgeBoxLists,
    private readonly changed: readonly ChangedPart[],
  ) {}

  isKept(edge: number): boolean {
    const { lists, changed } = this;
    for (const part of changed) {
      if (part.most < 0 || isApart(lists.hulls, BOX_SIZE * edge, part.box, part.most)) continue;
      if (this.areApart(edge, part)) continue;
      this.dropped++;
      return false;
    }
    this.kept++;
    return true;
  }

  repaired(): void {
    this.proved++;
  }

  /** What became of the edges so far. */
  get stats(): LibraryStats {
    return { kept: this.kept, dropped: this.dropped, repaired: this.proved };
  }

  private areApart(edge: number, { box, required }: ChangedPart): boolean {
    const { boxes, starts, objects } = this.lists;
    for (let at = starts[edge], object = 0; at < starts[edge + 1]; at += BOX_SIZE, object++) {
      if (object === objects.length) object = 0;
      if (!(required[object] < 0) && !isApart(boxes, at, box, required[object])) return false;
    }
    return true;
  }
}

/** Returns true if a stored box is farther than `distance` from another one along an axis. */
function isApart(boxes: Int32Array, at: number, box: Float64Array, distance: number): boolean {
  for (let k = 0; k < 3; k++)
    if (BOX_UNIT * boxes[at + k] - box[k + 3] > distance || box[k] - BOX_UNIT * boxes[at + 3 + k] > distance)
      return true;
  return false;
}
