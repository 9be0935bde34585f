import { RobotState } from '../../kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { derived } from '../../math/derived.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { JointChains } from '../bounds/jointChains.ts';
import { hasRigidJoints, isRotation } from '../filter/floatErrors.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import type { RobotPart } from '../model/modelParts.ts';
import { CellBound, pairGeometryOf } from './cellBound.ts';
import { PairTable } from './pairTable.ts';

/** Metres: covers the rounding of poses and supports, in tables and in exact checks. */
const ROUNDING = 1e-6;
/**
 * Joint length (rad, m) of the shortest intervals of the prover. A pair whose distance exceeds what it can lose within
 * half of that is proved by the prover as well: tables change no verdict.
 */
const INTERVAL = 0.002;

/** A table, and the parts for which it was made. */
interface StoredTable {
  readonly a: RobotPart;
  readonly b: RobotPart;
  readonly table: PairTable;
}

/** The tables of a robot, which all models with it share. */
class RobotTables {
  readonly state: RobotState;
  readonly bound: CellBound;
  /** Tables by the shape of part A, so that those of attached objects end with them. */
  readonly stored = new WeakMap<ConvexShape, StoredTable[]>();
  readonly isRigid: boolean;

  constructor(robot: RobotModel) {
    this.state = new RobotState(robot);
    this.bound = new CellBound(this.state);
    this.isRigid = hasRigidJoints(this.state) && isRotation(this.state.T_world_link[0]);
  }

  /** Returns the table of a pair; undefined if it has none. */
  tableOf(model: CollisionModel, pair: number): PairTable | undefined {
    const a = model.robotParts[model.pairA[pair]];
    const b = model.robotParts[model.pairB[pair]];
    const isRigid = this.isRigid && isRotation(a.T_link_part) && isRotation(b.T_link_part);
    const geometry = isRigid ? pairGeometryOf(JointChains.of(model), pair, { a, b }, this.state) : undefined;
    if (geometry === undefined) return undefined;
    const stored = this.stored.get(a.shape) ?? [];
    const known = stored.find((one) => isSamePart(one.a, a) && isSamePart(one.b, b));
    if (known) return known.table;
    const table = new PairTable(geometry, this.bound);
    this.stored.set(a.shape, [...stored, { a, b, table }]);
    return table;
  }
}

const isSamePart = (one: RobotPart, other: RobotPart): boolean =>
  one.shape === other.shape &&
  one.link === other.link &&
  one.T_link_part.every((entry, i) => entry === other.T_link_part[i]);

const robotTables = derived((robot: RobotModel) => new RobotTables(robot));

/**
 * Tables of the self-collision pairs of a model that one or two joints move, such as forearm and wrist: they prove most
 * of these pairs separated without a narrow-phase query, for states and for straight edges. Tables grow where they are
 * queried and are kept with the robot. They only prove what the exact checks, and the prover at its default resolution,
 * prove as well.
 */
export class SelfPairTables {
  /** Table of each pair; null: it has none; undefined: not yet known. */
  private readonly tables: (PairTable | null | undefined)[];

  /** Returns the tables of a model, which all its checks share. */
  static readonly of = derived((model: CollisionModel) => new SelfPairTables(model));

  private constructor(private readonly model: CollisionModel) {
    this.tables = new Array<PairTable | null | undefined>(model.pairCount).fill(undefined);
  }

  /** Returns true if a table proves that the pair is farther apart than `padding` in state q. */
  separatesState(pair: number, q: Configuration, padding: number): boolean {
    const table = this.tables[pair];
    if (table === null) return false;
    return (table ?? this.find(pair))?.exceeds(q, padding + ROUNDING) ?? false;
  }

  /**
   * Returns true if a table proves that the pair is farther apart than `padding` from time `start` to `end` of the
   * straight line that is at qFrom at 0 and at qTo at 1.
   */
  separatesLine(
    pair: number,
    line: { readonly qFrom: Configuration; readonly qTo: Configuration },
    start: number,
    end: number,
    padding: number,
  ): boolean {
    const known = this.tables[pair];
    if (known === null) return false;
    const table = known ?? this.find(pair);
    if (table === undefined) return false;
    return table.exceedsAlong(line.qFrom, line.qTo, start, end, padding + ROUNDING + 0.5 * INTERVAL * table.reach);
  }

  /** Finds the table of a pair when it is queried for the first time. */
  private find(pair: number): PairTable | undefined {
    const { model } = this;
    const table = model.isSelfPair(pair) ? robotTables(model.robot).tableOf(model, pair) : undefined;
    this.tables[pair] = table ?? null;
    return table;
  }
}
