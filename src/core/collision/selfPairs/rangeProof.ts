import { RobotState } from '../../kinematics/forwardKinematics.ts';
import type { Joint } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { transformPoint } from '../../math/transform.ts';
import { addScaled, create as createVec3, dot, norm, scale, sub, type Vec3 } from '../../math/vec3.ts';
import { Separation } from '../../narrowphase/solver.ts';
import { MinHeap } from '../../planning/minHeap.ts';
import { JointChains } from '../bounds/jointChains.ts';
import { hasRigidJoints, isRotation } from '../filter/floatErrors.ts';
import type { RobotPart } from '../model/modelParts.ts';
import type { CollisionManager } from '../states/collisionManager.ts';
import { CellBound, MAX_CELL_JOINTS, pairGeometryOf } from './cellBound.ts';

/** Metres: covers the rounding of poses and supports; pairs nearer than this are not proved separated. */
const ROUNDING = 1e-6;
/** Cells are computed larger by this on all sides (rad, m): covers the rounding of joint values. */
const ENLARGED = 1e-9;
/** Number of open cells whose middle states are returned. */
const MAX_OPEN = 16;
const FULL_TURN = 2 * Math.PI;

/**
 * Result of a proof over all joint values: proved separated, undecided, or not bounded, since a joint without limits
 * moves the pair.
 */
export interface RangeVerdict {
  readonly verdict: 'separated' | 'undecided' | 'unbounded';
  /** States in the middle of the cells that are not proved, the nearest bounds first. */
  readonly open: readonly Configuration[];
  /** Greatest distance that the pair loses over 1 rad or m of one joint, metres. */
  readonly reach: number;
}

/** Range of a variable, and the distance that the pair loses at most over 1 rad or m of it, metres. */
interface Axis {
  readonly variable: number;
  readonly lower: number;
  readonly upper: number;
  readonly rate: number;
}

/**
 * Proves self-collision pairs separated in all states within the joint limits: branch and bound over the joints that
 * move one part relative to the other. A cell of few joints has the bound of `CellBound`, one of more joints the
 * distance at its middle minus what the pair loses at most until the edge of the cell.
 */
export class RangeProof {
  private readonly state: RobotState;
  private readonly bound: CellBound;
  private readonly isRigid: boolean;
  private readonly separation = new Separation();
  private readonly q: Float64Array;

  constructor(private readonly manager: CollisionManager) {
    const { robot } = manager.model;
    this.state = new RobotState(robot);
    this.bound = new CellBound(this.state);
    this.isRigid = hasRigidJoints(this.state) && isRotation(this.state.T_world_link[0]);
    this.q = new Float64Array(robot.dof);
  }

  /** Attempts to prove a pair separated with at most `maxCells` cells. */
  prove(pair: number, maxCells: number): RangeVerdict {
    const axes = this.axesOf(pair);
    if (axes === undefined) return { verdict: 'unbounded', open: [], reach: Number.POSITIVE_INFINITY };
    const reach = axes.reduce((most, { rate }) => Math.max(most, rate), 0);
    const lowerBound = this.tightBound(pair, axes) ?? this.looseBound(pair, axes);
    const heap = new MinHeap();
    const cells: Float64Array[] = [];
    const add = (cell: Float64Array): void => {
      const lower = lowerBound(cell);
      if (!(lower > ROUNDING)) heap.push(lower, cells.push(cell) - 1);
    };
    // A cell is the middle of each axis, then the half widths.
    add(
      Float64Array.from([
        ...axes.map(({ lower, upper }) => 0.5 * (lower + upper)),
        ...axes.map(({ lower, upper }) => 0.5 * (upper - lower)),
      ]),
    );
    while (heap.size > 0 && cells.length < maxCells && axes.length > 0) {
      const cell = cells[heap.pop()];
      const k = widest(cell, axes);
      for (const side of [-0.5, 0.5]) {
        const half = Float64Array.from(cell);
        half[k] += side * cell[axes.length + k];
        half[axes.length + k] *= 0.5;
        add(half);
      }
    }
    if (heap.size === 0) return { verdict: 'separated', open: [], reach };
    const open: Configuration[] = [];
    while (heap.size > 0 && open.length < MAX_OPEN) open.push(this.stateOf(cells[heap.pop()], axes).slice());
    return { verdict: 'undecided', open, reach };
  }

  /** Returns the variables that move a pair with their ranges; undefined if one has no bounds. */
  private axesOf(pair: number): Axis[] | undefined {
    const { model } = this.manager;
    const chains = JointChains.of(model);
    const first = chains.start[chains.chainOfPair[pair]];
    const joints = Array.from(
      { length: chains.lengthOfPair[pair] },
      (_, k) => model.robot.joints[chains.joint[first + k]],
    );
    const rates = this.ratesOf(pair, new Set(joints));
    const axes: Axis[] = [];
    for (const [variable, rate] of rates) {
      let { lower, upper } = model.robot.variables[variable].limits;
      const repeats = joints
        .filter((joint) => joint.variable === variable)
        .every((joint) => joint.type !== 'prismatic' && Math.abs(joint.multiplier) === 1);
      if (repeats && !(upper - lower < FULL_TURN)) {
        lower = Number.isFinite(lower) ? lower : -Math.PI;
        upper = lower + FULL_TURN;
      }
      if (!Number.isFinite(upper - lower) || !Number.isFinite(rate)) return undefined;
      axes.push({ variable, lower, upper, rate });
    }
    return axes;
  }

  /** Returns for each variable that moves a pair how far it moves a point of either part per rad or m, at most. */
  private ratesOf(pair: number, joints: ReadonlySet<Joint>): Map<number, number> {
    const { model } = this.manager;
    const { links, joints: all, variables } = model.robot;
    const { spheres } = JointChains.of(model);
    const rates = new Map<number, number>();
    for (const part of [model.pairA[pair], model.pairB[pair]]) {
      const center = spheres.slice(4 * part, 4 * part + 3);
      let radius = spheres[4 * part + 3];
      for (let l = model.robotParts[part].link; links[l].joint >= 0; l = links[l].parent) {
        const joint = all[links[l].joint];
        if (joint.variable >= 0 && !joints.has(joint)) break; // above the common link
        const { multiplier, offset, variable } = joint;
        const { lower, upper } = variable >= 0 ? variables[variable].limits : { lower: 0, upper: 0 };
        if (joint.type === 'prismatic') {
          const travel = 0.5 * Math.abs(multiplier) * (upper - lower);
          addScaled(center, center, joint.axis, variable < 0 ? offset : multiplier * 0.5 * (lower + upper) + offset);
          if (variable >= 0) radius += travel;
        } else if (joint.type !== 'fixed') radius += ontoAxis(center, joint.axis);
        if (variable >= 0) {
          const rate = Math.abs(multiplier) * (joint.type === 'prismatic' ? 1 : radius);
          rates.set(variable, (rates.get(variable) ?? 0) + rate);
        }
        transformPoint(center, joint.T_parent_joint, center);
      }
    }
    return rates;
  }

  /** Returns the bound of second order for a pair that few joints move; undefined for others. */
  private tightBound(pair: number, axes: readonly Axis[]): ((cell: Float64Array) => number) | undefined {
    const { model } = this.manager;
    const [a, b] = [model.robotParts[model.pairA[pair]], model.partOf(model.pairB[pair]) as RobotPart];
    const isRigid = this.isRigid && isRotation(a.T_link_part) && isRotation(b.T_link_part);
    const geometry = isRigid
      ? pairGeometryOf(JointChains.of(model), pair, { a, b }, this.state, MAX_CELL_JOINTS)
      : undefined;
    if (geometry === undefined) return undefined;
    const { joints } = geometry;
    const order = joints.map(({ joint }) => axes.findIndex(({ variable }) => variable === joint.variable));
    const middle = new Float64Array(joints.length);
    const half = new Float64Array(joints.length);
    const out = { lower: 0, upper: 0 };
    return (cell) => {
      let lost = 0;
      for (const [k, { joint, reach }] of joints.entries()) {
        middle[k] = joint.multiplier * cell[order[k]] + joint.offset;
        half[k] = Math.abs(joint.multiplier) * cell[axes.length + order[k]] + ENLARGED;
        lost += reach * half[k];
      }
      this.bound.compute(out, geometry, middle, half);
      // Without a bound, cells are ordered by one of first order, which is not rigorous and never positive.
      return Number.isFinite(out.lower) ? out.lower : Math.min(0, out.upper - 2 * lost);
    };
  }

  /** Returns the bound of first order. */
  private looseBound(pair: number, axes: readonly Axis[]): (cell: Float64Array) => number {
    const { manager, separation } = this;
    return (cell) => {
      manager.posed.pose(this.stateOf(cell, axes));
      manager.pairDistance(separation, pair, Number.POSITIVE_INFINITY);
      return axes.reduce(
        (lower, { rate }, k) => lower - rate * (cell[axes.length + k] + ENLARGED),
        separation.distance.lower,
      );
    };
  }

  private stateOf(cell: Float64Array, axes: readonly Axis[]): Float64Array {
    for (const [k, { variable }] of axes.entries()) this.q[variable] = cell[k];
    return this.q;
  }
}

/** Returns the axis of a cell along which the pair loses most. */
function widest(cell: Float64Array, axes: readonly Axis[]): number {
  let k = 0;
  for (let i = 1; i < axes.length; i++)
    if (axes[i].rate * cell[axes.length + i] > axes[k].rate * cell[axes.length + k]) k = i;
  return k;
}

/** Moves a point to its projection onto an axis through the origin; returns its distance from it. */
function ontoAxis(center: Vec3, axis: Vec3): number {
  scale(foot, axis, dot(center, axis));
  sub(away, center, foot);
  center.set(foot);
  return norm(away);
}

const foot: Vec3 = createVec3();
const away: Vec3 = createVec3();
