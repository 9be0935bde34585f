import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { lengthProblem } from '../../../core/math/magnitudes.ts';
import { InputError } from '../../../errors.ts';
import { show } from '../../text/schemaDiagnostics.ts';

/** Depth of the leaves of an octree of OctoMap: 16 levels below the root. */
const DEPTH = 16;
/** Voxels along each axis of the whole tree; the origin is in the middle. */
const SIDE = 2 ** DEPTH;
/** Octrees of more occupied leaves are refused before they are merged. */
const MAX_LEAVES = 1_000_000;

/** A box of occupied voxels in the frame of the octree, metres. */
export interface OccupiedBox {
  readonly size: readonly [number, number, number];
  readonly pose: Pose;
}

/** Fields of `octomap_msgs/Octomap`, as parsed. */
interface OctreeMessage {
  /** True: two bits a child (free, occupied, inner). False: nodes with their values. */
  readonly binary?: unknown;
  /** Class of the tree. */
  readonly id?: unknown;
  /** Edge of a voxel, metres. */
  readonly resolution?: unknown;
  /** Bytes, signed as ROS prints them, or unsigned. */
  readonly data?: unknown;
}

/** A cube of voxels: least coordinates and edge, in voxels. */
type Cube = readonly [x: number, y: number, z: number, side: number];
/** Least and greatest coordinates in voxels. */
type Block = [x0: number, y0: number, z0: number, x1: number, y1: number, z1: number];

/**
 * Reads the occupied leaves of an octree: boxes that cover exactly their cubes, adjacent ones merged. A leaf of the
 * full form is occupied if its log-odds are 0 or more, as in MoveIt; unknown space is free. A root without children is
 * refused, because readers disagree on it. Throws `InputError` without a place if the data are no such octree.
 * [Hornung13]
 */
export function octreeBoxes({ data, id, binary, resolution }: OctreeMessage): OccupiedBox[] {
  if (id !== 'OcTree') throw new InputError(`id: ${show(id)}`, 'As in MoveIt, only OcTree is supported.');
  if (typeof binary !== 'boolean') throw new InputError(`binary: ${show(binary)}, must be true or false`);
  if (typeof resolution !== 'number' || !(resolution > 0) || lengthProblem(resolution * SIDE) !== undefined)
    throw new InputError(`resolution: ${show(resolution)}, must be greater than 0 and at most 150`);
  const reader = new OctreeReader(bytesOf(data), binary);
  return merged(reader.occupied()).map(([x0, y0, z0, x1, y1, z1]) => ({
    size: [(x1 - x0) * resolution, (y1 - y0) * resolution, (z1 - z0) * resolution],
    pose: {
      xyz: [middle(x0, x1, resolution), middle(y0, y1, resolution), middle(z0, z1, resolution)],
      quat_wxyz: [1, 0, 0, 0],
    },
  }));
}

function bytesOf(data: unknown): Uint8Array {
  if (!Array.isArray(data)) throw new InputError(`data: ${show(data)}, must be a list of bytes`);
  const wrong = data.findIndex((byte) => !Number.isInteger(byte) || byte < -128 || byte > 255);
  if (wrong >= 0) throw new InputError(`data[${wrong}]: ${show(data[wrong])}, must be a byte`);
  return Uint8Array.from(data as number[], (byte) => byte & 255);
}

const middle = (low: number, high: number, resolution: number): number => ((low + high - SIDE) / 2) * resolution;

/** Reads the nodes of an octree, parents first, children in the order of their bits x, y, z. */
class OctreeReader {
  private readonly view: DataView;
  private readonly cubes: Cube[] = [];
  private at = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly isBinary: boolean,
  ) {
    this.view = new DataView(bytes.buffer);
  }

  occupied(): readonly Cube[] {
    const root: Cube = [0, 0, 0, SIDE];
    if (this.isBinary) this.binaryNode(root);
    else this.fullNode(root);
    if (this.at !== this.bytes.length)
      throw new InputError(`the octree ends after ${this.at} of ${this.bytes.length} bytes`);
    return this.cubes;
  }

  private add(cube: Cube): void {
    if (this.cubes.length === MAX_LEAVES)
      throw new InputError(`the octree has more than ${MAX_LEAVES} occupied leaves`);
    this.cubes.push(cube);
  }

  /** Returns the position of the next bytes. */
  private take(count: number): number {
    const from = this.at;
    this.at += count;
    if (this.at > this.bytes.length) throw new InputError(`the octree is cut off after ${this.bytes.length} bytes`);
    return from;
  }

  private binaryNode(cube: Cube): void {
    const bits = this.view.getUint16(this.take(2), true);
    if (bits === 0) throw new InputError(`an inner node of the octree at byte ${this.at - 2} has no children`);
    const inner: number[] = [];
    for (let child = 0; child < 8; child++) {
      const state = (bits >> (2 * child)) & 3; // 1: free leaf, 2: occupied leaf, 3: inner node
      if (state === 2) this.add(this.childOf(cube, child));
      if (state === 3) inner.push(child);
    }
    for (const child of inner) this.binaryNode(this.childOf(cube, child));
  }

  private fullNode(cube: Cube): void {
    const logOdds = this.view.getFloat32(this.take(4), true);
    const children = this.bytes[this.take(1)];
    if (Number.isNaN(logOdds)) throw new InputError(`a node of the octree before byte ${this.at} has no value (NaN)`);
    if (children === 0 && cube[3] === SIDE) throw new InputError('the root of the octree has no children');
    if (children === 0 && logOdds >= 0) this.add(cube);
    for (let child = 0; child < 8; child++) if ((children >> child) & 1) this.fullNode(this.childOf(cube, child));
  }

  private childOf([x, y, z, side]: Cube, child: number): Cube {
    if (side === 1) throw new InputError(`the octree is deeper than ${DEPTH} levels at byte ${this.at}`);
    const half = side / 2;
    return [x + (child & 1) * half, y + ((child >> 1) & 1) * half, z + ((child >> 2) & 1) * half, half];
  }
}

/** Merges cubes to boxes: along x, then boxes of equal extents along y, then along z. The union stays the same. */
function merged(cubes: readonly Cube[]): Block[] {
  let blocks = cubes.map(([x, y, z, side]): Block => [x, y, z, x + side, y + side, z + side]);
  for (const axis of [0, 1, 2] as const) blocks = mergedAlong(blocks, axis);
  return blocks;
}

function mergedAlong(blocks: readonly Block[], axis: 0 | 1 | 2): Block[] {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const key = (block: Block) => [block[u], block[v], block[u + 3], block[v + 3]];
  const compare = (a: readonly number[], b: readonly number[]) =>
    a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3] || a[4] - b[4];
  const order = blocks
    .map((block) => ({ block, key: [...key(block), block[axis]] }))
    .sort((a, b) => compare(a.key, b.key));
  const found: Block[] = [];
  let last: readonly number[] = [];
  for (const { block, key: own } of order) {
    const before = found.at(-1);
    const continues =
      before !== undefined && own.slice(0, 4).every((x, i) => x === last[i]) && before[axis + 3] === block[axis];
    if (continues) before[axis + 3] = block[axis + 3];
    else found.push([...block]);
    last = own;
  }
  return found;
}
