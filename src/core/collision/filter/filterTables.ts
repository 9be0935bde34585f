import type { CollisionModel } from '../model/collisionModel.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { roundedUp } from './floatErrors.ts';
import { group, header, LANES, obstacle, open, part, selfPair } from './layout.ts';
import { writeObstacle } from './obstacleRecords.ts';
import { RobotRecords } from './robotRecords.ts';

/** The tables that the kernel reads, as one image of its memory: those of the robot, then those of the scene. */
export class FilterTables {
  /** The records of the robot. */
  readonly robot: RobotRecords;
  /** Image of the constant part, which begins at address 0. */
  readonly image: ArrayBuffer;
  /** Address of the list of open pairs. */
  readonly open: number;
  /** Bytes of memory that the kernel needs. */
  readonly size: number;
  private readonly ints: Int32Array;
  private readonly floats: Float32Array;

  /** @param padding metres that every pair must be farther apart than */
  constructor(posed: PosedParts, padding: number) {
    const { model } = posed;
    const { robotParts, obstacleParts, pairCount } = model;
    this.robot = RobotRecords.of(model.robot)(robotParts);
    const groups = this.selfPairs(model);
    const obstacles = this.robot.image.byteLength;
    const groupAt = obstacles + obstacle.SIZE * obstacleParts.length;
    const selfAt = groupAt + group.SIZE * groups.length;
    const pairs = selfAt + selfPair.SIZE * groups.reduce((count, members) => count + members.length, 0);
    this.open = LANES * Math.ceil((pairs + 4 * model.obstaclePair.length) / LANES);
    this.size = this.open + open.SIZE * pairCount;

    this.image = new ArrayBuffer(this.open);
    this.ints = new Int32Array(this.image);
    this.floats = new Float32Array(this.image);
    this.writeRobot(padding, pairs, obstacleParts.length);
    const bounds = { reach: 1.01 * (this.robot.reach + padding) + 0.01, rotation: this.robot.rotationError };
    for (let o = 0; o < obstacleParts.length; o++)
      writeObstacle(this.floats, obstacles + obstacle.SIZE * o, posed, o, bounds);
    this.writeGroups(model, groups, groupAt, selfAt);
    this.ints.set(model.obstaclePair, pairs / 4);
    this.ints.set([...this.robot.addresses, obstacles, groupAt, groupAt, selfAt, this.open], header.joints / 4);
  }

  /** Copies the records of the robot; adds the padding and the rows of pair indices, which begin at `pairs`. */
  private writeRobot(padding: number, pairs: number, obstacleCount: number): void {
    const { image, boxes, parts } = this.robot;
    const { ints, floats } = this;
    ints.set(new Int32Array(image));
    for (const { address, values } of boxes) {
      for (let k = 0; k < 3; k++) floats[address / 4 + k] = roundedUp(values[k]);
      floats[address / 4 + 3] = roundedUp(values[3] + padding);
    }
    for (let index = 0; index < parts.length; index++)
      ints[(parts[index] + part.pairs) / 4] = pairs + 4 * index * obstacleCount;
  }

  /** Self-collision pairs by the poses of their two parts. */
  private selfPairs({ robotParts, pairA, pairB, groupStart, selfStart }: CollisionModel): number[][] {
    const { poseOfPart } = this.robot;
    const groups = new Map<number, number[]>();
    for (let g = 0; g < selfStart.length; g++) {
      for (let pair = selfStart[g]; pair < groupStart[g + 1]; pair++) {
        const key = poseOfPart[pairA[pair]] * (robotParts.length + 1) + poseOfPart[pairB[pair]];
        const members = groups.get(key);
        if (members) members.push(pair);
        else groups.set(key, [pair]);
      }
    }
    return [...groups.values()];
  }

  private writeGroups({ pairA, pairB }: CollisionModel, groups: number[][], start: number, pairStart: number): void {
    const { ints } = this;
    const { parts, clusters } = this.robot;
    let at = start / 4;
    let pairAt = pairStart;
    for (const pairs of groups) {
      ints[at] = clusters[pairA[pairs[0]]];
      ints[at + 1] = clusters[pairB[pairs[0]]];
      ints[at + 2] = pairAt;
      for (const pair of pairs) {
        ints[pairAt / 4] = parts[pairA[pair]];
        ints[pairAt / 4 + 1] = parts[pairB[pair]];
        ints[pairAt / 4 + 2] = pair;
        pairAt += selfPair.SIZE;
      }
      ints[at + 3] = pairAt;
      at += group.SIZE / 4;
    }
  }
}
