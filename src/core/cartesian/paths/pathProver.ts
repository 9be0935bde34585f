import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { LinkFrame } from '../../kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { lineLeg } from '../cartesianLeg.ts';
import { type LegInterval, LegProver, type LegVerdict } from '../legProver.ts';
import type { PathTolerance } from '../pathTolerance.ts';
import type { IdealPath, PathLeg } from './idealPath.ts';
import { PathTimes } from './pathTimes.ts';

/** Share of the tolerance by which the interval of a blend is within its sphere; steps of the search for its ends. */
const INSIDE_SHARE = 0.25;
const EDGE_STEPS = 30;

/** Where a motion leaves a tool path. */
export interface PathFault {
  readonly verdict: Exclude<LegVerdict, { kind: 'proved' }>;
  /** Index of the leg. */
  readonly leg: number;
}

/** Result of a proof of a tool path. */
export interface PathProof {
  /** Empty: proved. */
  readonly faults: readonly PathFault[];
  /** Time at which each leg begins, and at which the last one ends. */
  readonly times: Float64Array;
}

/**
 * Proves that a tool follows an ideal path over continuous time: the legs one after another, each between the times at
 * which the tool passes its ends, or between the spheres about them; in a sphere the tool has the orientation at its
 * corner. The times are found numerically (`PathTimes`); the proof holds for any. The tool is that of a chain whose
 * world is the frame of the path. One per thread.
 */
export class PathProver {
  readonly times: PathTimes;
  private readonly legs: LegProver;

  constructor(model: RobotModel, tool: LinkFrame, interrupt: Interrupt) {
    this.times = new PathTimes(model, tool);
    this.legs = new LegProver(model, tool, interrupt);
  }

  /**
   * Proves or refutes that the curve follows a path from its start to its end in an interval of time.
   * @param most limit of the faults that are listed
   */
  prove(
    curve: TrajectoryCurve,
    path: IdealPath,
    span: readonly [number, number],
    given: PathTolerance,
    most = 1,
  ): PathProof {
    const { legs, slack } = path;
    const tolerance = { ...given, position: given.position - slack };
    const times = this.times.ofLegs(curve, path, span, given);
    const faults: PathFault[] = [];
    let from = times[0];
    for (const [k, { leg, radius }] of legs.entries()) {
      const isStartFree = k > 0 && legs[k - 1].radius > 0;
      const [enter, exit] = radius > 0 ? this.blend(curve, legs[k], [from, times[k + 1], times[k + 2]], tolerance) : [];
      const to = enter ?? times[k + 1];
      const along: LegInterval = { leg, from, to, isStartFree, isEndFree: radius > 0 };
      const corner: LegInterval = { leg: lineLeg(leg.end, leg.end), from: to, to: exit ?? to };
      const verdicts = [
        this.legs.prove(curve, along, tolerance),
        ...(radius > 0 ? [this.legs.prove(curve, corner, { ...tolerance, position: radius })] : []),
      ];
      for (const verdict of verdicts) if (verdict.kind !== 'proved') faults.push({ verdict, leg: k });
      if (faults.length >= most) break;
      from = corner.to;
    }
    return { faults, times };
  }

  /**
   * Finds the interval about the time of a corner in which the tool is in the sphere about it, somewhat smaller than
   * its radius.
   * @param span start of the leg before, time of the corner, end of the leg after
   */
  private blend(
    curve: TrajectoryCurve,
    { leg, radius }: PathLeg,
    [from, at, to]: readonly [number, number, number],
    tolerance: PathTolerance,
  ): readonly [number, number] {
    const most = radius - INSIDE_SHARE * tolerance.position;
    const isInside = (time: number) => this.times.distance(curve, leg.end, time, tolerance) <= most;
    const edge = (end: number) => {
      let [inside, outside] = [at, end];
      const ends = curve.timesBetween(Math.min(at, end), Math.max(at, end));
      for (const time of end < at ? Array.from(ends).reverse() : ends) {
        if (!isInside(time)) {
          outside = time;
          break;
        }
        inside = time;
      }
      if (outside === end && isInside(end)) return end;
      for (let step = 0; step < EDGE_STEPS; step++) {
        const middle = 0.5 * (inside + outside);
        if (isInside(middle)) inside = middle;
        else outside = middle;
      }
      return inside;
    };
    return [edge(from), edge(to)];
  }
}
