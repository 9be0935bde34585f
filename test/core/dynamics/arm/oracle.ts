/**
 * Lagrangian oracle, independent of the algorithms under test: kinetic and potential energy from world poses of the
 * links' centers of mass by forward kinematics, differentiated numerically in complex-free central differences.
 */
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import type { MassProperties, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';

type Vec = readonly number[];
interface Body {
  readonly link: number;
  readonly properties: MassProperties;
}

/** Torques by Lagrange's equations, with the bodies of the description and loads. */
export class Lagrangian {
  private readonly bodies: Body[];
  private readonly state: RobotState;

  constructor(
    robot: RobotModel,
    private readonly gravity: Vec = [0, 0, -9.81],
    loads: readonly { link: string; properties: MassProperties }[] = [],
  ) {
    this.state = new RobotState(robot);
    const index = new Map(robot.links.map(({ name }, i) => [name, i]));
    this.bodies = [
      ...robot.description.links.flatMap(({ name, inertial }) =>
        inertial ? [{ link: index.get(name)!, properties: inertial }] : [],
      ),
      ...loads.map(({ link, properties }) => ({ link: index.get(link)!, properties })),
    ];
  }

  /** Sum of m J_vᵀ J_v + J_wᵀ I J_w, with Jacobians of central differences. */
  massMatrix(q: Vec): number[][] {
    const n = q.length;
    const M = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    const h = 1e-5;
    const at = (k: number, s: number) => this.poses(q.map((x, i) => (i === k ? x + s : x)));
    const plus = q.map((_, k) => at(k, h));
    const minus = q.map((_, k) => at(k, -h));
    const here = this.poses(q);
    for (const [b, { properties }] of this.bodies.entries()) {
      const v = q.map((_, k) => plus[k][b].c.map((x, i) => (x - minus[k][b].c[i]) / (2 * h)));
      const w = q.map((_, k) => spin(plus[k][b].R, minus[k][b].R, here[b].R).map((x) => x / (2 * h)));
      const I = worldInertia(here[b].R, properties.inertia);
      for (let i = 0; i < n; i++)
        for (let k = 0; k < n; k++) M[i][k] += properties.mass * dot(v[i], v[k]) + dot(w[i], times(I, w[k]));
    }
    return M;
  }

  potential(q: Vec): number {
    return -this.poses(q).reduce((sum, { c }, b) => sum + this.bodies[b].properties.mass * dot(this.gravity, c), 0);
  }

  /** M a + dM/dt v − ½ ∂(vᵀ M v)/∂q + ∂V/∂q */
  torques(q: Vec, v: Vec, a: Vec): number[] {
    const h = 1e-4;
    const n = q.length;
    const step = (k: number, s: number) => q.map((x, i) => (i === k ? x + s : x));
    const dM = q.map((_, k) => {
      const [p, m] = [this.massMatrix(step(k, h)), this.massMatrix(step(k, -h))];
      return p.map((row, i) => row.map((x, j) => (x - m[i][j]) / (2 * h)));
    });
    const M = this.massMatrix(q);
    return q.map((_, i) => {
      let sum = (this.potential(step(i, h)) - this.potential(step(i, -h))) / (2 * h);
      for (let j = 0; j < n; j++) {
        sum += M[i][j] * a[j];
        for (let k = 0; k < n; k++) sum += (dM[k][i][j] - dM[i][j][k] / 2) * v[j] * v[k];
      }
      return sum;
    });
  }

  private poses(q: Vec) {
    forwardKinematics(this.state, Float64Array.from(q));
    return this.bodies.map(({ link, properties: { center } }) => {
      const T = this.state.T_world_link[link];
      const R = [T[0], T[1], T[2], T[4], T[5], T[6], T[8], T[9], T[10]];
      return { R, c: [0, 4, 8].map((o) => T[o] * center[0] + T[o + 1] * center[1] + T[o + 2] * center[2] + T[o + 3]) };
    });
  }
}

const dot = (a: Vec, b: Vec) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const times = (M: Vec, x: Vec) => [0, 3, 6].map((o) => M[o] * x[0] + M[o + 1] * x[1] + M[o + 2] * x[2]);

/** Vector of the antisymmetric part of (R₊ − R₋) Rᵀ. */
function spin(plus: Vec, minus: Vec, R: Vec): number[] {
  const S = [0, 1, 2].map((i) =>
    [0, 1, 2].map((k) => [0, 1, 2].reduce((s, m) => s + (plus[3 * i + m] - minus[3 * i + m]) * R[3 * k + m], 0)),
  );
  return [(S[2][1] - S[1][2]) / 2, (S[0][2] - S[2][0]) / 2, (S[1][0] - S[0][1]) / 2];
}

function worldInertia(R: Vec, [xx, yy, zz, xy, xz, yz]: Vec): number[] {
  const I = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  const out: number[] = [];
  for (let i = 0; i < 3; i++)
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let m = 0; m < 3; m++) for (let n = 0; n < 3; n++) sum += R[3 * i + m] * I[3 * m + n] * R[3 * k + n];
      out.push(sum);
    }
  return out;
}
