/** Meshes as triangles, nine numbers each, made from numbers alone: what the decomposition is tried on. */
export type Point = readonly [number, number, number];

/** The outline in x and y, counter-clockwise, between z = 0 and `height`. `fan` lists the triangles of the outline. */
export function prism(
  outline: readonly (readonly [number, number])[],
  fan: readonly number[],
  height: number,
): Point[] {
  const at = (i: number, z: number): Point => [outline[i][0], outline[i][1], z];
  const mesh: Point[] = [];
  for (let t = 0; t < fan.length; t += 3) {
    mesh.push(at(fan[t], height), at(fan[t + 1], height), at(fan[t + 2], height));
    mesh.push(at(fan[t + 2], 0), at(fan[t + 1], 0), at(fan[t], 0));
  }
  for (let i = 0; i < outline.length; i++) {
    const j = (i + 1) % outline.length;
    mesh.push(at(i, 0), at(j, 0), at(j, height), at(i, 0), at(j, height), at(i, height));
  }
  return mesh;
}

export function block([x0, y0, z0]: Point, [x1, y1, z1]: Point): Point[] {
  const outline: [number, number][] = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
  return prism(outline, [0, 1, 2, 0, 2, 3], z1 - z0).map(([x, y, z]): Point => [x, y, z + z0]);
}

/** 4 long, 3 high, its limbs 1 thick, 1 deep. */
export const lProfile = prism(
  [
    [0, 0],
    [4, 0],
    [4, 1],
    [1, 1],
    [1, 3],
    [0, 3],
  ],
  [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5],
  1,
);

/** 4 wide, 3 high, its walls 1 thick, 2 deep. */
export const uProfile = prism(
  [
    [0, 0],
    [4, 0],
    [4, 3],
    [3, 3],
    [3, 1],
    [1, 1],
    [1, 3],
    [0, 3],
  ],
  [0, 5, 6, 0, 6, 7, 0, 1, 5, 1, 4, 5, 1, 2, 4, 2, 3, 4],
  2,
);

/** An open box of walls 0.1 thick, 2 by 3 by 1, without a lid. */
export const bin: Point[] = (() => {
  const ring = (x: number, y: number, z: number): Point[] => [
    [x, y, z],
    [2 - x, y, z],
    [2 - x, 3 - y, z],
    [x, 3 - y, z],
  ];
  const quad = (a: Point, b: Point, c: Point, d: Point): Point[] => [a, b, c, a, c, d];
  const [low, high] = [ring(0, 0, 0), ring(0, 0, 1)];
  const [floor, rim] = [ring(0.1, 0.1, 0.1), ring(0.1, 0.1, 1)];
  const mesh = [...quad(low[3], low[2], low[1], low[0]), ...quad(floor[0], floor[1], floor[2], floor[3])];
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    mesh.push(...quad(low[i], low[j], high[j], high[i]));
    mesh.push(...quad(high[i], high[j], rim[j], rim[i]));
    mesh.push(...quad(rim[i], rim[j], floor[j], floor[i]));
  }
  return mesh;
})();

/** Around z, of 2·`steps` by `steps` corners. */
export function torus(ring: number, tube: number, steps = 10): Point[] {
  const at = (i: number, j: number): Point => {
    const u = (Math.PI * (i % (2 * steps))) / steps;
    const v = (2 * Math.PI * (j % steps)) / steps;
    const r = ring + tube * Math.cos(v);
    return [r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v)];
  };
  const mesh: Point[] = [];
  for (let i = 0; i < 2 * steps; i++) {
    for (let j = 0; j < steps; j++) {
      mesh.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return mesh;
}

export const numbersOf = (mesh: readonly Point[]): Float64Array => Float64Array.from(mesh.flat());

/** Turned by a rotation of no simple angles (a quaternion of whole numbers), scaled, moved. */
export function turned(mesh: readonly Point[], scale = 1, shift: Point = [0, 0, 0]): Point[] {
  const [w, x, y, z] = [6, 2, -3, 1].map((c) => c / Math.sqrt(50));
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const along = (row: readonly number[], p: Point) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2];
  return mesh.map((p): Point => [0, 1, 2].map((k) => scale * along(rows[k], p) + shift[k]) as [number, number, number]);
}
