import { type Certificate, type PageData, Replay, type Trajectory, trajectoryHash } from 'elbowroom';
import type { SplitClearance } from 'elbowroom/types';
import { Vector3 } from 'three';
import type { RobotFigure } from '../stage/robotFigure.ts';

/** Samples of the curves of a plan. */
const SAMPLES = 240;

/** A motion with what proves it. */
export interface GivenPlan {
  /** Planner and seed, or the name of a file. */
  readonly label?: string | undefined;
  readonly trajectory: Trajectory;
  readonly certificate?: Certificate | undefined;
  readonly stats?: PageData['stats'];
}

/** A motion of the shown scene that is kept to compare it with others. */
export interface KeptPlan extends GivenPlan {
  readonly label: string;
  readonly hash: string;
  /** Index of its colour. */
  readonly color: number;
  readonly replay: Replay;
  readonly curves: PlanCurves;
  /** True if it is drawn while another one is open. */
  isOverlaid: boolean;
  clearance: readonly SplitClearance[] | undefined;
  /** Resolves to its clearance. */
  measured: Promise<readonly SplitClearance[]>;
  /** Result of the verification of its certificate. */
  proof: string;
}

/** Figures and curves of a motion that are computed from its trajectory alone. */
export interface PlanCurves {
  /** Length in joint space: L2, rad and m. */
  readonly length: number;
  /** Length of the path of the tool center point, metres. */
  readonly toolLength: number;
  /** Speed of the tool center point over time, m/s; none of a path without times. */
  readonly toolSpeed: readonly (readonly [number, number])[];
  /** Greatest velocity of a joint, as a fraction of its limit. */
  readonly fastestJoint: readonly (readonly [number, number])[];
}

/** Keeps a plan. @param probe a robot that is not shown */
export function keepPlan(given: GivenPlan, problem: PageData['problem'], probe: RobotFigure, color: number): KeptPlan {
  const { trajectory, certificate } = given;
  const replay = new Replay(problem, trajectory);
  const own = trajectory.planner && `${trajectory.planner}, seed ${trajectory.seed}`;
  return {
    ...given,
    label: given.label ?? own ?? 'motion',
    hash: trajectoryHash(trajectory),
    color,
    replay,
    curves: curvesOf(replay, trajectory, probe),
    isOverlaid: true,
    clearance: undefined,
    measured: Promise.resolve([]),
    proof: certificate ? 'verifying …' : 'no certificate',
  };
}

function curvesOf({ start, end, curve, robot }: Replay, trajectory: Trajectory, probe: RobotFigure): PlanCurves {
  const q = new Float64Array(robot.dof);
  const before = new Float64Array(robot.dof);
  const isTimed = trajectory.points.every(({ time_from_start: time }) => time !== undefined);
  const last = curve?.end ?? end;
  const curves = {
    length: 0,
    toolLength: 0,
    toolSpeed: [] as [number, number][],
    fastestJoint: [] as [number, number][],
  };
  let tool = new Vector3();
  for (let i = 0; i < SAMPLES; i++) {
    const time = start + ((last - start) * i) / (SAMPLES - 1);
    curve!.position(q, time);
    probe.pose(q);
    const at = probe.toolPoint();
    if (i > 0) {
      const moved = at.distanceTo(tool);
      curves.length += Math.hypot(...q.map((value, j) => value - before[j]));
      curves.toolLength += moved;
      const middle = time - (last - start) / (SAMPLES - 1) / 2;
      if (isTimed && last > start) curves.toolSpeed.push([middle, (moved * (SAMPLES - 1)) / (last - start)]);
    }
    tool = at;
    before.set(q);
    if (!isTimed) continue;
    curve!.velocity(q, time);
    const ratio = (v: number, j: number) => Math.abs(v) / robot.variables[j].limits.velocity;
    curves.fastestJoint.push([time, Math.max(...q.map(ratio))]);
  }
  return curves;
}
