import { RobotState } from '../../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { derived } from '../../math/derived.ts';
import { norm, type Vec3 } from '../../math/vec3.ts';
import type { RobotPart } from '../model/modelParts.ts';
import {
  boxReach,
  greatestValues,
  hasRigidJoints,
  isRotation,
  MAX_ROTATION_ERROR,
  type PoseError,
  partMargin,
  poseErrors,
  roundedDown,
} from './floatErrors.ts';
import { box, cluster, header, joint, LANES, POSE_SIZE, part } from './layout.ts';

/** Box of a part or of the parts of one link, in the frame of the link. */
interface LinkBox {
  readonly center: Float64Array;
  readonly half: Float64Array;
}

/** A box whose half extents the padding of a scene enlarges. */
interface PaddedBox {
  /** Address of the half extents, which the margin follows. */
  readonly address: number;
  /** Half extents and margin, metres. */
  readonly values: readonly [x: number, y: number, z: number, margin: number];
}

/** Metres: with larger errors, as of prismatic joints without limits, the filter decides nearly no pair. */
const MAX_POSITION_ERROR = 0.01;

const lengthOf = (v: ArrayLike<number>): number => norm(v as Vec3);

/**
 * The records of the kernel that depend on the parts of the robot alone: the poses, the joints, the clusters and the
 * parts. The image of them begins at address 0, and is the same for all scenes in which the robot has these parts; the
 * padding and the rows of pair indices are left open.
 */
export class RobotRecords {
  /**
   * False if the kernel cannot check these parts: it needs bounded parts, orthonormal rotations and unit axes, and a
   * chain and travels short enough for single precision.
   */
  readonly isFilterable: boolean;
  /** Image of the records. */
  readonly image: ArrayBuffer;
  /** Addresses of joints and clusters, each with the end, as in the header. */
  readonly addresses: readonly number[];
  /** Address of the values: four doubles per variable. */
  readonly values: number;
  /** Address of the poses: the root, then each moving joint's link. */
  readonly poses: number;
  /** Greatest accepted magnitude of each variable. */
  readonly maxValues: Float64Array;
  /** Bounds on the errors of the poses, and the greatest one of a rotation. */
  readonly errors: readonly PoseError[];
  readonly rotationError: number;
  /** By robot part: bound (m) on the errors of comparisons of its box, see `partMargin`. */
  readonly margins: Float64Array;
  /** By robot part: the pose that moves it, and the addresses of its record and of its cluster. */
  readonly poseOfPart: Int32Array;
  readonly parts: Int32Array;
  readonly clusters: Int32Array;
  /** Boxes of clusters and parts. */
  readonly boxes: PaddedBox[] = [];
  /** Distance (m) from the root within which the robot stays. */
  readonly reach: number;
  private end: number = header.SIZE;
  private readonly ints: Int32Array;
  private readonly floats: Float32Array;

  /** Returns the records of a robot with these parts. */
  static readonly of = derived((robot: RobotModel) =>
    derived((parts: readonly RobotPart[]) => new RobotRecords(robot, parts)),
  );

  private constructor(
    robot: RobotModel,
    private readonly robotParts: readonly RobotPart[],
  ) {
    const state = new RobotState(robot);
    this.maxValues = greatestValues(state);
    this.errors = poseErrors(state, this.maxValues);
    this.rotationError = this.errors.reduce((greatest, { rotation }) => Math.max(greatest, rotation), 0);
    const isRigid = hasRigidJoints(state) && isRotation(state.T_world_link[0]);
    const areBounded = robotParts.every(({ shape, T_link_part }) => {
      return shape.extent < Number.POSITIVE_INFINITY && isRotation(T_link_part);
    });
    const areExact = this.errors.every(({ rotation, position }) => {
      return rotation < 0.5 * MAX_ROTATION_ERROR && position < MAX_POSITION_ERROR;
    });
    this.isFilterable = isRigid && areBounded && areExact;
    // 0: the root, j + 1: the link of moving joint j
    const poses = new Map([[0, 0], ...Array.from(state.links, (link, j): [number, number] => [link, j + 1])]);
    this.poseOfPart = Int32Array.from(robotParts, ({ link }) => poses.get(link)!);
    this.margins = new Float64Array(robotParts.length);
    this.parts = new Int32Array(robotParts.length);
    this.clusters = new Int32Array(robotParts.length);
    const byPose = this.partsByPose(robot);

    const joints = this.reserve(joint.SIZE * state.links.length);
    const clusters = this.reserve(cluster.SIZE * byPose.size);
    const parts = this.reserve(part.SIZE * robotParts.length);
    this.poses = this.reserve(POSE_SIZE * (state.links.length + 1));
    this.values = this.reserve(2 * LANES * robot.dof);
    const boxes = this.reserve(box.SIZE * (byPose.size + robotParts.length));
    this.image = new ArrayBuffer(this.end);
    this.ints = new Int32Array(this.image);
    this.floats = new Float32Array(this.image);
    this.addresses = [
      ...[joints, joints + joint.SIZE * state.links.length],
      ...[clusters, clusters + cluster.SIZE * byPose.size],
    ];
    this.writeRoot(state);
    this.writeJoints(joints, state, poses);
    this.writeClusters(byPose, clusters, parts, boxes);
    const reaches = robotParts.map((_, index) => {
      const { center, half } = this.boxOnLink(index);
      return boxReach(this.errors[this.poseOfPart[index]], lengthOf(center), lengthOf(half));
    });
    this.reach = Math.max(0, ...reaches);
  }

  /** Reserves bytes; returns their address, a multiple of 16. */
  private reserve(bytes: number): number {
    const address = this.end;
    this.end += LANES * Math.ceil(bytes / LANES);
    return address;
  }

  private write(address: number, values: ArrayLike<number>): void {
    this.floats.set(values, address / 4);
  }

  /** Parts by the pose that moves them, the most distal ones of the planned robot first. */
  private partsByPose({ others }: RobotModel): ReadonlyMap<number, readonly number[]> {
    const { robotParts, poseOfPart } = this;
    const isOther = (i: number) => others?.has(robotParts[i].name) === true;
    const order = [...robotParts.keys()].sort(
      (i, j) =>
        Number(isOther(i)) - Number(isOther(j)) || (isOther(i) ? 0 : robotParts[j].rank - robotParts[i].rank) || i - j,
    );
    const byPose = new Map<number, number[]>();
    for (const index of order) {
      const pose = poseOfPart[index];
      if (!byPose.has(pose)) byPose.set(pose, []);
      byPose.get(pose)!.push(index);
    }
    return byPose;
  }

  /** Pose of the root in all lanes, relative to its own position. */
  private writeRoot({ T_world_link: [T] }: RobotState): void {
    for (let k = 0; k < 12; k++) this.write(this.poses + LANES * k, new Float32Array(4).fill(k % 4 === 3 ? 0 : T[k]));
  }

  private writeJoints(start: number, state: RobotState, poses: ReadonlyMap<number, number>): void {
    const { links, parents, variables, slides, factors, constants } = state;
    const { ints } = this;
    const doubles = new Float64Array(this.image);
    for (let j = 0; j < links.length; j++) {
      const at = start + joint.SIZE * j;
      ints[(at + joint.parent) / 4] = this.poses + POSE_SIZE * poses.get(parents[j])!;
      ints[(at + joint.child) / 4] = this.poses + POSE_SIZE * (j + 1);
      ints[(at + joint.values) / 4] = this.values + 2 * LANES * variables[j];
      ints[(at + joint.slides) / 4] = slides[j];
      doubles[(at + joint.factor) / 8] = factors[2 * j];
      doubles[(at + joint.offset) / 8] = factors[2 * j + 1];
      this.write(at + joint.constants, constants.subarray(33 * j, 33 * j + 33));
    }
  }

  /** Writes clusters and parts. */
  private writeClusters(
    byPose: ReadonlyMap<number, readonly number[]>,
    clusterStart: number,
    partStart: number,
    boxStart: number,
  ): void {
    const { ints } = this;
    let record = clusterStart;
    let at = partStart;
    let boxAt = boxStart;
    for (const [pose, members] of byPose) {
      const whole = unionOf(members.map((index) => this.boxOnLink(index)));
      ints[(record + cluster.pose) / 4] = this.poses + POSE_SIZE * pose;
      ints[(record + cluster.box) / 4] = boxAt;
      ints[(record + cluster.parts) / 4] = at;
      this.write(record + cluster.center, whole.center);
      this.addBox(record + cluster.half, pose, whole);
      boxAt += box.SIZE;
      for (const index of members) {
        this.parts[index] = at;
        this.clusters[index] = record;
        ints[(at + part.pose) / 4] = this.poses + POSE_SIZE * pose;
        ints[(at + part.box) / 4] = boxAt;
        this.writePart(at, index, pose);
        at += part.SIZE;
        boxAt += box.SIZE;
      }
      ints[(record + cluster.partsEnd) / 4] = at;
      record += cluster.SIZE;
    }
  }

  /** Adds a box; returns its margin without the padding. */
  private addBox(address: number, pose: number, { center, half }: LinkBox): number {
    const margin = partMargin(this.errors[pose], this.rotationError, lengthOf(center), lengthOf(half));
    this.boxes.push({ address, values: [half[0], half[1], half[2], margin] });
    return margin;
  }

  private writePart(at: number, index: number, pose: number): void {
    const { shape, T_link_part: T } = this.robotParts[index];
    const { center, half } = localBox(shape.bounds);
    this.write(at + part.rotation, [T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]]);
    const placed = transformed(T, center);
    this.write(at + part.center, placed);
    this.margins[index] = this.addBox(at + part.half, pose, { center: placed, half });
    const sphere = transformed(T, shape.center);
    const margin = partMargin(this.errors[pose], this.rotationError, lengthOf(sphere), Math.max(0, shape.innerRadius));
    this.write(at + part.sphere, sphere);
    this.write(at + part.radius, [roundedDown(shape.innerRadius - margin)]);
  }

  /** Box of a part along the axes of its link. */
  private boxOnLink(index: number): LinkBox {
    const { shape, T_link_part: T } = this.robotParts[index];
    const { center, half } = localBox(shape.bounds);
    const extents = [0, 4, 8].map(
      (row) => Math.abs(T[row]) * half[0] + Math.abs(T[row + 1]) * half[1] + Math.abs(T[row + 2]) * half[2],
    );
    return { center: transformed(T, center), half: Float64Array.from(extents) };
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
