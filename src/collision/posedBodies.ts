import { poseMovingLinks, RobotState } from '../kinematics/forwardKinematics.ts';
import type { Configuration } from '../math/configuration.ts';
import { compose, create, relative, type Transform } from '../math/transform.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { BoxTree } from './boxTree.ts';
import type { CollisionModel } from './collisionModel.ts';

/** Box of a part: min x, y, z, max x, y, z. */
export const BOX_SIZE = 6;
/** Relative: what the handful of products and sums of one coordinate may lose. Without it a box could end short of its body. */
const ROUNDING = 4e-15;

/** From this many standing parts on, a tree of their boxes is quicker than a look at each. Measured on shelves of 8 to 1000 boards. */
const TREE_FROM = 32;

/**
 * Where every part is for one configuration: poses and axis-aligned boxes in the world. The scratch of a collision manager or of a motion
 * checker; allocated once.
 */
export class PosedBodies {
  readonly state: RobotState;
  /** Pose of part i in the world, moving parts first; parts that sit at their link share its pose. */
  readonly T_world_part: readonly Transform[];
  readonly shapes: readonly ConvexShape[];
  /** World boxes, 6 numbers a part. */
  readonly boxes: Float64Array;
  /** Over the boxes of the standing parts, where there are many. */
  readonly tree: BoxTree | undefined;
  /** Half-spaces have no box: −∞ to ∞. */
  private readonly hasBox: boolean[];

  constructor(readonly model: CollisionModel) {
    const { moving, standing, robot } = model;
    this.state = new RobotState(robot);
    this.T_world_part = [
      ...moving.map((part) => (part.atLink ? this.state.T_world_link[part.link] : create())),
      ...standing.map((part) => Float64Array.from(part.T_world_part)),
    ];
    this.shapes = [...moving, ...standing].map((part) => part.shape);
    this.hasBox = this.shapes.map((shape) => shape.outerRadius < Number.POSITIVE_INFINITY);
    this.boxes = new Float64Array(BOX_SIZE * this.shapes.length);
    for (let o = 0; o < standing.length; o++) this.updateBox(moving.length + o);
    if (standing.length >= TREE_FROM) this.tree = new BoxTree(this.boxes, moving.length, standing.length);
  }

  /** Poses all moving parts and their boxes for q. */
  pose(q: Configuration): void {
    const { state, T_world_part } = this;
    const { moving } = this.model;
    poseMovingLinks(state, q);
    for (let i = 0; i < moving.length; i++) {
      const part = moving[i];
      if (!part.atLink) compose(T_world_part[i], state.T_world_link[part.link], part.T_link_part);
      this.updateBox(i);
    }
  }

  /** Puts an obstacle somewhere else; T_world_body is the pose of the whole body. */
  moveObstacle(obstacle: number, T_world_body: Transform): void {
    const { moving, standing } = this.model;
    for (const [o, part] of standing.entries()) {
      if (part.obstacle !== obstacle) continue;
      compose(this.T_world_part[moving.length + o], T_world_body, part.T_body_part);
      this.updateBox(moving.length + o);
    }
    this.tree?.refit();
  }

  /** T_b_a: pose of part A of a pair seen from its part B. */
  relativePose(T_b_a: Transform, pair: number): void {
    const { model, T_world_part } = this;
    relative(T_b_a, T_world_part[model.pairB[pair]], T_world_part[model.pairA[pair]]);
  }

  /** False if the boxes of a pair are proved to be more than `reach` metres apart along an axis. Not-a-number proves nothing. */
  boxesNear(pair: number, reach: number): boolean {
    const { boxes, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    return !(
      boxes[a] > boxes[b + 3] + reach ||
      boxes[b] > boxes[a + 3] + reach ||
      boxes[a + 1] > boxes[b + 4] + reach ||
      boxes[b + 1] > boxes[a + 4] + reach ||
      boxes[a + 2] > boxes[b + 5] + reach ||
      boxes[b + 2] > boxes[a + 5] + reach
    );
  }

  /** Square of the distance between the boxes of a pair; 0 when they meet. */
  boxDistanceSquared(pair: number): number {
    const { boxes, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const gap = Math.max(boxes[b + axis] - boxes[a + axis + 3], boxes[a + axis] - boxes[b + axis + 3]);
      if (gap > 0) sum += gap * gap;
    }
    return sum;
  }

  /**
   * The box of the part's own bounds, turned: half extents |R| h about R c + t. Exact for boxes, never too small for others.
   */
  private updateBox(part: number): void {
    const { boxes } = this;
    const T = this.T_world_part[part];
    const bounds = this.shapes[part].bounds;
    const o = BOX_SIZE * part;
    if (!this.hasBox[part]) {
      boxes.fill(Number.NEGATIVE_INFINITY, o, o + 3);
      boxes.fill(Number.POSITIVE_INFINITY, o + 3, o + 6);
      return;
    }
    const cx = 0.5 * (bounds[0] + bounds[3]);
    const cy = 0.5 * (bounds[1] + bounds[4]);
    const cz = 0.5 * (bounds[2] + bounds[5]);
    const hx = bounds[3] - cx;
    const hy = bounds[4] - cy;
    const hz = bounds[5] - cz;
    for (let axis = 0; axis < 3; axis++) {
      const row = 4 * axis;
      const middle = T[row] * cx + T[row + 1] * cy + T[row + 2] * cz + T[row + 3];
      const extent = Math.abs(T[row]) * hx + Math.abs(T[row + 1]) * hy + Math.abs(T[row + 2]) * hz;
      const half = extent + ROUNDING * (Math.abs(middle) + extent);
      boxes[o + axis] = middle - half;
      boxes[o + axis + 3] = middle + half;
    }
  }
}
