import { describe, expect, test } from 'vitest';
import type { Span } from '../../../src/core/certificate/certificate.ts';
import type { CertifiedScene } from '../../../src/core/certificate/convexParts.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import type { TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { judge, path, withSpans } from './judge.ts';
import {
  at,
  body,
  certificateOf,
  joint,
  link,
  motionOf,
  pair,
  robotOf,
  slidingBox,
  turnedAt,
  type World,
} from './worlds.ts';

describe('a box that slides past a wall', () => {
  test('is proved by the plane between them, with a gap that it keeps', () => {
    const world = slidingBox();
    const answer = judge(world);
    expect(answer).toMatchObject({ proved: true, problems: [], spans: 1 });
    expect(answer.leastGap).toBeGreaterThan(0);
    expect(answer.leastGap).toBeLessThanOrEqual(0.05);
    // Without acceleration the bound is the gap itself, but for rounding.
    const lines = { ...world.trajectory, interpolation: 'linear' as const };
    const { leastGap } = judge({ ...world, trajectory: lines });
    expect(leastGap).toBeGreaterThan(0.05 - 1e-9);
    expect(leastGap).toBeLessThanOrEqual(0.05);
  });

  test('may have spans that meet, overlap or take no time, and a direction that is rounded', () => {
    const world = slidingBox();
    expect(withSpans(world, [0, 1, 0, 1, 0], [1, 2, 0, 1, 0]).proved).toBe(true);
    expect(withSpans(world, [0, 1.5, 0, 1, 0], [0.5, 0.5, 0, 1, 0], [1, 2, 0, 1, 0]).proved).toBe(true);
    expect(withSpans(world, [0, 2, 0, 1.0000001, 0]).proved).toBe(true);
  });

  test('is proved by an oblique plane for as long as that leaves something', () => {
    // n = (sin a, cos a): the far end of the wall, at x = −1.5, begins at 0.15 cos a − 1.5 sin a, the box ends at 0.1
    // cos a + (0.1 + q) sin a
    const world = slidingBox();
    const tilted = (a: number): Span => [0, 2, Math.sin(a), Math.cos(a), 0];
    const limit = Math.atan(0.05 / 2.6); // q = 1
    expect(withSpans(world, tilted(limit - 1e-8)).proved).toBe(true);
    expect(withSpans(world, tilted(limit + 1e-8)).proved).toBe(false);
  });

  test('keeps the padding where the plane leaves as much, and not where it leaves less', () => {
    expect(judge(slidingBox({ padding: 0.05 - 1e-7 })).proved).toBe(true);
    expect(judge(slidingBox({ padding: 0.05 + 1e-7 })).proved).toBe(false);
  });

  test('has no proof in a certificate without pairs, unless the two may touch', () => {
    const world = slidingBox();
    const empty = { ...world.certificate, pairs: [] };
    expect(judge({ ...world, certificate: empty }).problems).toEqual([
      'slider (part 0) and wall (part 0): the pair is missing',
    ]);
    const { scene } = slidingBox({ allow: [['wall', 'slider']] });
    expect(judge({ ...world, scene, certificate: empty }).proved).toBe(true);
  });
});
describe('a bar that swings past a wall', () => {
  /** 50 cm long, 4 cm thick, from −60° to 60°: it reaches x = 0.5 in the middle, and 0.27 at the ends. */
  function swinging(wallBegins: number, points: readonly TrajectoryPoint[]): World {
    const robot = robotOf(
      [link('post'), link('bar', [{ type: 'box', size: [0.5, 0.04, 0.04] }, at(0.25, 0, 0)])],
      [joint('continuous', ['post', 'bar'], [0, 0, 1])],
    );
    const wall = body('wall', at(wallBegins + 0.05, 0, 0), { type: 'box', size: [0.1, 2, 2] });
    const trajectory = motionOf(robot, points);
    return {
      robot,
      scene: { obstacles: [wall], attached: [], allow: [], padding: 0 },
      trajectory,
      certificate: certificateOf(trajectory, [
        pair('bar', 'wall', [[0, points.at(-1)!.time_from_start ?? points.length - 1, 1, 0, 0]]),
      ]),
    };
  }
  const sixty = Math.PI / 3;
  const reach = Math.hypot(0.5, 0.02); // of its vertex, when it points at the wall

  test('is proved where the wall begins behind the circle of the vertex', () => {
    expect(judge(swinging(reach + 1e-7, path([-sixty], [sixty]))).proved).toBe(true);
  });

  test('is refused where the plane holds at both ends and fails in between', () => {
    const answer = judge(swinging(reach - 1e-7, path([-sixty], [sixty])));
    expect(answer.proved).toBe(false);
    expect(answer.problems[0]).toMatch(/bar .* and wall .* leaves -?\d/);
    expect(judge(swinging(0.4, path([-sixty], [sixty]))).proved).toBe(false);
  });

  test('is refused where it rests at points that are free and bulges into the wall between them', () => {
    const at35 = -0.7; // x = 0.5 cos 0.7 + 0.02 sin 0.7 = 0.395
    const slow = (velocity: number): TrajectoryPoint[] => [
      { time_from_start: 0, positions: [at35], velocities: [velocity] },
      { time_from_start: 1, positions: [at35], velocities: [-velocity] },
    ];
    expect(judge(swinging(0.45, slow(0))).proved).toBe(true);
    expect(judge(swinging(0.45, slow(0.1))).proved).toBe(true); // bulges by v T / 4
    expect(judge(swinging(0.45, slow(2))).proved).toBe(false);
    // The same points as straight lines stay where they are.
    const world = swinging(0.45, slow(2));
    const lines = { ...world.trajectory, interpolation: 'linear' as const };
    expect(judge({ ...world, trajectory: lines }).proved).toBe(true);
  });

  test('that waits before its first point is verified from 0 on', () => {
    const points = [1, 2].map((time_from_start) => ({ time_from_start, positions: [-sixty] }));
    const world = swinging(0.45, points);
    expect(judge(world).proved).toBe(true);
    expect(withSpans(world, [1, 2, 1, 0, 0]).problems[0]).toContain('a hole from 0 to 1');
  });

  test('may be at rest in a path of one point', () => {
    expect(judge(swinging(0.45, path([-sixty]))).proved).toBe(true);
    expect(judge(swinging(0.45, path([0]))).proved).toBe(false);
  });
});

describe('directions turn with the second body', () => {
  /** Two spheres of 30 cm, 1 m apart on arms of their own; the right one turns about its own middle. */
  const robot = robotOf(
    [
      link('base'),
      link('left', [{ type: 'sphere', radius: 0.3 }]),
      link('right', [{ type: 'cylinder', radius: 0.3, length: 0.2 }]),
    ],
    [
      joint('fixed', ['base', 'left'], [0, 0, 1]),
      joint('revolute', ['base', 'right'], [0, 0, 1], { origin: at(1, 0, 0), lower: -3, upper: 3 }),
    ],
    { pose: turnedAt(2, -1, 0.5, 0.8) },
  );
  /** Turned by θ, a direction that was that of the middles leaves cos θ − 0.6. */
  const parts = (turn: number, attached: CertifiedScene['attached'], pairs: Parameters<typeof certificateOf>[1]) => {
    const trajectory = motionOf(robot, path([0], [turn]));
    const scene = { obstacles: [], attached, allow: [], padding: 0 };
    return judge({ robot, scene, trajectory, certificate: certificateOf(trajectory, pairs) }).proved;
  };
  const limit = Math.acos(0.6);

  test('of a link', () => {
    const leftFirst = [pair('left', 'right', [[0, 1, 1, 0, 0]])];
    expect(parts(limit - 1e-7, [], leftFirst)).toBe(true);
    expect(parts(limit + 1e-7, [], leftFirst)).toBe(false);
  });

  test('and stand still with a first body that turns', () => {
    const rightFirst = [pair('right', 'left', [[0, 1, -1, 0, 0]])];
    expect(parts(3, [], rightFirst)).toBe(true);
  });

  test('of an attached object, in its own frame', () => {
    const cup = {
      ...body('cup', turnedAt(0, 0, 0.2, Math.PI / 2), { type: 'cylinder', radius: 0.3, length: 0.1 }),
      link: 'right',
      touches: [],
    };
    const links = pair('right', 'left', [[0, 1, -1, 0, 0]]);
    const x = [links, pair('left', 'cup', [[0, 1, 1, 0, 0]])];
    const y = [links, pair('left', 'cup', [[0, 1, 0, -1, 0]])]; // x of the link is −y of the cup
    expect(parts(limit - 1e-7, [cup], x)).toBe(false);
    expect(parts(limit - 1e-7, [cup], y)).toBe(true);
    expect(parts(limit + 1e-7, [cup], y)).toBe(false);
    expect(parts(0.1, [cup], [links])).toBe(false);
  });
});

describe('a sphere above a half-space', () => {
  /**
   * Sinks half as fast as its leader slides, from 1 m; the ground lies under a slope of its own pose, with a margin.
   */
  function sinking(depth: number, pose: Pose, direction: readonly [number, number, number]): boolean {
    const robot = robotOf(
      [link('mast'), link('cart'), link('lamp', [{ type: 'sphere', radius: 0.1, margin: 0.05 }])],
      [
        joint('prismatic', ['mast', 'cart'], [0, 1, 0]),
        joint('prismatic', ['mast', 'lamp'], [0, 0, -1], {
          mimic: { joint: 'to_cart', multiplier: 0.5, offset: -1 },
        }),
      ],
    );
    const trajectory = motionOf(robot, path([0], [2 * depth]));
    const ground = body('ground', pose, { type: 'halfspace', normal: [0, 0, 2], margin: 0.25 });
    const certificate = certificateOf(trajectory, [pair('lamp', 'ground', [[0, 1, ...direction]])]);
    return judge({
      robot,
      scene: { obstacles: [ground], attached: [], allow: [], padding: 0 },
      trajectory,
      certificate,
    }).proved;
  }

  test('is separated until it sinks to the margin, and not beyond', () => {
    expect(sinking(0.6 - 1e-9, at(3, 0, 0), [0, 0, -1])).toBe(true);
    expect(sinking(0.6 + 1e-9, at(3, 0, 0), [0, 0, -1])).toBe(false);
  });

  test('is separated by no other direction than the normal of the half-space, up to rounding', () => {
    const tilted = (angle: number): [number, number, number] => [Math.sin(angle), 0, -Math.cos(angle)];
    expect(sinking(0.1, at(0, 0, 0), tilted(1e-9))).toBe(true);
    expect(sinking(0.1, at(0, 0, 0), tilted(1e-4))).toBe(false);
    expect(sinking(0.1, at(0, 0, 0), [0, 0, 1])).toBe(false);
  });

  test('turns with the pose of the half-space', () => {
    const wall: Pose = { xyz: [-1, 0, 0], quat_wxyz: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] }; // its z is the world's x
    expect(sinking(0.3, wall, [-1, 0, 0])).toBe(true);
    expect(sinking(0.3, { ...wall, xyz: [-0.39, 0, 0] }, [-1, 0, 0])).toBe(false);
  });
});

test('every part of an object needs its own planes, numbered in the order of the file', () => {
  const robot = robotOf(
    [
      link('rail'),
      link(
        'fork',
        [{ type: 'capsule', radius: 0.05, length: 1 }, at(0, -1, 0)],
        [{ type: 'sphere', radius: 0.1 }, at(0, 1, 0)],
      ),
    ],
    [joint('prismatic', ['rail', 'fork'], [1, 0, 0])],
  );
  const gate = body(
    'gate',
    at(0.5, 0, 0),
    { type: 'box', size: [0.1, 0.2, 0.2] },
    { type: 'ellipsoid', radii: [0.3, 0.2, 0.1] },
  );
  const trajectory = motionOf(robot, path([0], [1]));
  const scene = { obstacles: [gate], attached: [], allow: [], padding: 0 };
  const up: Span[] = [[0, 1, 0, 1, 0]];
  const down: Span[] = [[0, 1, 0, -1, 0]];
  const all = [
    pair('fork', 'gate', up, 0, 0),
    pair('fork', 'gate', up, 0, 1),
    pair('fork', 'gate', down, 1, 0),
    pair('fork', 'gate', down, 1, 1),
  ];
  const verdict = (pairs: typeof all) =>
    judge({ robot, scene, trajectory, certificate: certificateOf(trajectory, pairs) });
  expect(verdict(all).proved).toBe(true);
  expect(verdict(all.toReversed()).proved).toBe(true);
  for (const one of all) {
    expect(verdict(all.filter((other) => other !== one)).problems).toHaveLength(1);
    const swapped = { ...one, partA: 1 - one.partA };
    expect(verdict(all.map((other) => (other === one ? swapped : other))).proved).toBe(false);
  }
});
