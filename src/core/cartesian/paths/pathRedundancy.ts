import type { FreeJoint } from '../../kinematics/composition/chainInFrame.ts';
import { PI } from '../../math/trigonometry.ts';
import type { PathStep } from '../../scene/program.ts';
import type { ToolTracker } from '../toolTracker.ts';

/** Returns the rotations of the tool that a path leaves free, as joints of a chain. */
export const freeJoints = ({ isYawFree, tilt }: PathStep): FreeJoint[] => {
  if (!isYawFree) return [];
  const yaw = { name: 'rotation about the axis of the tool', axis: [0, 0, 1], most: Number.POSITIVE_INFINITY } as const;
  if (tilt === 0) return [yaw];
  const most = TILT_SHARE * tilt;
  return [yaw, { name: 'tilt about x', axis: [1, 0, 0], most }, { name: 'tilt about y', axis: [0, 1, 0], most }];
};

/** Below 1 / √2: tilts about two axes are together at most the tilt. */
const TILT_SHARE = 0.7;

/** Relative: rates that a unit joint rate leaves after those of the tool are removed. */
const SELF_MOTION = 1e-6;

/** Returns true if joints can move without the tool, at a configuration without symmetry. */
export function hasSelfMotion(tracker: ToolTracker): boolean {
  const { variables } = tracker.model;
  const q = Float64Array.from(variables, ({ limits: { lower, upper } }, j) => {
    const share = 0.2 + 0.6 * ((j * 0.618) % 1);
    return upper - lower < Number.POSITIVE_INFINITY ? lower + share * (upper - lower) : share * PI;
  });
  return variables.some((_, j) => {
    const rates = new Float64Array(q.length);
    rates[j] = 1;
    const before = new Float64Array(6);
    tracker.twist(before, q, rates);
    if (before.every((value) => value === 0)) return false; // does not move the tool at all
    tracker.projectToSelfMotion(rates, q);
    return rates.some((rate) => Math.abs(rate) > SELF_MOTION);
  });
}
