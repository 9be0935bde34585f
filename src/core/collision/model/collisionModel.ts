import { InputError, suggestion } from '../../../errors.ts';
import { requireCollisionGeometry } from '../../kinematics/collisionGeometry.ts';
import { transformOfPose } from '../../kinematics/pose.ts';
import { extentOf } from '../../kinematics/poseRounding.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { composed } from '../../math/transform.ts';
import { doubled } from '../../planning/growArrays.ts';
import type { AllowedPairs } from '../../scene/allowedCollisions.ts';
import { clearanceLabel, isSamePair } from '../../scene/clearances.ts';
import { requireStill } from '../../scene/movingScene.ts';
import { requireParts } from '../../scene/requireParts.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { createShape } from '../../shapes/index.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import {
  attachedPartsOf,
  checkedAllowedPairs,
  enlargedParts,
  linkPartsOf,
  type ObstaclePart,
  obstaclePartsOf,
  type RobotPart,
  requireBoundedPose,
  type ShapeOf,
} from './modelParts.ts';

/**
 * The convex parts of robot and scene, and the pairs of them that are checked. Immutable, and shared by any number of
 * collision managers, unless its creator moves obstacles or changes rules of motion: a `Planner` does, between queries.
 *
 * Parts are numbered robot parts first, then obstacle parts. `pairA[p]` is always a robot part; `pairB[p]` is an
 * obstacle part, or a robot part earlier in the kinematic tree. Pairs are sorted by A, most distal first (these parts
 * move and collide most), and for each A the pairs with obstacles come before the self-collision pairs. Consecutive
 * pairs with the same A form a group.
 */
export class CollisionModel {
  /** Convex parts of the links, then of the attached objects; the list of the robot itself if nothing is attached. */
  readonly robotParts: readonly RobotPart[];
  /** Convex parts of the obstacles, in the order of the scene. */
  readonly obstacleParts: readonly ObstaclePart[];
  /** First part of each obstacle of the scene, and the number of parts at the end. @internal */
  readonly partStart: Int32Array;
  /** Part A of each pair: index of a robot part. */
  readonly pairA: Int32Array;
  /** Part B of each pair: index of a robot part, or the number of robot parts plus the index of an obstacle part. */
  readonly pairB: Int32Array;
  /** Group g consists of the pairs groupStart[g] … groupStart[g + 1] − 1, whose part A is groupPart[g]. */
  readonly groupPart: Int32Array;
  /** First pair of each group, and the number of pairs at the end. */
  readonly groupStart: Int32Array;
  /** Index of the first self-collision pair of each group; the pairs with obstacles come before it. */
  readonly selfStart: Int32Array;
  /** Pair of robot part a and obstacle part o at index a · obstacleParts.length + o; −1 if the two are not checked. */
  readonly obstaclePair: Int32Array;
  /** Largest extent of a robot part from the origin of its link, metres (see `extentOf`). */
  readonly partExtent: number;
  /** Pairs of names that are not checked, with their reasons. */
  readonly allowed: AllowedPairs;
  private currentScene: CheckedScene;
  /** Extent of each obstacle part from the origin of the world, metres, and the largest one. */
  private readonly extents: Float64Array;
  private largestExtent: number;

  constructor(
    /** Robot of the scene. */
    readonly robot: RobotModel,
    scene: CheckedScene,
    /** Creates the shape of a part; may return cached shapes, which are immutable. */
    shapeOf: ShapeOf = createShape,
  ) {
    this.currentScene = scene;
    requireStill(scene);
    requireCollisionGeometry(robot);
    requireParts(scene);
    this.allowed = checkedAllowedPairs(robot, scene);
    const links = linkPartsOf(robot);
    const attached = attachedPartsOf(robot, scene, shapeOf);
    const solid = attached.length === 0 ? links : [...links, ...attached];
    const enlarged = enlargedParts(robot, scene, solid);
    this.robotParts = enlarged.length === 0 ? solid : [...solid, ...enlarged];
    this.obstacleParts = obstaclePartsOf(scene, shapeOf);
    this.partExtent = greatest(this.robotParts, (part) => extentOf(part.shape, part.T_link_part));
    this.partStart = new Int32Array(scene.obstacles.length + 1);
    for (const [i, { parts }] of scene.obstacles.entries()) this.partStart[i + 1] = this.partStart[i] + parts.length;
    this.extents = Float64Array.from(this.obstacleParts, (part) => extentOf(part.shape, part.T_world_part));
    this.largestExtent = this.extents.reduce((most, extent) => Math.max(most, extent), 0);
    const { pairA, pairB, groupPart, groupStart, selfStart } = this.checkedPairs();
    this.pairA = pairA;
    this.pairB = pairB;
    this.groupPart = groupPart;
    this.groupStart = groupStart;
    this.selfStart = selfStart;
    this.obstaclePair = new Int32Array(this.robotParts.length * this.obstacleParts.length).fill(-1);
    for (let group = 0; group < groupPart.length; group++) {
      const row = groupPart[group] * this.obstacleParts.length - this.robotParts.length;
      for (let pair = groupStart[group]; pair < selfStart[group]; pair++) this.obstaclePair[row + pairB[pair]] = pair;
    }
  }

  /** Obstacles, attached objects, allowed pairs and padding, and the rules of motions. */
  get scene(): CheckedScene {
    return this.currentScene;
  }

  /** Largest extent of an obstacle part from the origin of the world, metres. */
  get obstacleExtent(): number {
    return this.largestExtent;
  }

  /**
   * Replaces the scene by one that differs in the poses of some obstacles and in rules of motions alone. The model is
   * then that of the new scene; collision managers that exist must follow it (`CollisionManager.followModel`).
   * Throws `InputError`, and changes nothing, for poses that are not finite or too far away.
   * @param moved indices of the obstacles that were moved
   * @internal
   */
  replaceScene(scene: CheckedScene, moved: ReadonlySet<number>): void {
    const { obstacleParts, partStart, extents } = this;
    const posed = Array.from(moved, (obstacle) => {
      const { name, pose } = scene.obstacles[obstacle];
      const T_world_object = transformOfPose(pose);
      const parts = obstacleParts.slice(partStart[obstacle], partStart[obstacle + 1]);
      const poses = parts.map(({ T_object_part }) => composed(T_world_object, T_object_part));
      for (const T_world_part of poses) requireBoundedPose(T_world_part, `obstacles[${obstacle}]`, name);
      return { obstacle, parts, poses };
    });
    this.currentScene = scene;
    for (const { obstacle, parts, poses } of posed)
      for (const [k, { shape, T_world_part }] of parts.entries()) {
        T_world_part.set(poses[k]);
        extents[partStart[obstacle] + k] = extentOf(shape, T_world_part);
      }
    if (moved.size > 0) this.largestExtent = extents.reduce((most, extent) => Math.max(most, extent), 0);
  }

  /** Number of checked pairs of convex parts. */
  get pairCount(): number {
    return this.pairA.length;
  }

  /** Returns true if both parts of a pair belong to the robot. */
  isSelfPair(pair: number): boolean {
    return this.pairB[pair] < this.robotParts.length;
  }

  /**
   * Returns true if part A of a pair is an enlarged copy, for a clearance: the distance of such a pair is not that of
   * the two links or objects.
   */
  isEnlarged(pair: number): boolean {
    return this.robotParts[this.pairA[pair]].clearOf !== undefined;
  }

  /**
   * Returns the pairs whose proofs cover all others: planes of an enlarged pair separate the pair of the parts
   * themselves, too.
   */
  certifiedPairs(): number[] {
    const all = Array.from({ length: this.pairCount }, (_, pair) => pair);
    const keyOf = (pair: number) => {
      const { name, part } = this.robotParts[this.pairA[pair]];
      return `${part} ${this.pairB[pair]} ${name}`;
    };
    const covered = new Set(all.filter((pair) => this.isEnlarged(pair)).map(keyOf));
    return covered.size === 0 ? all : all.filter((pair) => this.isEnlarged(pair) || !covered.has(keyOf(pair)));
  }

  /** Returns the name of the clearance that an enlarged pair is checked for; undefined for other pairs. */
  clearanceOf(pair: number): string | undefined {
    if (!this.isEnlarged(pair)) return undefined;
    const [a, b] = this.namesOf(pair);
    return clearanceLabel(this.scene.clearances!.find((one) => isSamePair(one, { a, b }))!);
  }

  /** Returns true if part B of a pair is a sphere cloud. */
  hasSphereCloud(pair: number): boolean {
    const b = this.pairB[pair] - this.robotParts.length;
    return b >= 0 && this.obstacleParts[b].isSphereCloud;
  }

  /** Returns the shape of a part; robot parts are numbered first. */
  shapeOf(part: number): ConvexShape {
    return this.partOf(part).shape;
  }

  /**
   * Returns the names of a pair as reported: link or attached object, then obstacle or link of another robot; of a
   * self-collision pair, in the order of the tree.
   */
  namesOf(pair: number): [string, string] {
    const a = this.robotParts[this.pairA[pair]].name;
    const b = this.partOf(this.pairB[pair]).name;
    return this.isSelfPair(pair) && !this.robot.others?.has(b) ? [b, a] : [a, b];
  }

  /** Returns the part with this number; robot parts are numbered first. */
  partOf(part: number): RobotPart | ObstaclePart {
    return part < this.robotParts.length ? this.robotParts[part] : this.obstacleParts[part - this.robotParts.length];
  }

  /** Returns the pairs that are checked, in the order that the class describes, grouped by robot part. */
  private checkedPairs() {
    const { robotParts, obstacleParts, allowed } = this;
    const distalFirst = robotParts.map((_, i) => i).sort((i, j) => robotParts[j].rank - robotParts[i].rank || i - j);
    const none: ReadonlySet<string> = new Set();
    let pairA = new Int32Array(1024);
    let pairB = new Int32Array(1024);
    const [groupPart, groupStart, selfStart]: number[][] = [[], [], []];
    let count = 0;
    const add = (a: number, b: number) => {
      if (count === pairA.length) {
        pairA = doubled(pairA);
        pairB = doubled(pairB);
      }
      pairA[count] = a;
      pairB[count++] = b;
    };
    for (const a of distalFirst) {
      if (this.robot.others?.has(robotParts[a].name)) continue;
      const partners = allowed.partnersOf(robotParts[a].name) ?? none;
      const { rank, clearOf } = robotParts[a];
      const isChecked = (name: string) => (clearOf === undefined ? !partners.has(name) : name === clearOf);
      const start = count;
      for (const [o, { name }] of obstacleParts.entries()) if (isChecked(name)) add(a, robotParts.length + o);
      const self = count;
      for (const b of distalFirst)
        if (robotParts[b].rank < rank && robotParts[b].clearOf === undefined && isChecked(robotParts[b].name))
          add(a, b);
      if (count === start) continue;
      groupPart.push(a);
      groupStart.push(start);
      selfStart.push(self);
    }
    return {
      pairA: pairA.slice(0, count),
      pairB: pairB.slice(0, count),
      groupPart: Int32Array.from(groupPart),
      groupStart: Int32Array.from([...groupStart, count]),
      selfStart: Int32Array.from(selfStart),
    };
  }
}

const greatest = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((most, item) => Math.max(most, of(item)), 0);

/** Returns the index of an obstacle; throws `InputError` if there is none of that name. */
export function requireObstacle({ obstacles }: CheckedScene, name: string): number {
  const index = obstacles.findIndex((obstacle) => obstacle.name === name);
  if (index >= 0) return index;
  const names = obstacles.map((obstacle) => obstacle.name);
  throw new InputError(`there is no obstacle "${name}"`, suggestion(name, names));
}
