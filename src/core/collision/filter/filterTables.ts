import { norm, type Vec3 } from '../../math/vec3.ts';
import type { PosedParts } from '../model/posedParts.ts';
import {
  boxReach,
  greatestValues,
  type PoseError,
  partMargin,
  poseErrors,
  roundedDown,
  roundedUp,
} from './floatErrors.ts';
import { box, cluster, group, header, joint, LANES, obstacle, open, POSE_SIZE, part, selfPair } from './layout.ts';
import { writeObstacle } from './obstacleRecords.ts';

/** Box of a part or of the parts of one link, in the frame of the link. */
interface LinkBox {
  readonly center: Float64Array;
  readonly half: Float64Array;
}

const lengthOf = (v: ArrayLike<number>): number => norm(v as Vec3);

/** The tables that the kernel reads, as one image of its memory; and where it reads states and writes results. */
export class FilterTables {
  /** Image of the constant part, which begins at address 0. */
  readonly image: ArrayBuffer;
  /** Address of the values: four doubles per variable. */
  readonly values: number;
  /** Address of the list of open pairs. */
  readonly open: number;
  /** Bytes of memory that the kernel needs. */
  readonly size: number;
  /** Greatest accepted magnitude of each variable. */
  readonly maxValues: Float64Array;
  /** Address of the poses: the root, then each moving joint's link. */
  readonly poses: number;
  /** By robot part: bound (m) on the errors of comparisons of its box, see `partMargin`. */
  readonly margins: Float64Array;
  /** Bounds on the errors of these poses. */
  readonly errors: readonly PoseError[];
  private end: number = header.SIZE;
  private readonly ints: Int32Array;
  private readonly floats: Float32Array;
  private readonly doubles: Float64Array;

  /** @param padding metres that every pair must be farther apart than */
  constructor(
    private readonly posed: PosedParts,
    private readonly padding: number,
  ) {
    const { model, state } = posed;
    const { robotParts, obstacleParts, pairCount } = model;
    this.margins = new Float64Array(robotParts.length);
    this.maxValues = greatestValues(state);
    this.errors = poseErrors(state, this.maxValues);
    const clusters = this.partsByPose();
    const groups = this.selfPairs();

    const joints = this.reserve(joint.SIZE * state.links.length);
    const clusterAt = this.reserve(cluster.SIZE * clusters.length);
    const parts = this.reserve(part.SIZE * robotParts.length);
    const obstacles = this.reserve(obstacle.SIZE * obstacleParts.length);
    const groupAt = this.reserve(group.SIZE * groups.size);
    const selfAt = this.reserve(selfPair.SIZE * pairCount);
    const pairs = this.reserve(4 * robotParts.length * obstacleParts.length);
    this.poses = this.reserve(POSE_SIZE);
    const constantEnd = this.end;
    this.reserve(POSE_SIZE * state.links.length);
    this.values = this.reserve(2 * LANES * model.robot.dof);
    const boxes = this.reserve(box.SIZE * (clusters.length + robotParts.length));
    this.open = this.reserve(open.SIZE * pairCount);
    this.size = this.end;

    this.image = new ArrayBuffer(constantEnd);
    this.ints = new Int32Array(this.image);
    this.floats = new Float32Array(this.image);
    this.doubles = new Float64Array(this.image);
    this.writeRoot();
    this.writeJoints(joints);
    const recordOfPart = this.writeClusters(clusters, clusterAt, parts, boxes, pairs);
    this.writeObstacles(obstacles);
    this.writeGroups(groups, groupAt, selfAt, clusters, clusterAt, recordOfPart);
    this.ints.set(model.obstaclePair, pairs / 4);
    this.writeHeader([
      ...[joints, joints + joint.SIZE * state.links.length],
      ...[clusterAt, clusterAt + cluster.SIZE * clusters.length],
      ...[obstacles, obstacles + obstacle.SIZE * obstacleParts.length],
      ...[groupAt, groupAt + group.SIZE * groups.size, this.open],
    ]);
  }

  /** Reserves bytes; returns their address, a multiple of 16. */
  private reserve(bytes: number): number {
    const address = this.end;
    this.end += LANES * Math.ceil(bytes / LANES);
    return address;
  }

  private writeHeader(addresses: readonly number[]): void {
    this.ints.set(addresses, header.joints / 4);
  }

  private write(address: number, values: ArrayLike<number>): void {
    this.floats.set(values, address / 4);
  }

  private poseAddress(pose: number): number {
    return this.poses + POSE_SIZE * pose;
  }

  /** Pose of each link that a joint moves: 0 the root, j + 1 that of moving joint j. */
  private poseIndices(): Map<number, number> {
    return new Map([[0, 0], ...Array.from(this.posed.state.links, (link, j): [number, number] => [link, j + 1])]);
  }

  /** Robot parts by the pose that moves them, those of the most distal parts first. */
  private partsByPose(): [pose: number, parts: number[]][] {
    const { model } = this.posed;
    const poses = this.poseIndices();
    const byPose = new Map<number, number[]>();
    const order = [...model.groupPart, ...model.robotParts.keys()];
    for (const index of new Set(order)) {
      const pose = poses.get(model.robotParts[index].link)!;
      if (!byPose.has(pose)) byPose.set(pose, []);
      byPose.get(pose)!.push(index);
    }
    return [...byPose];
  }

  /** Self-collision pairs by the poses of their two parts. */
  private selfPairs(): Map<string, { poses: [number, number]; pairs: number[] }> {
    const { model } = this.posed;
    const { robotParts, pairA, pairB } = model;
    const poses = this.poseIndices();
    const groups = new Map<string, { poses: [number, number]; pairs: number[] }>();
    for (let pair = 0; pair < model.pairCount; pair++) {
      if (!model.isSelfPair(pair)) continue;
      const both: [number, number] = [
        poses.get(robotParts[pairA[pair]].link)!,
        poses.get(robotParts[pairB[pair]].link)!,
      ];
      const key = both.join();
      if (!groups.has(key)) groups.set(key, { poses: both, pairs: [] });
      groups.get(key)!.pairs.push(pair);
    }
    return groups;
  }

  /** Pose of the root in all lanes, relative to its own position. */
  private writeRoot(): void {
    const T = this.posed.state.T_world_link[0];
    for (let k = 0; k < 12; k++) this.write(this.poses + LANES * k, new Float32Array(4).fill(k % 4 === 3 ? 0 : T[k]));
  }

  private writeJoints(start: number): void {
    const { links, parents, variables, slides, factors, constants } = this.posed.state;
    const poses = this.poseIndices();
    for (let j = 0; j < links.length; j++) {
      const at = start + joint.SIZE * j;
      const { ints, doubles } = this;
      ints[(at + joint.parent) / 4] = this.poseAddress(poses.get(parents[j])!);
      ints[(at + joint.child) / 4] = this.poseAddress(j + 1);
      ints[(at + joint.values) / 4] = this.values + 2 * LANES * variables[j];
      ints[(at + joint.slides) / 4] = slides[j];
      doubles[(at + joint.factor) / 8] = factors[2 * j];
      doubles[(at + joint.offset) / 8] = factors[2 * j + 1];
      this.write(at + joint.constants, constants.subarray(33 * j, 33 * j + 33));
    }
  }

  /** Writes clusters and parts; returns the address of each part's record. */
  private writeClusters(
    clusters: readonly [number, number[]][],
    start: number,
    partStart: number,
    boxStart: number,
    pairs: number,
  ): Int32Array {
    const { robotParts, obstacleParts } = this.posed.model;
    const records = new Int32Array(robotParts.length);
    let at = partStart;
    let boxAt = boxStart;
    for (const [c, [pose, members]] of clusters.entries()) {
      const record = start + cluster.SIZE * c;
      const whole = unionOf(members.map((index) => this.boxOnLink(index)));
      this.ints[(record + cluster.pose) / 4] = this.poseAddress(pose);
      this.ints[(record + cluster.box) / 4] = boxAt;
      this.ints[(record + cluster.parts) / 4] = at;
      this.write(record + cluster.center, whole.center);
      this.writeHalf(record + cluster.half, pose, whole);
      boxAt += box.SIZE;
      for (const index of members) {
        records[index] = at;
        this.ints[(at + part.pose) / 4] = this.poseAddress(pose);
        this.ints[(at + part.box) / 4] = boxAt;
        this.ints[(at + part.pairs) / 4] = pairs + 4 * index * obstacleParts.length;
        this.writePart(at, index, pose);
        at += part.SIZE;
        boxAt += box.SIZE;
      }
      this.ints[(record + cluster.partsEnd) / 4] = at;
    }
    return records;
  }

  private get rotationError(): number {
    return this.errors.reduce((greatest, { rotation }) => Math.max(greatest, rotation), 0);
  }

  /** Writes half extents and margin of a box; returns the margin without the padding. */
  private writeHalf(address: number, pose: number, { center, half }: LinkBox): number {
    const margin = partMargin(this.errors[pose], this.rotationError, lengthOf(center), lengthOf(half));
    this.write(address, Array.from([...half, margin + this.padding], roundedUp));
    return margin;
  }

  private writePart(at: number, index: number, pose: number): void {
    const { shape, T_link_part: T } = this.posed.model.robotParts[index];
    const { center, half } = localBox(shape.bounds);
    this.write(at + part.rotation, [T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]]);
    const placed = transformed(T, center);
    this.write(at + part.center, placed);
    this.margins[index] = this.writeHalf(at + part.half, pose, { center: placed, half });
    const sphere = transformed(T, shape.center);
    const margin = partMargin(this.errors[pose], this.rotationError, lengthOf(sphere), Math.max(0, shape.innerRadius));
    this.write(at + part.sphere, sphere);
    this.write(at + part.radius, [roundedDown(shape.innerRadius - margin)]);
  }

  /** Box of a part along the axes of its link. */
  private boxOnLink(index: number): LinkBox {
    const { shape, T_link_part: T } = this.posed.model.robotParts[index];
    const { center, half } = localBox(shape.bounds);
    const extents = [0, 4, 8].map(
      (row) => Math.abs(T[row]) * half[0] + Math.abs(T[row + 1]) * half[1] + Math.abs(T[row + 2]) * half[2],
    );
    return { center: transformed(T, center), half: Float64Array.from(extents) };
  }

  /** Writes the obstacles at their current poses. */
  private writeObstacles(start: number): void {
    const { posed, rotationError, floats } = this;
    const reach = 1.01 * (this.greatestReach() + this.padding) + 0.01;
    for (let o = 0; o < posed.model.obstacleParts.length; o++)
      writeObstacle(floats, start + obstacle.SIZE * o, posed, o, { reach, rotation: rotationError });
  }

  private greatestReach(): number {
    const poses = this.poseIndices();
    const reaches = this.posed.model.robotParts.map(({ link }, index) => {
      const { center, half } = this.boxOnLink(index);
      return boxReach(this.errors[poses.get(link)!], lengthOf(center), lengthOf(half));
    });
    return Math.max(0, ...reaches);
  }

  private writeGroups(
    groups: ReturnType<FilterTables['selfPairs']>,
    start: number,
    pairStart: number,
    clusters: readonly [number, number[]][],
    clusterStart: number,
    recordOfPart: Int32Array,
  ): void {
    const { pairA, pairB } = this.posed.model;
    const clusterOf = new Map(clusters.map(([pose], c) => [pose, clusterStart + cluster.SIZE * c]));
    let at = start / 4;
    let pairAt = pairStart;
    for (const { poses, pairs } of groups.values()) {
      const first = pairAt;
      for (const pair of pairs) {
        this.ints.set([recordOfPart[pairA[pair]], recordOfPart[pairB[pair]], pair], pairAt / 4);
        pairAt += selfPair.SIZE;
      }
      this.ints.set([clusterOf.get(poses[0])!, clusterOf.get(poses[1])!, first, pairAt], at);
      at += group.SIZE / 4;
    }
  }
}

function localBox(bounds: ArrayLike<number>): LinkBox {
  const center = Float64Array.from({ length: 3 }, (_, k) => 0.5 * (bounds[k] + bounds[k + 3]));
  return { center, half: center.map((middle, k) => bounds[k + 3] - middle) };
}

const transformed = (T: ArrayLike<number>, p: ArrayLike<number>): Float64Array =>
  Float64Array.from([0, 4, 8], (row) => T[row] * p[0] + T[row + 1] * p[1] + T[row + 2] * p[2] + T[row + 3]);

function unionOf(boxes: readonly LinkBox[]): LinkBox {
  const range = (k: number, sign: 1 | -1) =>
    sign * Math.max(...boxes.map(({ center, half }) => sign * center[k] + half[k]));
  return localBox([range(0, -1), range(1, -1), range(2, -1), range(0, 1), range(1, 1), range(2, 1)]);
}
