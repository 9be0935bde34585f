// Convex bodies from rings: a link's outside is given as a few circles, and its body is the convex hull of polygons
// around them.

/**
 * Corners of the regular polygon around a circle: `radius` is that of the circle inside, so the polygon never cuts into
 * it.
 */
export function ringCorners({ symmetric, at: [u, v], radius, tilt = 0 }, corners) {
  // in the plane of symmetry, at right angles to the ring's axis
  const [across, up] = [-Math.sin(radians(tilt)), Math.cos(radians(tilt))];
  const reach = radius / Math.cos(Math.PI / corners);
  return Array.from({ length: corners }, (_, k) => {
    const angle = ((k + 0.5) * 2 * Math.PI) / corners;
    const side = reach * Math.sin(angle);
    const along = reach * Math.cos(angle);
    const [a, b] = [u + along * across, v + along * up];
    return symmetric === 'x' ? [side, a, b] : [a, side, b];
  });
}

/**
 * Convex hull of a few points: {vertices, faces}, faces as lists of vertex numbers, counter-clockwise from outside.
 * Every plane through three points that has all others behind it is a face; slow, but plain, and flat faces of many
 * corners stay whole.
 */
export function convexHull(points) {
  const size = Math.max(...points.map((p) => Math.hypot(...p)));
  const faces = new Map();
  for (let i = 0; i < points.length; i++) {
    for (let j = 0; j < points.length; j++) {
      for (let k = i + 1; k < points.length; k++) {
        if (j === i || j === k || (j < k && j < i)) continue;
        const normal = unit(cross(sub(points[j], points[i]), sub(points[k], points[i])), size * size);
        if (normal === undefined) continue;
        const heights = points.map((p) => dot(normal, sub(p, points[i])));
        if (Math.max(...heights) > flatness * size) continue;
        const members = heights.flatMap((h, n) => (h > -flatness * size ? [n] : []));
        const key = members.join();
        if (!faces.has(key)) faces.set(key, outline(members, points, normal));
      }
    }
  }
  const used = [...new Set([...faces.values()].flat())].sort((a, b) => a - b);
  const renumbered = new Map(used.map((n, i) => [n, i]));
  return {
    vertices: used.map((n) => points[n]),
    faces: [...faces.values()].map((f) => f.map((n) => renumbered.get(n))),
  };
}

/**
 * Relative to the size of the body: points nearer to a plane than this lie on it. Above rounding, far below a
 * micrometre on an arm.
 */
const flatness = 1e-9;

/**
 * Corners of the flat set `members`, counter-clockwise about `normal`; points inside it and on its sides are left out
 * (Andrew's monotone chain).
 */
function outline(members, points, normal) {
  const across = unit(cross(Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], normal), 1);
  const up = cross(normal, across);
  const flat = members.map((n) => ({ n, x: dot(across, points[n]), y: dot(up, points[n]) }));
  const size = Math.max(...flat.map((p) => Math.hypot(p.x - flat[0].x, p.y - flat[0].y)));
  flat.sort((a, b) => (Math.abs(a.x - b.x) > flatness * size ? a.x - b.x : a.y - b.y));
  const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= flatness * size * size) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(flat), ...half(flat.toReversed())].map((p) => p.n);
}

/** Wavefront OBJ text; lengths in metres, to the micrometre. */
export function objText({ vertices, faces }, comment) {
  const number = (x) => String(Math.round(x * 1e6) / 1e6 + 0);
  return [
    `# ${comment}`,
    ...vertices.map((p) => `v ${p.map(number).join(' ')}`),
    ...faces.map((f) => `f ${f.map((n) => n + 1).join(' ')}`),
    '',
  ].join('\n');
}

/**
 * Second moments of the solid, as the matrix of inertia about `origin` for a mass spread evenly: {xx, xy, xz, yy, yz,
 * zz}.
 */
export function evenInertia({ vertices, faces }, mass, origin) {
  let volume = 0;
  const moments = Array.from({ length: 3 }, () => [0, 0, 0]); // ∫ p pᵀ over the solid
  for (const face of faces) {
    for (let k = 2; k < face.length; k++) {
      // The tetrahedron from the origin: ∫ p pᵀ = V/20 (Σ vᵢ vᵢᵀ + s sᵀ) with s = Σ vᵢ
      const corner = [face[0], face[k - 1], face[k]].map((n) => sub(vertices[n], origin));
      const sixth = dot(corner[0], cross(corner[1], corner[2])) / 6;
      volume += sixth;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const sum = (corner[0][i] + corner[1][i] + corner[2][i]) * (corner[0][j] + corner[1][j] + corner[2][j]);
          moments[i][j] += (sixth / 20) * (corner.reduce((s, c) => s + c[i] * c[j], 0) + sum);
        }
      }
    }
  }
  const m = (i, j) => (moments[i][j] * mass) / volume;
  const [xx, yy, zz] = [m(0, 0), m(1, 1), m(2, 2)];
  return { xx: yy + zz, xy: -m(0, 1), xz: -m(0, 2), yy: xx + zz, yz: -m(1, 2), zz: xx + yy };
}

const radians = (degrees) => (degrees * Math.PI) / 180;
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** `a` at length one; undefined where it is shorter than rounding at that scale, which three points in a row give. */
function unit(a, scale) {
  const length = Math.hypot(...a);
  return length > 1e-9 * scale ? a.map((x) => x / length) : undefined;
}
