// Draws the figures of docs/concepts from what the library computes in the scenes of examples/concepts:
// node scripts/figures.mjs [--check]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  configurationOf,
  createSceneRobot,
  createStateValidityChecker,
  planMotion,
  planners,
  planningSpace,
  Random,
  Replay,
  shortcutPath,
} from 'elbowroom';
import {
  CertifiedMotionValidator,
  CollisionManager,
  CollisionModel,
  createPairQuery,
  createPlanarShape,
} from 'elbowroom/collision';
import { loadScene } from 'elbowroom/node';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const INK = '#24292f';
const FREE = '#eef4fb';
const BLOCKED = '#c9ced6';
const FIRST = '#0072b2'; // of a palette for all kinds of color vision
const SECOND = '#d55e00';
const THIRD = '#009e73';

const { scene, robot } = await loadScene('examples/concepts/two-joints.yaml');
const model = createSceneRobot({ scene, robot });
const manager = new CollisionManager(new CollisionModel(model, scene));
const checker = createStateValidityChecker(model, scene);
const plan = planMotion({ scene, robot, model }, { seed: 1, certificate: true });
const [UPPER, FORE] = [0.5, 0.4];
const LIMITS = [3.1, 2.8];

const r = (value) => Number(value.toFixed(2));
const svg = (title, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 380" font-family="sans-serif" font-size="13" fill="${INK}">
<title>${title}</title>
<rect width="700" height="380" fill="#fff"/>
${content.join('\n')}
</svg>
`;
const line = (points, color, more = '') =>
  `<polyline points="${points.map(([x, y]) => `${r(x)},${r(y)}`).join(' ')}" fill="none" stroke="${color}" ${more}/>`;
const polygon = (points, fill, more = '') =>
  `<polygon points="${points.map(([x, y]) => `${r(x)},${r(y)}`).join(' ')}" fill="${fill}" ${more}/>`;
const dot = ([x, y], color, radius = 4) => `<circle cx="${r(x)}" cy="${r(y)}" r="${radius}" fill="${color}"/>`;
const text = (x, y, words, more = '') => `<text x="${r(x)}" y="${r(y)}" ${more}>${words}</text>`;

/** Maps the joint limits to a square of 300 units at (left, 40). */
const toSpace =
  (left) =>
  ([a, b]) => [left + (300 * (a + LIMITS[0])) / (2 * LIMITS[0]), 340 - (300 * (b + LIMITS[1])) / (2 * LIMITS[1])];

/** The states that are valid on a grid, as one path of rows. */
function spaceMap(left, isValid = (q) => checker.isValid(q), cells = 150) {
  const place = toSpace(left);
  const parts = [`<rect x="${left}" y="40" width="300" height="300" fill="${FREE}"/>`];
  let path = '';
  const size = 300 / cells;
  for (let row = 0; row < cells; row++) {
    let from = -1;
    for (let column = 0; column <= cells; column++) {
      const q = [(2 * (column + 0.5)) / cells - 1, (2 * (row + 0.5)) / cells - 1].map((u, k) => u * LIMITS[k]);
      const isBlocked = column < cells && !isValid(q);
      if (isBlocked && from < 0) from = column;
      if (isBlocked || from < 0) continue;
      const y = 340 - (row + 1) * size;
      path += `M${r(left + from * size)} ${r(y)}h${r((column - from) * size)}v${r(size)}h${r((from - column) * size)}z`;
      from = -1;
    }
  }
  parts.push(`<path d="${path}" fill="${BLOCKED}"/>`);
  parts.push(`<rect x="${left}" y="40" width="300" height="300" fill="none" stroke="${INK}"/>`);
  parts.push(text(left + 150, 360, 'shoulder, −3.1 to 3.1 rad', 'text-anchor="middle"'));
  parts.push(
    text(left - 8, 190, 'elbow, −2.8 to 2.8 rad', `text-anchor="middle" transform="rotate(-90 ${left - 8} 190)"`),
  );
  return { parts, place };
}

/** The arm and the obstacles seen from above, around (cx, cy). */
function workspace(cx, cy, configurations, { obstacles } = scene) {
  const place = ([x, y]) => [cx + 150 * x, cy - 150 * y];
  const boxOf = ({ size: [a, b] }, [x, y], angle) =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([u, v]) => {
      const [px, py] = [(u * a) / 2, (v * b) / 2];
      return place([x + px * Math.cos(angle) - py * Math.sin(angle), y + px * Math.sin(angle) + py * Math.cos(angle)]);
    });
  const parts = obstacles.map(
    ({
      parts: [{ shape }],
      pose: {
        xyz,
        quat_wxyz: [w, , , z],
      },
    }) => polygon(boxOf(shape, xyz, 2 * Math.atan2(z, w)), BLOCKED, `stroke="${INK}"`),
  );
  for (const {
    q: [a, b],
    color,
    opacity = 1,
  } of configurations) {
    const elbow = [UPPER * Math.cos(a), UPPER * Math.sin(a)];
    const tip = [elbow[0] + FORE * Math.cos(a + b), elbow[1] + FORE * Math.sin(a + b)];
    const more = `stroke-width="9" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}"`;
    parts.push(line([place([0, 0]), place(elbow), place(tip)], color, more), dot(place(elbow), '#fff', 2.5));
  }
  return [...parts, dot(place([0, 0]), INK, 6)];
}

function configurationSpace() {
  const { parts, place } = spaceMap(370);
  const path = plan.trajectory.points.map(({ positions }) => positions);
  const between = path.slice(1, -1).map((q) => ({ q, color: FIRST, opacity: 0.15 }));
  const ends = [
    { q: path[0], color: THIRD },
    { q: path.at(-1), color: SECOND },
  ];
  return svg('The arm and its configuration space', [
    text(165, 24, 'workspace', 'text-anchor="middle"'),
    text(520, 24, 'configuration space', 'text-anchor="middle"'),
    ...workspace(165, 190, [...between, ...ends]),
    ...parts,
    line(path.map(place), FIRST, 'stroke-width="2.5"'),
    dot(place(path[0]), THIRD, 6),
    dot(place(path.at(-1)), SECOND, 6),
  ]);
}

const SHAPE_A = [
  [-0.5, -0.35],
  [0.35, -0.45],
  [0.55, 0.2],
  [-0.1, 0.5],
];
const SHAPE_B = [
  [-0.4, -0.4],
  [0.5, -0.2],
  [0.3, 0.45],
  [-0.45, 0.3],
];
const B_AT = [1.5, 0.5];

/** Growth distance of two polygons, and their Minkowski difference. */
function growthDistance() {
  const [a, b] = [SHAPE_A, SHAPE_B].map((points) => createPlanarShape({ type: 'polygon', points }));
  const pair = { dimension: 2, track: undefined, a, b };
  const poses = { T_world_a: new Float64Array([1, 0, 0, 0]), T_world_b: new Float64Array([1, 0, ...B_AT]) };
  const query = (solver) =>
    createPairQuery({ solver, what: undefined, gap: undefined, warm: false })({ ...pair, ...poses });
  const { growth } = query('growth-distance-2d');
  const { distance, witnessA, witnessB } = query('gjk-2d');
  const place = ([x, y]) => [90 + 110 * x, 220 - 110 * y];
  const scaled = (points, [x, y], factor) => points.map(([u, v]) => place([x + factor * u, y + factor * v]));
  const difference = hullOf(SHAPE_A.flatMap(([x, y]) => SHAPE_B.map(([u, v]) => [u + B_AT[0] - x, v + B_AT[1] - y])));
  const right = ([x, y]) => [420 + 75 * x, 220 - 75 * y];
  const nearest = [witnessB[0] - witnessA[0], witnessB[1] - witnessA[1]];
  return svg('Growth distance of two polygons and their Minkowski difference', [
    text(175, 24, 'two shapes, and both grown until they touch', 'text-anchor="middle"'),
    text(530, 24, 'all differences b − a', 'text-anchor="middle"'),
    polygon(scaled(SHAPE_A, [0, 0], growth.lower), 'none', `stroke="${FIRST}" stroke-dasharray="5 4"`),
    polygon(scaled(SHAPE_B, B_AT, growth.lower), 'none', `stroke="${SECOND}" stroke-dasharray="5 4"`),
    polygon(scaled(SHAPE_A, [0, 0], 1), '#cfe3f1', `stroke="${FIRST}"`),
    polygon(scaled(SHAPE_B, B_AT, 1), '#f8dcc8', `stroke="${SECOND}"`),
    dot(place([0, 0]), FIRST),
    dot(place(B_AT), SECOND),
    line([place(witnessA), place(witnessB)], INK, 'stroke-width="2"'),
    text(
      175,
      350,
      `growth distance ${growth.lower.toFixed(4)}, distance ${distance.lower.toFixed(4)}`,
      'text-anchor="middle"',
    ),
    polygon(difference.map(right), FREE, `stroke="${INK}"`),
    line([right([0, 0]), right(nearest)], INK, 'stroke-width="2"'),
    dot(right([0, 0]), INK),
    text(right([0, 0])[0] - 6, right([0, 0])[1] + 20, 'origin', 'text-anchor="middle"'),
  ]);
}

/** Convex hull of points in the plane, counterclockwise: Andrew's monotone chain. */
function hullOf(points) {
  const sorted = [...points].sort(([a, b], [c, d]) => a - c || b - d);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = ([a, b], [c, d], [e, f]) => (c - a) * (f - b) - (d - b) * (e - a);

/** Clearance of an edge, and the intervals that conservative advancement proves from single distances. */
function continuousTime() {
  const [from, to] = plan.trajectory.points.slice(1, 3).map(({ positions }) => positions);
  // No point of the arm moves faster than this: each joint's speed times the reach beyond its axis.
  const [reach, beyond] = [Math.hypot(UPPER + FORE, 0.03), Math.hypot(FORE, 0.025)];
  const speed = Math.abs(to[0] - from[0]) * reach + Math.abs(to[1] - from[1]) * beyond;
  const at = (t) => checker.clearance(from.map((q, k) => q + t * (to[k] - q))).distance;
  const top = Math.max(...Array.from({ length: 200 }, (_, i) => at(i / 199)));
  const place = ([t, d]) => [60 + 600 * t, 330 - (280 * d) / top];
  const cones = [];
  let steps = 0;
  for (let t = 0; t < 1; steps++) {
    const distance = at(t);
    const end = Math.min(1, t + distance / speed);
    cones.push(
      polygon(
        [
          [t, 0],
          [t, distance],
          [end, distance - (end - t) * speed],
        ].map(place),
        '#d5ecdf',
        `stroke="${THIRD}"`,
      ),
    );
    t = end + 1e-9;
  }
  const profile = Array.from({ length: 301 }, (_, i) => place([i / 300, at(i / 300)]));
  return svg('Clearance of an edge and what single distances prove', [
    text(360, 24, `clearance of one edge, proved by ${steps} distances`, 'text-anchor="middle"'),
    ...cones,
    line(profile, FIRST, 'stroke-width="2.5"'),
    line([place([0, 0]), place([1, 0])], INK),
    line([place([0, 0]), place([0, top])], INK),
    text(360, 360, 'part of the edge, 0 to 1', 'text-anchor="middle"'),
    text(
      30,
      190,
      `clearance, 0 to ${(1000 * top).toFixed(0)} mm`,
      'text-anchor="middle" transform="rotate(-90 30 190)"',
    ),
  ]);
}

/** Trees of RRT-Connect, its path and the path after shortcutting. */
function planning() {
  const space = planningSpace(model);
  const certified = new CertifiedMotionValidator(manager, space);
  const edges = [];
  const motions = {
    isStateValid: (q) => certified.isStateValid(q),
    isMotionValid(qFrom, qTo, endIsValid) {
      const isValid = certified.isMotionValid(qFrom, qTo, endIsValid);
      if (isValid) edges.push([[...qFrom], [...qTo]]);
      return isValid;
    },
  };
  const start = configurationOf(model, scene.start, 'start');
  const goals = [configurationOf(model, scene.goals[0].joints, 'goal')];
  let iterations = 2000;
  const budget = { isSpent: () => iterations-- === 0 };
  const found = planners['rrt-connect'].plan(
    { space, motions, start, goals },
    { stepSize: 0.4 },
    new Random(2),
    budget,
  );
  const tree = [...edges];
  const short = shortcutPath(found.path, space, certified, new Random(1));
  const { parts, place } = spaceMap(200);
  return svg('Trees of RRT-Connect, the path found and the path after shortcutting', [
    text(350, 24, `RRT-Connect: ${found.nodes} nodes, ${tree.length} certified edges`, 'text-anchor="middle"'),
    ...parts,
    ...tree.map((edge) => line(edge.map(place), FIRST, 'stroke-width="0.8"')),
    line(found.path.map(place), INK, 'stroke-width="2" stroke-dasharray="5 4"'),
    line(short.map(place), SECOND, 'stroke-width="2.5"'),
    dot(place(start), THIRD, 6),
    dot(place(goals[0]), SECOND, 6),
    text(520, 80, 'trees', `fill="${FIRST}"`),
    text(520, 100, 'path found'),
    text(520, 120, 'after shortcutting', `fill="${SECOND}"`),
  ]);
}

/** The spans of each pair of a certificate over the clearance of the motion. */
function certificate() {
  const { pairs, duration } = plan.certificate;
  const profile = new Replay({ scene, robot, model }, plan.trajectory).clearance(300);
  const top = Math.max(...profile.map(({ distance }) => distance));
  const x = (time) => 150 + (520 * time) / duration;
  const rows = pairs.flatMap(({ a, b, spans }, row) => [
    text(140, 57 + 24 * row, `${a} – ${b}`, 'text-anchor="end"'),
    ...spans.map(
      ([from, to], i) =>
        `<rect x="${r(x(from))}" y="${44 + 24 * row}" width="${r(x(to) - x(from))}" height="16" fill="${i % 2 ? '#9cc7e2' : '#cfe3f1'}"/>`,
    ),
  ]);
  const below = 60 + 24 * pairs.length;
  const place = ({ time, distance }) => [x(time), 340 - ((340 - below) * distance) / top];
  const count = pairs.reduce((sum, { spans }) => sum + spans.length, 0);
  return svg('Planes of a certificate over time, and the clearance', [
    text(350, 24, `a certificate: ${count} planes of ${pairs.length} pairs, and the clearance`, 'text-anchor="middle"'),
    ...rows,
    line(profile.map(place), SECOND, 'stroke-width="2.5"'),
    line(
      [
        [150, 340],
        [670, 340],
      ],
      INK,
    ),
    text(410, 362, `time, 0 to ${duration.toFixed(2)} s`, 'text-anchor="middle"'),
    text(140, 250, `0 to ${(1000 * top).toFixed(0)} mm`, 'text-anchor="end"'),
  ]);
}

/** The cells of the wall about a goal that no motion reaches. */
async function cells() {
  const { scene: closed } = await loadScene('examples/concepts/enclosed.yaml');
  const { infeasibility } = planMotion({ scene: closed, robot, model }, { infeasible: true });
  const isFree = createStateValidityChecker(model, closed);
  const { parts, place } = spaceMap(370, (q) => isFree.isValid(q));
  const [wall] = infeasibility.walls;
  const entries = wall.tree.values();
  let colliding = 0;
  const draw = (lower, upper) => {
    const entry = entries.next().value;
    if (typeof entry === 'number') {
      const middle = (lower[entry] + upper[entry]) / 2;
      draw(lower, upper.with(entry, middle));
      draw(lower.with(entry, middle), upper);
      return;
    }
    if (entry !== null) colliding++;
    const [[x, y], [right, top]] = [place(lower), place(upper)];
    const fill = entry === null ? 'none' : `${SECOND}" fill-opacity="0.55`;
    parts.push(
      `<rect x="${r(x)}" y="${r(top)}" width="${r(right - x)}" height="${r(y - top)}" fill="${fill}" stroke="${INK}" stroke-width="0.4"/>`,
    );
  };
  draw(
    LIMITS.map((limit) => -limit),
    LIMITS,
  );
  const ends = [
    { q: closed.start, color: THIRD },
    { q: closed.goals[0].joints, color: SECOND },
  ];
  return svg('A goal that is enclosed, and the certified cells around it', [
    text(165, 24, 'workspace', 'text-anchor="middle"'),
    text(520, 24, `${colliding} certified cells enclose the goal`, 'text-anchor="middle"'),
    ...workspace(165, 190, ends, closed),
    ...parts,
    ...ends.map(({ q, color }) => dot(place(q), color, 5)),
  ]);
}

const figures = {
  'configuration-space': configurationSpace,
  'growth-distance': growthDistance,
  'continuous-time': continuousTime,
  planning,
  certificate,
  cells,
};
mkdirSync('docs/concepts', { recursive: true });
for (const [name, draw] of Object.entries(figures)) {
  const file = `docs/concepts/${name}.svg`;
  const drawn = await draw();
  if (!process.argv.includes('--check')) writeFileSync(file, drawn);
  else if (readFileSync(file, 'utf8') !== drawn) {
    console.error(`${file} differs from what the library computes: run node scripts/figures.mjs`);
    process.exitCode = 1;
  }
}
