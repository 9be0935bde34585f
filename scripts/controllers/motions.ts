import type { Random } from '../../src/core/math/random.ts';
import { blendedMotion } from '../../src/core/trajectory/blendedMotion.ts';
import { timeParameterize } from '../../src/core/trajectory/timeParameterization.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../src/core/trajectory/trajectory.ts';

const MOST_JOINTS = 7;

/** A motion as the project's planners time it: with stops or blends, with or without jerk limits. */
export function plannedMotion(random: Random): Trajectory {
  const dof = 1 + random.below(MOST_JOINTS);
  const all = (value: number) => new Float64Array(dof).fill(value);
  const limits: MotionLimits = {
    lower: all(-7),
    upper: all(7),
    velocity: all(10 ** random.between(-0.5, 0.7)),
    acceleration: all(10 ** random.between(0, 1.3)),
    jerk: all(random.next() < 0.3 ? 10 ** random.between(1.5, 3) : Number.POSITIVE_INFINITY),
  };
  const path = Array.from({ length: 2 + random.below(5) }, () =>
    Float64Array.from(all(0), () => random.between(-3, 3)),
  );
  const jointNames = namesOf(dof);
  if (random.next() < 0.5) return timeParameterize(path, jointNames, limits);
  return blendedMotion(path, jointNames, limits, () => true).trajectory;
}

/**
 * A message of others as YAML: each point has what it likes of velocities and accelerations, lists that it does not use
 * may be empty.
 */
export function foreignMessage(random: Random): string {
  const dof = 1 + random.below(MOST_JOINTS);
  const list = (reach: number) => `[${Array.from({ length: dof }, () => random.between(-reach, reach)).join(', ')}]`;
  const uniform = random.next() < 0.4 ? random.below(3) : -1;
  let time = random.next() < 0.2 ? 0.5 : 0;
  const points = Array.from({ length: 2 + random.below(6) }, () => {
    const kind = uniform >= 0 ? uniform : random.below(3);
    const lines = [`positions: ${list(3)}`];
    if (kind > 0) lines.push(`velocities: ${list(4)}`);
    else if (random.next() < 0.5) lines.push('velocities: []');
    if (kind > 1) lines.push(`accelerations: ${list(30)}`);
    else if (random.next() < 0.5) lines.push('accelerations: []');
    const [sec, nanosec] = [Math.floor(time), Math.round((time - Math.floor(time)) * 1e9)];
    lines.push(`time_from_start: {sec: ${sec}, nanosec: ${Math.min(nanosec, 999_999_999)}}`);
    time += 10 ** random.between(-2.5, 0.5);
    return `  - ${lines.join('\n    ')}\n`;
  });
  return `joint_names: [${namesOf(dof).join(', ')}]\npoints:\n${points.join('')}`;
}

/** Accelerations that belong to other curves, under a statement that the curve is cubic. */
export function withOddAccelerations(trajectory: Trajectory, random: Random): Trajectory {
  const odd = (point: TrajectoryPoint) => ({
    ...point,
    accelerations: point.positions.map(() => random.between(-9, 9)),
  });
  return { ...trajectory, interpolation: 'cubic', points: trajectory.points.map(odd) };
}

const namesOf = (dof: number) => Array.from({ length: dof }, (_, j) => `joint_${j + 1}`);
