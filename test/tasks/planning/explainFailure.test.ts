import { describe, expect, test } from 'vitest';
import { type AttachedObject, IDENTITY_POSE, type Obstacle, type Scene } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { describeExplanation, explainFailure } from '../../../src/tasks/planning/explanation/explainFailure.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { RADIUS, slide, slider, THICK } from '../slider.ts';

const box = (name: string, x: number, y: number, width: number, height: number): Obstacle => ({
  name,
  parts: [{ shape: { type: 'box', size: [width, height, 1] } }],
  pose: { ...IDENTITY_POSE, xyz: [x, y, 0] },
});
/** A closed room around the origin, 0.8 m wide inside. */
const room = [
  box('north', 0, 0.42, 0.88, THICK),
  box('south', 0, -0.42, 0.88, THICK),
  box('east', 0.42, 0, THICK, 0.88),
  box('west', -0.42, 0, THICK, 0.88),
];
/** A wall across the square with a slit that the ball does not pass, but for a thinner one. */
const slit = (width: number) => [
  box('left_half', 0, -1.5 - width / 2, THICK, 3),
  box('right_half', 0, 1.5 + width / 2, THICK, 3),
];

function problemOf(changes: Partial<Scene>, robot = slider()) {
  const scene: Scene = {
    name: 'square',
    robot: { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' },
    start: [0, 0],
    goals: [{ kind: 'joints', joints: [0.8, 0.3] }],
    equivalent: false,
    obstacles: [],
    attached: [],
    allow: [],
    padding: 0,
    ...changes,
  };
  return { scene, robot };
}

function explained(problem: ReturnType<typeof problemOf>, options = { iterations: 400 }) {
  const answer = planMotion(problem, options);
  expect(answer.status).not.toBe('solved');
  return explainFailure(problem, answer, options);
}

describe('a closed room', () => {
  const explanation = explained(problemOf({ obstacles: room }));
  const search = explanation.search!;

  test('names every wall that stops the search, and that a path exists without any one of them', () => {
    const stopping = new Set(search.stopped_by.map(({ pair: [, wall] }) => wall));
    expect([...stopping].sort()).toEqual(['east', 'north', 'south', 'west']);
    expect(search.stopped_by.reduce((sum, { motions }) => sum + motions, 0)).toBe(search.looked_at);
    expect(explanation.without.map(({ names: [wall] }) => wall)).toEqual([...stopping]);
    for (const { kind, status, waypoints, path_length } of explanation.without) {
      expect({ kind, status }).toEqual({ kind: 'obstacle', status: 'solved' });
      expect(waypoints).toBeGreaterThanOrEqual(2);
      expect(path_length).toBeGreaterThanOrEqual(Math.hypot(0.8, 0.3) - 1e-9);
    }
  });

  test('holds the tree of the start, and parts it from that of the goal by a wall and two radii at least', () => {
    const { from_start, from_goal, distance } = search.nearest;
    expect(search.start_tree).toBeGreaterThan(10);
    expect(search.goal_tree).toBeGreaterThan(10);
    for (const value of from_start) expect(Math.abs(value)).toBeLessThanOrEqual(0.4 - RADIUS);
    expect(Math.max(...from_goal.map(Math.abs))).toBeGreaterThanOrEqual(0.44);
    expect(distance).toBeCloseTo(Math.hypot(from_start[0] - from_goal[0], from_start[1] - from_goal[1]), 12);
    expect(distance).toBeGreaterThanOrEqual(THICK + 2 * RADIUS);
  });

  test('is explained deterministically, in lines that name the walls', () => {
    expect(explained(problemOf({ obstacles: room }))).toEqual(explanation);
    const lines = describeExplanation(explanation);
    expect(lines[0]).toMatch(
      /^search trees: \d+ configurations connected to the start, \d+ configurations to the goal; nearest approach [\d.]+$/,
    );
    expect(lines).toContainEqual(expect.stringMatching(/^without east a path exists \(\d+ points, length [\d.]+\)$/));
  });
});

test('the search is watched as it was, over turns without end and slides too: the trees are what is proved of those that it grew', () => {
  const description = slider();
  const turning = slide('turn', 'base', 'carriage', [0, 0, 1]);
  const { lower: _, upper: __, ...endless } = turning;
  const joints = description.joints.map((joint) =>
    joint.name === 'x' ? ({ ...endless, type: 'continuous' } as const) : joint,
  );
  // A ball on an arm that turns about the origin and slides along it, between a ring of posts around it and its goal
  // beyond.
  const posts = Array.from({ length: 16 }, (_, i) =>
    box(`post_${i}`, 0.5 * Math.cos((i * Math.PI) / 8), 0.5 * Math.sin((i * Math.PI) / 8), 0.05, 0.05),
  );
  for (const [robot, obstacles, goal] of [
    [slider(), room, [0.8, 0.3]],
    [{ ...description, joints }, posts, [3, 0.9]],
  ] as const) {
    const problem = problemOf({ obstacles, goals: [{ kind: 'joints', joints: goal }] }, robot);
    const answer = planMotion(problem, { iterations: 400 });
    const { search } = explainFailure(problem, answer, { iterations: 400 });
    const proved = search!.start_tree + search!.goal_tree;
    expect(proved).toBeLessThanOrEqual(answer.stats.nodes);
    expect(proved).toBeGreaterThan(0.7 * answer.stats.nodes);
    expect(search!.nearest.distance).toBeGreaterThan(0);
  }
});

test('a room within a room has no single wall that matters', () => {
  const outer = room.map(({ name, pose: { xyz }, parts }) => ({
    name: `outer_${name}`,
    pose: { ...IDENTITY_POSE, xyz: [1.5 * xyz[0], 1.5 * xyz[1], 0] as [number, number, number] },
    parts: parts.map(({ shape }) => {
      const [width, height] = (shape as unknown as { size: number[] }).size;
      return { shape: { type: 'box', size: [width > THICK ? 1.3 : THICK, height > THICK ? 1.3 : THICK, 1] } };
    }),
  }));
  const goals = [{ kind: 'joints', joints: [0.9, 0.9] }] as const;
  const { without } = explained(problemOf({ obstacles: [...room, ...outer], goals }), { iterations: 300 });
  expect(without.length).toBeGreaterThanOrEqual(4);
  for (const { status } of without) expect(status).toBe('no-path');
  expect(describeExplanation({ status: 'no-path', ends: [], search: null, without })[0]).toMatch(
    /^without \w+ no path is found either \(no-path\)$/,
  );
});

test('a slit too narrow: either half of the wall, taken away, opens the way', () => {
  const ends = { start: [-0.5, 0], goals: [{ kind: 'joints', joints: [0.5, 0] }] } as const;
  const { without, search } = explained(problemOf({ obstacles: slit(1.9 * RADIUS), ...ends }));
  expect(without.map(({ names: [name], status }) => [name, status]).sort()).toEqual([
    ['left_half', 'solved'],
    ['right_half', 'solved'],
  ]);
  expect(search!.nearest.from_start[0]).toBeLessThan(0);
  expect(search!.nearest.from_goal[0]).toBeGreaterThan(0);
});

test('a carried bar too long for the slit: without it a path exists, and without either half', () => {
  const bar: AttachedObject = {
    name: 'bar',
    parts: [{ shape: { type: 'box', size: [0.02, 0.5, 0.02] } }],
    pose: IDENTITY_POSE,
    link: 'ball',
    touches: [],
  };
  const ends = { start: [-0.5, 0], goals: [{ kind: 'joints', joints: [0.5, 0] }] } as const;
  const problem = problemOf({ obstacles: slit(4 * RADIUS), attached: [bar], ...ends });
  const { without } = explained(problem);
  expect(without.find(({ kind }) => kind === 'attached')).toMatchObject({ names: ['bar'], status: 'solved' });
});

test('a self-collision that blocks every path is reported as the pair to allow', () => {
  const ends = { start: [-0.5, 0], goals: [{ kind: 'joints', joints: [0.5, 0] }] } as const;
  const { without } = explained(problemOf(ends, slider(true)));
  expect(without).toMatchObject([{ kind: 'pair', names: ['fence', 'ball'], status: 'solved' }]);
  expect(describeExplanation({ status: 'no-path', ends: [], search: null, without })[0]).toMatch(
    /^with fence and ball allowed to touch a path exists/,
  );
});

describe('ends that cannot be used', () => {
  test('a goal in collision: every colliding pair with its depth, the nearest free state, and the obstacles to remove', () => {
    const obstacles = [box('plate', 0.8, 0.3 + RADIUS, 1, THICK), box('post', 0.8, 0.3 - RADIUS, THICK, THICK)];
    const { ends, search, without } = explained(problemOf({ obstacles }));
    expect(search).toBeNull();
    expect(ends).toHaveLength(1);
    const [{ end, kind, contacts, nearest_free }] = ends;
    expect({ end, kind }).toEqual({ end: 'goal', kind: 'in-collision' });
    expect(contacts!.map(({ pair }) => pair)).toEqual([
      ['ball', 'plate'],
      ['ball', 'post'],
    ]);
    for (const { depth } of contacts!) expect(depth).toBeCloseTo(THICK / 2, 6);
    expect(Math.hypot(nearest_free!.q[0] - 0.8, nearest_free!.q[1] - 0.3)).toBeCloseTo(nearest_free!.distance, 12);
    expect(without.map(({ status }) => status)).toEqual(['goal-in-collision', 'goal-in-collision']);
  });

  test('a single obstacle on the goal: without it a path exists', () => {
    const { without } = explained(problemOf({ obstacles: [box('lid', 0.8, 0.3, 0.1, 0.1)] }));
    expect(without).toMatchObject([{ kind: 'obstacle', names: ['lid'], status: 'solved' }]);
  });

  test('goals out of limits and unreachable goals are distinguished, without obstacles to remove', () => {
    expect(explained(problemOf({ goals: [{ kind: 'joints', joints: [0, 7] }] }))).toMatchObject({
      status: 'goal-out-of-limits',
      ends: [{ end: 'goal', kind: 'out-of-limits', joints: ['y'] }],
      without: [],
    });
    const tolerance = { position: 1e-3, angle: 1e-3 };
    const pose = { link: 'ball', quat_wxyz: [1, 0, 0, 0], tolerance } as const;
    const goals = [
      { kind: 'pose', pose: { ...pose, xyz: [0.5, 0.5, 0.3] } },
      { kind: 'pose', pose: { ...pose, xyz: [1.4, 0, 0] } },
    ] as const;
    const { ends } = explained(problemOf({ goals }));
    expect(ends.map(({ goal, kind }) => [goal, kind])).toEqual([
      [0, 'no-ik-solution'],
      [1, 'beyond-limits'],
    ]);
    expect(ends[1].joints).toEqual(['x']);
    expect(ends[0].nearest_miss!.position).toBeCloseTo(0.3, 6);
    expect(ends[1].nearest_miss!.position).toBeCloseTo(0.4, 6);
  });

  test('of an arm solved in closed form: out of reach by how much, or which joints would have to leave their limits', async () => {
    const arm = await loadRobot('ur5e');
    const joints = arm.joints.map((joint) =>
      joint.name === 'shoulder_pan_joint' ? { ...joint, lower: -0.1, upper: 0.1 } : joint,
    );
    const tolerance = { position: 1e-4, angle: 1e-3 };
    const pose = { link: 'tool0', quat_wxyz: [0, 1, 0, 0], tolerance } as const;
    const goals = [
      { kind: 'pose', pose: { ...pose, xyz: [0, 0.5, 0.3] } },
      { kind: 'pose', pose: { ...pose, xyz: [3, 0, 0.3] } },
    ] as const;
    const start = [0, -1.57, 1.57, -1.57, -1.57, 0];
    const { ends, without } = explained(problemOf({ start, goals }, { ...arm, joints }));
    expect(ends).toMatchObject([
      { goal: 0, kind: 'beyond-limits', joints: ['shoulder_pan_joint'] },
      { goal: 1, kind: 'out-of-reach' },
    ]);
    expect(ends[1].short_by).toBeGreaterThan(1.5);
    expect(ends[1].nearest_miss!.position).toBeGreaterThanOrEqual(ends[1].short_by!);
    expect(without).toEqual([]);
  });

  test('colliding IK solutions are summarized by pair, the most frequent pair first, each with its smallest depth', () => {
    const contact = (other: string, depth: number) => ({ pair: ['arm', other] as const, depth });
    const contacts = [contact('lid', 0.02), contact('jar', 0.04), contact('jar', 0.03), contact('jar', 0.05)];
    const ends = [{ end: 'goal', kind: 'ik-solutions-collide', contacts }] as const;
    expect(describeExplanation({ status: 'goal-in-collision', ends, search: null, without: [] })).toEqual([
      'goal: the deepest pair of each solution: arm and jar 30 mm at least (3 times), arm and lid 20 mm',
    ]);
  });

  test('a pose whose solutions all collide: what with', () => {
    const tolerance = { position: 1e-3, angle: 1e-3 };
    const pose = { link: 'ball', quat_wxyz: [1, 0, 0, 0], xyz: [0.8, 0.3, 0], tolerance } as const;
    const obstacles = [box('lid', 0.8, 0.3 + RADIUS, 1, THICK)];
    const { ends, without } = explained(problemOf({ obstacles, goals: [{ kind: 'pose', pose }] }));
    expect(ends).toMatchObject([{ kind: 'ik-solutions-collide', contacts: [{ pair: ['ball', 'lid'] }] }]);
    expect(ends[0].contacts![0].depth).toBeCloseTo(THICK / 2, 3);
    expect(without).toMatchObject([{ names: ['lid'], status: 'solved' }]);
  });
});
