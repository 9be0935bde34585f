import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { type QpGradient, QpSolver, solveQp } from '../../../src/core/optimization/quadraticProgram.ts';

interface Program {
  readonly label: string;
  readonly P: Float64Array;
  readonly c: Float64Array;
  readonly G: Float64Array;
  readonly h: Float64Array;
}

/** Returns a feasible program with curvature along `rank` directions; `unit` scales x. */
function randomProgram(random: Random, n: number, m: number, rank: number, unit = 1): Program {
  const draw = () => random.between(-1, 1);
  const A = Array.from({ length: rank * n }, draw);
  const P = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) for (let k = 0; k < rank; k++) P[n * i + j] += A[n * k + i] * A[n * k + j];
  }
  const c = Float64Array.from({ length: n }, () => 3 * unit * draw());
  const G = Float64Array.from({ length: m * n }, draw);
  const inside = Array.from({ length: n }, () => unit * draw());
  const h = Float64Array.from({ length: m }, (_, i) => rowTimes(G, i, inside) + unit * random.between(0.05, 1));
  return { label: `n ${n}, m ${m}, rank ${rank}, unit ${unit}`, P, c, G, h };
}

const rowTimes = (M: ArrayLike<number>, i: number, x: ArrayLike<number>): number => {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += M[x.length * i + j] * x[j];
  return sum;
};

/** Returns the largest violation of the KKT conditions, computed with plain sums. */
function violation({ P, c, G, h }: Program, x: Float64Array, z: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < c.length; i++) {
    let force = rowTimes(P, i, x) + c[i];
    for (let k = 0; k < h.length; k++) force += G[c.length * k + i] * z[k];
    worst = Math.max(worst, Math.abs(force));
  }
  for (let k = 0; k < h.length; k++) {
    const slack = h[k] - rowTimes(G, k, x);
    worst = Math.max(worst, -slack, -z[k], Math.abs(slack * z[k]));
  }
  return worst;
}

/** Adds box constraints around x, so that programs without curvature are bounded. */
function boxed({ label, P, c, G, h }: Program, half: number): Program {
  const n = c.length;
  const rows = Array.from({ length: 2 * n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (j === i % n ? (i < n ? 1 : -1) : 0)),
  );
  return {
    label: `${label}, boxed`,
    P,
    c,
    G: Float64Array.from([...G, ...rows.flat()]),
    h: Float64Array.from([...h, ...rows.map(() => half)]),
  };
}

test('the KKT conditions hold to 1e-9, with and without curvature, at three scales', () => {
  const random = new Random(1);
  for (let i = 0; i < 600; i++) {
    const n = 1 + random.below(12);
    const rank = random.below(3) === 0 ? random.below(n) : n;
    for (const unit of [1e-3, 1, 1e3]) {
      const program = boxed(randomProgram(random, n, random.below(20), rank, unit), 5 * unit);
      const { status, x, z, residual, iterations } = solveQp(program.P, program.c, program.G, program.h);
      expect(['optimal', 'degenerate'], program.label).toContain(status);
      expect(violation(program, x, z) / Math.max(1, unit * unit), program.label).toBeLessThan(1e-9);
      expect(residual, program.label).toBeLessThan(1e-9);
      expect(iterations, program.label).toBeLessThan(40);
    }
  }
});

test('solutions equal closed forms: projections onto a box, and no constraints', () => {
  const random = new Random(2);
  for (let i = 0; i < 200; i++) {
    const n = 1 + random.below(6);
    const P = new Float64Array(n * n);
    for (let k = 0; k < n; k++) P[(n + 1) * k] = 1;
    const target = Array.from({ length: n }, () => random.between(-3, 3));
    const c = Float64Array.from(target, (x) => -x);
    const { G, h } = boxed({ label: '', P, c, G: new Float64Array(0), h: new Float64Array(0) }, 1);
    const found = solveQp(P, c, G, h);
    target.forEach((x, k) => {
      expect(found.x[k]).toBeCloseTo(Math.min(1, Math.max(-1, x)), 12);
      expect(found.z[k]).toBeCloseTo(Math.max(0, x - 1), 12);
    });
    const free = solveQp(P, c, [], []);
    expect(free.status).toBe('optimal');
    target.forEach((x, k) => {
      expect(free.x[k]).toBeCloseTo(x, 12);
    });
  }
});

describe('programs without a solution are detected', () => {
  test('infeasible constraints', () => {
    const random = new Random(3);
    for (let i = 0; i < 300; i++) {
      const n = 1 + random.below(8);
      const program = randomProgram(random, n, n + random.below(10), n);
      // Two contradicting rows with a gap between them.
      const G = Float64Array.from([...program.G, ...program.G.slice(0, n), ...program.G.slice(0, n).map((x) => -x)]);
      const gap = 10 ** random.between(-4, 1);
      const h = Float64Array.from([...program.h, 0.3, -0.3 - gap]);
      expect(solveQp(program.P, program.c, G, h).status, `${program.label}, gap ${gap}`).toBe('infeasible');
    }
    expect(solveQp([1], [0], [0], [-1]).status).toBe('infeasible');
  });

  test('an unbounded cost', () => {
    const random = new Random(4);
    for (let i = 0; i < 300; i++) {
      const n = 2 + random.below(6);
      // Curvature along all directions except d, along which no constraint bounds the cost.
      const d = Array.from({ length: n }, () => random.between(-1, 1));
      const length2 = d.reduce((sum, x) => sum + x * x, 0);
      const flat = (v: number[]) => {
        const along = v.reduce((sum, x, k) => sum + x * d[k], 0) / length2;
        return v.map((x, k) => x - along * d[k]);
      };
      const A = Array.from({ length: n }, () => flat(Array.from({ length: n }, () => random.between(-1, 1))));
      const P = Float64Array.from({ length: n * n }, (_, k) =>
        A.reduce((sum, row) => sum + row[Math.floor(k / n)] * row[k % n], 0),
      );
      const c = Float64Array.from(d, (x, k) => -x + flat(d.map((_, j) => Math.sin(j)))[k]);
      const G = Array.from({ length: 5 }, () => {
        const row = flat(Array.from({ length: n }, () => random.between(-1, 1)));
        return row.map((x, k) => x - random.below(2) * 0.2 * d[k]);
      });
      const h = Float64Array.from({ length: 5 }, () => random.between(0.1, 1));
      expect(solveQp(P, c, G.flat(), h).status, `program ${i}`).toBe('unbounded');
    }
    expect(solveQp([0], [1], [], []).status).toBe('unbounded');
    expect(solveQp([0], [1], [1], [1]).status).toBe('unbounded');
  });

  test('a solution that is not unique, a multiplier of 0, linearly dependent rows', () => {
    // min 0 over −1 <= x <= 1
    expect(solveQp([0], [0], [1, -1], [1, 1]).status).toBe('degenerate');
    // min ½ x² with x <= 0: the bound touches the minimum
    expect(solveQp([1], [0], [1], [0]).status).toBe('degenerate');
    // min ½ (x − 2)² with x <= 1 twice
    const twice = solveQp([1], [-2], [1, 1], [1, 1]);
    expect(twice.status).toBe('degenerate');
    expect(twice.x[0]).toBeCloseTo(1, 9);
    expect(twice.z[0] + twice.z[1]).toBeCloseTo(1, 9);
    // ½ (x + y)² − (x + y): every x + y = 1 is a solution
    expect(solveQp([1, 1, 1, 1], [-1, -1], [1, 0, -1, 0, 0, 1, 0, -1], [5, 5, 5, 5]).status).toBe('degenerate');
    expect(solveQp([-1], [0], [1, -1], [1, 1]).status).toBe('not-convex');
  });
});

/** Returns all data in one array. */
const flattened = ({ P, c, G, h }: QpGradient) => [...P, ...c, ...G, ...h];

function randomChange(random: Random, { c, G, h }: Program): QpGradient {
  const n = c.length;
  const draw = () => random.between(-1, 1);
  const P = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) P[n * i + j] = P[n * j + i] = draw();
  return { P, c: c.map(draw), G: G.map(draw), h: h.map(draw) };
}

describe('derivatives', () => {
  const random = new Random(5);
  const cases = Array.from({ length: 150 }, (_, i) => {
    const n = 1 + random.below(6);
    const program = randomProgram(random, n, 1 + random.below(10), n, [1e-3, 1, 1e3][i % 3]);
    return { program, change: randomChange(random, program) };
  });

  test('the derivatives of the solution by all data equal finite differences', () => {
    let [compared, held] = [0, 0];
    for (const { program, change } of cases) {
      const n = program.c.length;
      const solver = new QpSolver(n, program.h.length);
      if (solver.solve(program.P, program.c, program.G, program.h) !== 'optimal') continue;
      const [x, z] = [solver.x.slice(), solver.z.slice()];
      const [dx, dz] = [new Float64Array(n), new Float64Array(z.length)];
      solver.pushForward(dx, dz, change);
      const at = (step: number) => {
        const moved = (data: Float64Array, d: Float64Array) => data.map((value, k) => value + step * d[k]);
        solver.solve(
          moved(program.P, change.P),
          moved(program.c, change.c),
          moved(program.G, change.G),
          moved(program.h, change.h),
        );
        return [...solver.x, ...solver.z];
      };
      const scale = Math.max(...x.map(Math.abs), ...z.map(Math.abs), ...dx.map(Math.abs), ...dz.map(Math.abs));
      const differences = (step: number) => {
        const [above, below] = [at(step), at(-step)];
        return above.map((value, k) => (value - below[k]) / (2 * step) / scale);
      };
      const step = 1e-5 * Math.min(1, Math.max(...x.map(Math.abs)));
      const [coarse, fine] = [differences(2 * step), differences(step)];
      const known = fine.map((value, k) => (4 * value - coarse[k]) / 3);
      // another constraint becomes active, or the curvature is too large
      if (known.some((value, k) => Math.abs(value - fine[k]) > 1e-6)) continue;
      compared++;
      if (z.some((value) => value > 0)) held++;
      [...dx, ...dz].forEach((value, k) => {
        expect(Math.abs(value / scale - known[k]), program.label).toBeLessThan(1e-6);
      });
    }
    expect(compared).toBeGreaterThan(80);
    expect(held).toBeGreaterThan(60);
  });

  test('pullBack and pushForward are transposes of each other', () => {
    for (const { program, change } of cases) {
      const [n, m] = [program.c.length, program.h.length];
      const { solver, status } = solveQp(program.P, program.c, program.G, program.h);
      if (status !== 'optimal') continue;
      const [dx, dz] = [new Float64Array(n), new Float64Array(m)];
      solver.pushForward(dx, dz, change);
      const byX = Float64Array.from(dx, () => random.between(-1, 1));
      const byZ = Float64Array.from(dz, () => random.between(-1, 1));
      const out = {
        P: new Float64Array(n * n),
        c: new Float64Array(n),
        G: new Float64Array(m * n),
        h: new Float64Array(m),
      };
      solver.pullBack(out, byX, byZ);
      const terms = [...[...dx].map((d, i) => d * byX[i]), ...[...dz].map((d, i) => d * byZ[i])];
      const forward = terms.reduce((sum, x) => sum + x, 0);
      const changes = flattened(change);
      const products = flattened(out).map((value, k) => value * changes[k]);
      const backward = products.reduce((sum, x) => sum + x, 0);
      const size = [...terms, ...products].reduce((sum, x) => sum + Math.abs(x), 0);
      expect(Math.abs(forward - backward), program.label).toBeLessThan(1e-9 * size);
    }
  });

  test('derivatives of degenerate programs are finite', () => {
    const { solver, status } = solveQp([1, 1, 1, 1], [-1, -1], [1, 0, -1, 0, 0, 1, 0, -1], [5, 5, 5, 5]);
    expect(status).toBe('degenerate');
    const out = { P: new Float64Array(4), c: new Float64Array(2), G: new Float64Array(8), h: new Float64Array(4) };
    solver.pullBack(out, [1, 0]);
    for (const value of flattened(out)) expect(Number.isFinite(value)).toBe(true);
  });
});

test('a larger solver gives the same results as one that fits, independent of earlier programs', () => {
  const random = new Random(6);
  const large = new QpSolver(12, 30);
  for (let i = 0; i < 50; i++) {
    const n = 1 + random.below(6);
    const { P, c, G, h } = boxed(randomProgram(random, n, random.below(12), n), 4);
    const fitting = solveQp(P, c, G, h);
    expect(large.solve(P, c, G, h)).toBe(fitting.status);
    expect(large.x.slice(0, n)).toEqual(fitting.x);
    expect(large.z.slice(0, h.length)).toEqual(fitting.z);
  }
  expect(() => large.solve(new Float64Array(400), new Float64Array(20), [], [])).toThrowError(/exceed the capacity/);
});

test('constraints with an infinite bound are ignored', () => {
  const found = solveQp([1], [-2], [1, 1], [Number.POSITIVE_INFINITY, 1]);
  expect(found.x[0]).toBeCloseTo(1, 12);
  expect(found.z[0]).toBeCloseTo(0, 12);
});
