import type { Configuration } from '../../math/configuration.ts';
import type { PairCache } from '../../narrowphase/solver.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { FilterTables } from './filterTables.ts';
import { isRotation } from './floatErrors.ts';
import { kernelBase64 } from './kernelBytes.generated.ts';
import { LanePlanes } from './lanePlanes.ts';
import { ALL_LANES, header, LANES, open } from './layout.ts';
import { RobotRecords } from './robotRecords.ts';

export { IN_COLLISION } from './layout.ts';

/** Result of `check` if the filter decides nothing: a value is not finite or out of the range of its error bounds. */
export const OUT_OF_RANGE = -2;

const PAGE = 65536;
/** Integers of an open entry. */
const ENTRY = open.SIZE / 4;
/** Number of states, one per lane. */
const WIDTH = 4;

/** Masks of states in collision at which a check stops. */
const LIMITS = { never: 0, any: 1, all: ALL_LANES } as const;

/**
 * Checks four states at a time in single precision, by bounding boxes and inner spheres with outward margins
 * (`floatErrors.ts`): it finds pairs that are surely separated or surely in collision, and leaves all others open for
 * the exact narrow phase. Never decides what the exact check could decide otherwise, so verdicts are the same without
 * it. The kernel is shared by all filters of a thread; it works on the tables of the filter that was used last. Results
 * are copied from its memory, so that other filters may be used before they are read.
 */
export class StateFilter {
  /** Poses and bounds, for tests. @internal */
  readonly tables: FilterTables;
  /** Mask of the states surely in collision, of the last check with `stop` = `all`; bit i is that of state i. */
  collided = 0;
  /** Copies of the open entries of the last check: pair, mask of states. */
  private readonly entries: Int32Array;
  private ints = new Int32Array(0);
  private doubles = new Float64Array(0);
  private floats = new Float32Array(0);
  private readonly planes: LanePlanes;

  private constructor(
    private readonly shared: SharedKernel,
    posed: PosedParts,
    padding: number,
  ) {
    this.tables = new FilterTables(posed, padding);
    this.planes = new LanePlanes(posed, this.tables.robot);
    this.entries = new Int32Array(ENTRY * posed.model.pairCount);
  }

  /** Creates a filter for obstacles at their current poses; undefined if the host or the scene has no use for it. */
  static create(posed: PosedParts, padding: number): StateFilter | undefined {
    const shared = sharedKernel();
    return shared && padding >= 0 && isFilterable(posed) ? new StateFilter(shared, posed, padding) : undefined;
  }

  /**
   * Checks the first `count` states. Returns the number of open entries, IN_COLLISION if it stops because any or all of
   * the states are surely in collision, or OUT_OF_RANGE.
   * @param stop `never`: pairs that are surely in collision are open too, and `lowestCollision` finds them
   */
  check(states: readonly Configuration[], count: number, stop: keyof typeof LIMITS): number {
    const { shared } = this;
    if (shared.user !== this) this.load();
    const { doubles, tables } = this;
    const { maxValues, values } = tables.robot;
    const start = values / 8;
    for (let lane = 0; lane < WIDTH; lane++) {
      const q = states[lane < count ? lane : 0];
      for (let v = 0; v < maxValues.length; v++) {
        if (!(Math.abs(q[v]) <= maxValues[v])) return OUT_OF_RANGE;
        doubles[start + WIDTH * v + lane] = q[v];
      }
    }
    const result = shared.kernel.check(LIMITS[stop]);
    const { ints, entries } = this;
    this.collided = ints[header.collided / 4];
    const first = tables.open / 4;
    for (let k = 0; k < ENTRY * result; k++) entries[k] = ints[first + k];
    return result;
  }

  /**
   * Writes the pairs below index `end` that the last check left open in state i, of its first `count` entries; returns
   * their number.
   */
  writePairsOf(out: Int32Array, count: number, i: number, end: number): number {
    const { entries } = this;
    const lane = 1 << i;
    let found = 0;
    for (let at = 0; at < ENTRY * count; at += ENTRY) {
      const pair = entries[at + open.pair / 4];
      if ((entries[at + open.lanes / 4] & lane) !== 0 && pair < end) out[found++] = pair;
    }
    return found;
  }

  /**
   * Returns the lowest index of a pair that is surely in collision in state i, of the first `count` entries of the last
   * check; `none` if there is none.
   */
  lowestCollision(count: number, i: number, none: number): number {
    const { entries } = this;
    const lane = 1 << i;
    let lowest = none;
    for (let at = 0; at < ENTRY * count; at += ENTRY)
      if ((entries[at + open.collided / 4] & lane) !== 0) lowest = Math.min(lowest, entries[at + open.pair / 4]);
    return lowest;
  }

  /**
   * Returns true if the cached plane of a pair proves it separated by more than `minDistance` metres in state i of the
   * last check; false if another filter of the thread has overwritten the poses, as a callback may.
   */
  planeSeparates(pair: number, i: number, cache: PairCache, minDistance: number): boolean {
    return this.shared.user === this && this.planes.separates(this.floats, i, pair, cache, minDistance);
  }

  /** Single-precision pose of a moving joint's link in a state of the last check, relative to the root. @internal */
  poseOf(pose: number, state: number): Float64Array {
    const floats = new Float32Array(this.shared.kernel.memory.buffer);
    const start = this.tables.robot.poses / 4 + 48 * pose + state;
    return Float64Array.from({ length: 12 }, (_, k) => floats[start + (LANES / 4) * k]);
  }

  /** Copies the tables into the memory of the kernel. */
  private load(): void {
    const { memory } = this.shared.kernel;
    const missing = this.tables.size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(memory.buffer).set(new Uint8Array(this.tables.image));
    this.ints = new Int32Array(memory.buffer);
    this.doubles = new Float64Array(memory.buffer);
    this.floats = new Float32Array(memory.buffer);
    this.shared.user = this;
  }
}

/** With more obstacle parts the linear scan of the kernel loses to the box tree of the exact check. */
const MAX_OBSTACLES = 128;

/** Returns true if the filter can check the states of a scene, obstacles at their current poses, and is worth it. */
function isFilterable({ model, T_world_part }: PosedParts): boolean {
  const { robot, robotParts, obstacleParts, pairCount } = model;
  if (obstacleParts.length > MAX_OBSTACLES || pairCount === 0) return false;
  for (let o = robotParts.length; o < T_world_part.length; o++) if (!isRotation(T_world_part[o])) return false;
  return RobotRecords.of(robot)(robotParts).isFilterable;
}

/** Functions of the kernel. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /**
   * Computes the poses of four states and tests all pairs. Returns the number of open entries: pairs that are not
   * surely separated. Unless `limit` is 0, stops with IN_COLLISION once the mask of the lanes that are surely in
   * collision is at least `limit`: 1, any lane; 15, all lanes. Entries after that do not contain these lanes.
   */
  check(limit: 0 | 1 | 15): number;
}

/** The kernel of a thread, and the filter whose tables are in its memory. */
interface SharedKernel {
  readonly kernel: Kernel;
  user: object | undefined;
}

/** The part of the WebAssembly API that is used; not every host has it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Returns the module that `scripts/filter-kernel.mjs` wrote. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  const text = atob(kernelBase64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The kernel of this thread, once it is needed; null: an engine without SIMD, or a page that forbids WebAssembly. */
let created: SharedKernel | null | undefined;

/** Returns the kernel of this thread; undefined without WebAssembly SIMD. */
function sharedKernel(): SharedKernel | undefined {
  const { WebAssembly: api } = globalThis as { WebAssembly?: WebAssemblyApi };
  if (api === undefined) return undefined;
  if (created !== undefined) return created ?? undefined;
  try {
    const { exports } = new api.Instance(new api.Module(kernelBytes()));
    created = { kernel: exports as Kernel, user: undefined };
  } catch {
    created = null;
  }
  return created ?? undefined;
}
