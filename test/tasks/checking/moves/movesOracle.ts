/** Kinematics of arms by their Denavit-Hartenberg parameters, and poses of their tools: no project code. */
export type Pose = { readonly p: readonly number[]; readonly R: readonly (readonly number[])[] };

/** Lengths of an arm of Universal Robots, metres, a2 and a3 negative. */
export interface ArmLengths {
  readonly d1: number;
  readonly a2: number;
  readonly a3: number;
  readonly d4: number;
  readonly d5: number;
  readonly d6: number;
}

/** The lengths that the maker publishes for the UR5e. */
const UR5E: ArmLengths = { d1: 0.1625, a2: -0.425, a3: -0.3922, d4: 0.1333, d5: 0.0997, d6: 0.0996 };

export const add = (a: readonly number[], b: readonly number[], f = 1) => a.map((x, i) => x + f * b[i]);
export const mix = (a: readonly number[], b: readonly number[], s: number) => a.map((x, i) => x + s * (b[i] - x));
export const dist = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]));
const mul = (A: Pose['R'], B: Pose['R']) =>
  A.map((row) => B[0].map((_, j) => row.reduce((s, x, k) => s + x * B[k][j], 0)));
export const apply = (A: Pose['R'], v: readonly number[]) =>
  A.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
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

/** A pose in the frame of another one. */
export const placed = (T: Pose, { p, R }: Pose): Pose => ({ p: add(T.p, apply(T.R, p)), R: mul(T.R, R) });

/** Rotation from one orientation to another. */
export const mulTransposed = (to: Pose['R'], from: Pose['R']) => mul(to, transposed(from));

/** An orientation turned by a share of a rotation vector. */
export const turnedBy = (R: Pose['R'], w: readonly number[], s: number) => mul(rotation(w.map((x) => s * x)), R);

/** Orientation at a fraction of the rotation from one to another. */
export const slerp = (a: Pose['R'], b: Pose['R'], s: number) => turnedBy(a, rotationVector(mulTransposed(b, a)), s);

/** Rows of A B and A v, of matrices of order 3 at places of flat lists. */
function multiply(out: Float64Array, at: number, A: Float64Array, a: number, B: Float64Array, b: number): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += A[a + 3 * i + k] * B[b + 3 * k + j];
      out[at + 3 * i + j] = sum;
    }
}

const rotated = (R: Float64Array, at: number, [x, y, z]: readonly number[]) =>
  [0, 3, 6].map((row) => R[at + row] * x + R[at + row + 1] * y + R[at + row + 2] * z);

/** An arm. Poses are in its base; `tcp`: the position of the tool in the frame of the flange, its rotation vector. */
export class OracleArm {
  private readonly rows: readonly (readonly number[])[];
  /** Positions of the frames 0 to 6, and their rotations. */
  private readonly places = new Float64Array(21);
  private readonly turns = new Float64Array(63);
  private readonly step = new Float64Array(9);
  private readonly system = new Float64Array(42);

  constructor({ d1, a2, a3, d4, d5, d6 }: ArmLengths) {
    const quarter = Math.PI / 2;
    const table = [
      [d1, 0, quarter],
      [0, a2, 0],
      [0, a3, 0],
      [d4, 0, quarter],
      [d5, 0, -quarter],
      [d6, 0, 0],
    ];
    this.rows = table.map(([d, a, alpha]) => [d, a, Math.cos(alpha), Math.sin(alpha)]);
  }

  private pose(q: readonly number[]): void {
    const { places, turns, step, rows } = this;
    for (let k = 0; k < 9; k++) turns[k] = k % 4 === 0 ? 1 : 0;
    places[0] = places[1] = places[2] = 0;
    for (let i = 0; i < 6; i++) {
      const [d, a, ca, sa] = rows[i];
      const [c, s] = [Math.cos(q[i]), Math.sin(q[i])];
      step[0] = c;
      step[1] = -s * ca;
      step[2] = s * sa;
      step[3] = s;
      step[4] = c * ca;
      step[5] = -c * sa;
      step[7] = sa;
      step[8] = ca;
      for (let k = 0; k < 3; k++) {
        const row = 9 * i + 3 * k;
        places[3 * i + 3 + k] = places[3 * i + k] + a * (c * turns[row] + s * turns[row + 1]) + d * turns[row + 2];
      }
      multiply(turns, 9 * i + 9, turns, 9 * i, step, 0);
    }
  }

  private place(i: number): number[] {
    return [...this.places.subarray(3 * i, 3 * i + 3)];
  }

  private rotationOf(i: number): number[][] {
    return [0, 3, 6].map((row) => [...this.turns.subarray(9 * i + row, 9 * i + row + 3)]);
  }

  toolPose(q: readonly number[], tcp: readonly number[]): Pose {
    this.pose(q);
    const flange = { p: this.place(6), R: this.rotationOf(6) };
    return placed(flange, { p: tcp.slice(0, 3), R: rotation(tcp.length > 3 ? tcp.slice(3) : [0, 0, 0]) });
  }

  /** Position of a point of the upper arm (1) or the forearm (2), at a place along its x axis, or of the flange (6). */
  point(q: readonly number[], frame: number, at: readonly number[]): number[] {
    this.pose(q);
    const [c, s] = frame < 6 ? [Math.cos(q[frame]), Math.sin(q[frame])] : [1, 0];
    const own = [c * at[0] - s * at[1], s * at[0] + c * at[1], at[2]];
    return add(this.place(frame), rotated(this.turns, 9 * frame, own));
  }

  elbow(q: readonly number[]): number[] {
    this.pose(q);
    return this.place(2);
  }

  /** Solves for a pose by Newton's method from q; undefined if it does not converge nearby. */
  solve(q: readonly number[], { p, R }: Pose, tcp: readonly number[]): number[] | undefined {
    const { places, turns, system } = this;
    const flange = tcp.length > 3 ? mul(R, transposed(rotation(tcp.slice(3)))) : R;
    const goal = Float64Array.of(...flange[0], ...flange[1], ...flange[2]);
    const at = [...q];
    for (let step = 0; step < 12; step++) {
      this.pose(at);
      const tool = rotated(turns, 54, tcp).map((x, k) => x + places[18 + k]);
      const e = turnBetween(turns, 54, goal);
      const size = Math.hypot(p[0] - tool[0], p[1] - tool[1], p[2] - tool[2], e[0], e[1], e[2]);
      if (size < 1e-11) return dist(at, q) < 0.5 ? at : undefined;
      for (let k = 0; k < 3; k++) {
        system[7 * k + 6] = p[k] - tool[k];
        system[7 * k + 27] = e[k];
      }
      this.fillJacobian(tool);
      if (!eliminate(system)) return undefined;
      for (let k = 0; k < 6; k++) at[k] += system[7 * k + 6] / system[7 * k + k];
    }
    return undefined;
  }

  /** Writes the Jacobian of a point at the posed state into the system, rows of seven numbers. */
  private fillJacobian(point: readonly number[]): void {
    const { places, turns, system } = this;
    for (let j = 0; j < 6; j++) {
      const [x, y, z] = [turns[9 * j + 2], turns[9 * j + 5], turns[9 * j + 8]];
      const u = point[0] - places[3 * j];
      const v = point[1] - places[3 * j + 1];
      const w = point[2] - places[3 * j + 2];
      system[j] = y * w - z * v;
      system[7 + j] = z * u - x * w;
      system[14 + j] = x * v - y * u;
      system[21 + j] = x;
      system[28 + j] = y;
      system[35 + j] = z;
    }
  }
}

/** Rotation vector of goal Rᵀ, for a rotation R at a place of a list. */
function turnBetween(R: Float64Array, at: number, goal: Float64Array): number[] {
  const entry = (i: number, j: number) =>
    goal[3 * i] * R[at + 3 * j] + goal[3 * i + 1] * R[at + 3 * j + 1] + goal[3 * i + 2] * R[at + 3 * j + 2];
  const v = [entry(2, 1) - entry(1, 2), entry(0, 2) - entry(2, 0), entry(1, 0) - entry(0, 1)];
  const sine = Math.hypot(v[0], v[1], v[2]) / 2;
  const angle = Math.atan2(sine, (entry(0, 0) + entry(1, 1) + entry(2, 2) - 1) / 2);
  const factor = sine > 1e-12 ? angle / (2 * sine) : 0.5;
  return [v[0] * factor, v[1] * factor, v[2] * factor];
}

/** Makes a system of six rows of seven numbers diagonal; false if it is singular. */
function eliminate(A: Float64Array): boolean {
  for (let c = 0; c < 6; c++) {
    let best = c;
    for (let r = c + 1; r < 6; r++) if (Math.abs(A[7 * r + c]) > Math.abs(A[7 * best + c])) best = r;
    if (Math.abs(A[7 * best + c]) < 1e-9) return false;
    for (let k = c; k < 7 && best !== c; k++) {
      const value = A[7 * c + k];
      A[7 * c + k] = A[7 * best + k];
      A[7 * best + k] = value;
    }
    for (let r = 0; r < 6; r++) {
      const f = r === c ? 0 : A[7 * r + c] / A[7 * c + c];
      for (let k = c; k < 7 && f !== 0; k++) A[7 * r + k] -= f * A[7 * c + k];
    }
  }
  return true;
}

export const ur5e = new OracleArm(UR5E);

/** Pose of the tool of the UR5e. */
export const toolPose = (q: readonly number[], tcp: readonly number[]): Pose => ur5e.toolPose(q, tcp);

/** Centers of balls on the UR5e: at the tool (flange frame), and on the forearm, in the base. */
export const balls = (q: readonly number[], tool: readonly number[], along: number): number[][] => [
  ur5e.point(q, 6, tool),
  ur5e.point(q, 2, [along, 0, 0]),
];

/** Position of the elbow of the UR5e. */
export const elbowOf = (q: readonly number[]) => ur5e.elbow(q);

/** Solves for a pose of the UR5e from q; undefined if Newton's method does not converge nearby. */
export const solve = (q: readonly number[], target: Pose, tcp: readonly number[]) => ur5e.solve(q, target, tcp);
