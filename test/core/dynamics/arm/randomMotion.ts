import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';

/** A cubic or quintic motion through random points, at rest at both ends. */
export function randomMotion({ variables }: RobotModel, random: () => number): Trajectory {
  const count = 2 + Math.floor(3 * random());
  const isQuintic = random() < 0.5;
  let time = 0;
  const points = Array.from({ length: count }, (_, i) => {
    if (i > 0) time += 0.3 + random();
    const row = (size: number) => variables.map(() => (i === 0 || i === count - 1 ? 0 : size * (2 * random() - 1)));
    return {
      time_from_start: time,
      positions: variables.map(() => 4 * random() - 2),
      velocities: row(2),
      ...(isQuintic && { accelerations: row(4) }),
    };
  });
  return { jointNames: variables.map(({ name }) => name), points };
}

/** Position, velocity and acceleration at t by divided differences of Hermite data. @param side selects the segment */
export function rates({ points }: Trajectory, t: number, side: number): { q: number[]; v: number[]; a: number[] } {
  let i = points.findIndex(({ time_from_start: end }) => side <= end!) - 1;
  i = Math.max(0, i);
  const [from, to] = [points[i], points[i + 1]];
  const T = to.time_from_start! - from.time_from_start!;
  const s = t - from.time_from_start!;
  const out = { q: [] as number[], v: [] as number[], a: [] as number[] };
  for (const [j, x] of from.positions.entries()) {
    const half = from.accelerations && from.accelerations[j] / 2;
    const [v, y, w] = [from.velocities![j], to.positions[j], to.velocities![j]];
    const nodes = half === undefined ? [0, 0, T, T] : [0, 0, 0, T, T, T];
    const values = half === undefined ? [x, x, y, y] : [x, x, x, y, y, y];
    const table = [values];
    for (let order = 1; order < nodes.length; order++)
      table.push(
        nodes.slice(order).map((node, k) => {
          const width = node - nodes[k];
          if (width > 0) return (table[order - 1][k + 1] - table[order - 1][k]) / width;
          if (order === 1) return node === 0 ? v : w;
          return node === 0 ? half! : to.accelerations![j] / 2;
        }),
      );
    let [p, dp, ddp] = [0, 0, 0];
    for (let order = nodes.length - 1; order >= 0; order--) {
      const u = s - nodes[order];
      [p, dp, ddp] = [p * u + table[order][0], dp * u + p, ddp * u + 2 * dp];
    }
    out.q.push(p);
    out.v.push(Math.abs(dp) < 1e-12 ? 0 : dp); // rest, up to rounding
    out.a.push(ddp);
  }
  return out;
}
