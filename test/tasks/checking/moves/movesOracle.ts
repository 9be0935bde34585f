/** Kinematics of the UR5e from its published Denavit-Hartenberg parameters, and poses of its tool: no project code. */
export type Pose = { readonly p: readonly number[]; readonly R: readonly (readonly number[])[] };

const [D1, A2, A3, D4, D5, D6] = [0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996];
const DH: readonly (readonly [number, number, number])[] = [
  [D1, 0, Math.PI / 2],
  [0, A2, 0],
  [0, A3, 0],
  [D4, 0, Math.PI / 2],
  [D5, 0, -Math.PI / 2],
  [D6, 0, 0],
];

export const add = (a: readonly number[], b: readonly number[], f = 1) => a.map((x, i) => x + f * b[i]);
export const mix = (a: readonly number[], b: readonly number[], s: number) => a.map((x, i) => x + s * (b[i] - x));
export const dist = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]));
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const mul = (A: Pose['R'], B: Pose['R']) =>
  A.map((row) => B[0].map((_, j) => row.reduce((s, x, k) => s + x * B[k][j], 0)));
const apply = (A: Pose['R'], v: readonly number[]) => A.map((row) => row.reduce((s, x, k) => s + x * v[k], 0));
const transposed = (A: Pose['R']) => A[0].map((_, j) => A.map((row) => row[j]));

/** Rotation about a vector by its length. */
export function rotation(v: readonly number[]): number[][] {
  const angle = Math.hypot(...v);
  const [x, y, z] = angle > 0 ? v.map((c) => c / angle) : [1, 0, 0];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  return [
    [c + k * x * x, k * x * y - s * z, k * x * z + s * y],
    [k * x * y + s * z, c + k * y * y, k * y * z - s * x],
    [k * x * z - s * y, k * y * z + s * x, c + k * z * z],
  ];
}

/** Rotation vector of a rotation by less than half a turn. */
export function rotationVector(R: Pose['R']): number[] {
  const v = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]];
  const sine = Math.hypot(...v) / 2;
  const angle = Math.atan2(sine, (R[0][0] + R[1][1] + R[2][2] - 1) / 2);
  return v.map((x) => (sine > 1e-12 ? (x * angle) / (2 * sine) : x / 2));
}

/** Frames 0 to 6 of the arm, in its base. */
function frames(q: readonly number[]): Pose[] {
  const out: Pose[] = [{ p: [0, 0, 0], R: rotation([0, 0, 0]) }];
  for (const [i, [d, a, alpha]] of DH.entries()) {
    const { p, R } = out[i];
    const turned = mul(R, rotation([0, 0, q[i]]));
    out.push({ p: add(p, apply(turned, [a, 0, d])), R: mul(turned, rotation([alpha, 0, 0])) });
  }
  return out;
}

/** Pose of the tool, `tcp` in the frame of the flange along its axes. */
export function toolPose(q: readonly number[], tcp: readonly number[]): Pose {
  const { p, R } = frames(q)[6];
  return { p: add(p, apply(R, tcp)), R };
}

/** Centers of balls on the arm: at the tool (flange frame), and on the forearm, in the base. */
export function balls(q: readonly number[], tool: readonly number[], along: number): number[][] {
  const all = frames(q);
  const forearm = add(all[2].p, apply(mul(all[2].R, rotation([0, 0, q[2]])), [along, 0, 0]));
  return [add(all[6].p, apply(all[6].R, tool)), forearm];
}

/** Position of the elbow. */
export const elbowOf = (q: readonly number[]) => frames(q)[2].p;

/** Rotation from one orientation to another. */
export const mulTransposed = (to: Pose['R'], from: Pose['R']) => mul(to, transposed(from));

/** Solves for a pose by Newton's method from q; undefined if it does not converge nearby. */
export function solve(q: readonly number[], target: Pose, tcp: readonly number[]): number[] | undefined {
  let at = [...q];
  for (let step = 0; step < 12; step++) {
    const all = frames(at);
    const p = add(all[6].p, apply(all[6].R, tcp));
    const w = rotationVector(mul(target.R, transposed(all[6].R)));
    const e = [...add(target.p, p, -1), ...w];
    if (Math.hypot(...e) < 1e-11) return dist(at, q) < 0.5 ? at : undefined;
    const columns = all.slice(0, 6).map((f) => {
      const z = f.R.map((row) => row[2]);
      return [...cross(z, add(p, f.p, -1)), ...z];
    });
    const delta = linear(columns, e);
    if (delta === undefined) return undefined;
    at = add(at, delta);
  }
  return undefined;
}

/** Solves Σ xᵢ columnᵢ = b. */
function linear(columns: readonly (readonly number[])[], b: readonly number[]): number[] | undefined {
  const A = b.map((value, i) => [...columns.map((column) => column[i]), value]);
  for (let c = 0; c < 6; c++) {
    let best = c;
    for (let r = c + 1; r < 6; r++) if (Math.abs(A[r][c]) > Math.abs(A[best][c])) best = r;
    if (Math.abs(A[best][c]) < 1e-9) return undefined;
    [A[c], A[best]] = [A[best], A[c]];
    for (let r = 0; r < 6; r++) {
      const f = r === c ? 0 : A[r][c] / A[c][c];
      for (let k = c; k < 7 && f !== 0; k++) A[r][k] -= f * A[c][k];
    }
  }
  return A.map((row, i) => row[6] / row[i]);
}

/** Orientation at a fraction of the rotation from one to another. */
export const slerp = (a: Pose['R'], b: Pose['R'], s: number) =>
  mul(rotation(rotationVector(mul(b, transposed(a))).map((x) => s * x)), a);
