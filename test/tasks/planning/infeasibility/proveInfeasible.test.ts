import { assert, test } from 'vitest';
import { infeasibilityOf, infeasibilityText } from '../../../../src/core/certificate/cells/infeasibility.ts';
import { verifyInfeasibility } from '../../../../src/core/certificate/cells/verifyInfeasibility.ts';
import type { CollisionObject } from '../../../../src/core/scene/scene.ts';
import { proveInfeasible } from '../../../../src/tasks/planning/infeasibility/proveInfeasible.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { at, body, joint, link, robotOf } from '../../../core/certificate/worlds.ts';
import { attackPassage, attackPosePassage, type PassageCounts } from './passageAttack.ts';
import { planarArm, poseGoalScene, post, sceneOf } from './planarScenes.ts';

const never = () => false;
const arm = planarArm([0.4, 0.35], 0.05, [3.1, 1.95]);
const posts = (radius: number) => [post('left', 1.7, 0.2), post('right', 0.75, radius)];
const enclosed = sceneOf([-1.2, 0.4], [1.2, -0.5], posts(0.25));
const open = sceneOf([-1.2, 0.4], [1.2, -0.5], posts(0.4661));

test('a goal between two posts that the first link meets is proved unreachable, and the proof is verified', () => {
  const { status, reason, infeasibility, trajectory } = planMotion(
    { robot: arm.description, model: arm, scene: enclosed },
    { infeasible: true },
  );
  assert.equal(status, 'infeasible');
  assert.isUndefined(trajectory);
  assert.match(
    reason,
    /^the goal is enclosed: link1 and (left, link1 and )?right collide in every state .*; without right the wall is open$/,
  );
  const read = infeasibilityOf(JSON.parse(infeasibilityText(infeasibility!)), 'proof.json');
  const result = verifyInfeasibility(read, arm, enclosed);
  assert.deepEqual(result.problems, []);
  assert.isTrue(result.proved);
});

test('without the option the status stays no-path', () => {
  const { status } = planMotion({ robot: arm.description, model: arm, scene: enclosed }, { iterations: 30 });
  assert.equal(status, 'no-path');
});

test('the proof is refused for a scene with a passage of 1 mm, where none is found', () => {
  const certificate = proveInfeasible(arm, enclosed, never)!;
  assert.isFalse(verifyInfeasibility(certificate, arm, open).proved);
  assert.isUndefined(proveInfeasible(arm, open, never));
});

test('a proof may take half of the time limit; the search has the rest', () => {
  const statusWithin = (timeLimit: number) => {
    let now = 0;
    const scene = sceneOf([-0.6, 0], [0.6, 0], [post('front', 0, 0.45)]);
    const problem = { robot: arm.description, model: arm, scene };
    const { status } = planMotion(problem, { infeasible: true, timeLimit: timeLimit / 1000 }, { clock: () => now++ });
    return { status, now };
  };
  const { status, now } = statusWithin(1e9);
  assert.equal(status, 'infeasible');
  assert.equal(statusWithin(1.8 * now).status, 'no-path');
  assert.equal(statusWithin(2.2 * now).status, 'infeasible');
});

test('one goal of two that is not enclosed leaves the scene unproved', () => {
  const other = { ...enclosed, goals: [{ kind: 'joints' as const, joints: [-1.3, 0.4] }, ...enclosed.goals] };
  assert.isUndefined(proveInfeasible(arm, other, never));
});

test('a missing witness, another pair, a moved point and another tree are refused', () => {
  const certificate = proveInfeasible(arm, enclosed, never)!;
  const [wall] = certificate.walls;
  const witness = wall.tree.findIndex((entry) => Array.isArray(entry));
  const changed = (tree: typeof wall.tree, more: Partial<typeof wall> = {}) =>
    verifyInfeasibility({ ...certificate, walls: [{ ...wall, tree, ...more }] }, arm, enclosed).proved;
  assert.isTrue(changed(wall.tree));
  for (const [i, entry] of wall.tree.entries())
    if (Array.isArray(entry)) {
      assert.isFalse(changed(wall.tree.map((one) => (Array.isArray(one) ? null : one))));
      assert.isFalse(changed(wall.tree.with(i, [entry[0], entry[1] + 0.1, entry[2], entry[3]])));
      assert.isFalse(changed(wall.tree.with(i, [99, entry[1], entry[2], entry[3]])));
    }
  assert.isFalse(changed(wall.tree.slice(0, -1)));
  assert.isFalse(changed([...wall.tree, null]));
  assert.isFalse(changed(wall.tree, { joints: ['to_link2'] }));
  assert.isFalse(changed(wall.tree, { pairs: wall.pairs.map((pair) => ({ ...pair, b: 'nothing' })) }));
  assert.isFalse(changed([wall.tree[witness]]));
  assert.isFalse(verifyInfeasibility({ ...certificate, walls: [] }, arm, enclosed).proved);
});

test('in random scenes with a passage bisected to 0.1 mm no motion is called impossible', () => {
  const counts: PassageCounts = { scenes: 0, valid: 0, proved: 0, bisected: 0, refused: 0, wrong: [] };
  for (let seed = 1; seed <= 2; seed++) attackPassage(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.valid, 0);
  assert.isAbove(counts.proved, 0);
});

test('a goal pose whose states are all behind a wall is proved, and a proof without wall or its cells is refused', () => {
  const goal = [1.2, -0.5];
  const scene = poseGoalScene(arm, enclosed, goal);
  const { status, reason, infeasibility } = planMotion(
    { robot: arm.description, model: arm, scene },
    { infeasible: true },
  );
  assert.equal(status, 'infeasible');
  assert.match(reason, /^the goal is enclosed: link1 and /);
  const proof = infeasibilityOf(JSON.parse(infeasibilityText(infeasibility!)), 'proof.json');
  assert.isTrue(verifyInfeasibility(proof, arm, scene).proved);
  const changed = (change: Partial<typeof proof>) => verifyInfeasibility({ ...proof, ...change }, arm, scene).proved;
  const [wall] = proof.walls;
  assert.isFalse(changed({ walls: [] }));
  assert.isFalse(changed({ goals: [] }));
  assert.isFalse(changed({ walls: [{ ...wall, tree: wall.tree.map((one) => (Array.isArray(one) ? null : one)) }] }));
  assert.isFalse(changed({ goals: [{ ...proof.goals[0], tree: [null] }] }));
  assert.isFalse(verifyInfeasibility(proof, arm, { ...scene, obstacles: open.obstacles }).proved);
  assert.isUndefined(proveInfeasible(arm, poseGoalScene(arm, open, goal), never, [Float64Array.from(goal)]));
});

test('no pose is called unreachable beside a passage of 0.1 mm', () => {
  const counts: PassageCounts = { scenes: 0, valid: 0, proved: 0, bisected: 0, refused: 0, wrong: [] };
  for (const seed of [1, 2, 3]) attackPosePassage(seed, counts);
  assert.deepEqual(counts.wrong, []);
  assert.isAbove(counts.valid, 0);
  assert.isAbove(counts.refused, 0);
  assert.isAbove(counts.proved, 0);
});

/** A goal pose of the second link in the middle of an object. */
const poseIn = (parts: CollisionObject['parts'], position: number) => ({
  ...sceneOf([0, 0.5], [0, 0], [{ name: 'block', pose: at(0.4, 0.42, 0), parts }]),
  goals: [
    {
      kind: 'pose' as const,
      pose: {
        link: 'link2',
        xyz: [0.4 * Math.cos(0.7), 0.4 * Math.sin(0.7), 0] as const,
        quat_wxyz: [Math.cos(0.55), 0, 0, Math.sin(0.55)] as const,
        tolerance: { position, angle: 0.01 },
      },
    },
  ],
});

test('a goal pose is in collision only if every state within its tolerance is', () => {
  const solid = [{ shape: { type: 'box', size: [0.2, 0.2, 0.2] } }];
  assert.isDefined(proveInfeasible(arm, poseIn(solid, 0.01), never));
  assert.isUndefined(proveInfeasible(arm, poseIn(solid, 0.3), never));
});

test('a goal is proved if another link collides in each of its solutions, and only then', () => {
  const three = planarArm([0.4, 0.35, 0.1], 0.05, [3.1, 2.5, 2.9]);
  // The elbow is at 0.4 (cos q₀, sin q₀) on either side of the line to the wrist: q₀ = 0.2 and 1.26.
  const wrist = [0.4 * Math.cos(0.2) + 0.35 * Math.cos(1.4), 0.4 * Math.sin(0.2) + 0.35 * Math.sin(1.4), 0] as const;
  const pose = {
    link: 'link3',
    xyz: wrist,
    quat_wxyz: [Math.cos(0.5), 0, 0, Math.sin(0.5)] as const,
    tolerance: { position: 1e-3, angle: 1e-2 },
  };
  const sides = [
    body('low', at(0.2 * Math.cos(0.2), 0.2 * Math.sin(0.2), 0), { type: 'sphere', radius: 0.05 }),
    body('high', at(0.15 * wrist[0] - 0.1, 0.55 * wrist[1], 0), { type: 'sphere', radius: 0.12 }),
  ];
  const sceneWith = (obstacles: readonly CollisionObject[]) => ({
    ...sceneOf([-1.5, 0.5, 0], [0, 0, 0], obstacles),
    goals: [{ kind: 'pose' as const, pose }],
  });
  const proof = proveInfeasible(three, sceneWith(sides), never)!;
  const [goal] = proof.goals;
  assert.deepEqual(goal.joints, ['to_link1', 'to_link2', 'to_link3']);
  const proved = (tree: typeof goal.tree, scene = sceneWith(sides)) =>
    verifyInfeasibility({ ...proof, goals: [{ ...goal, tree }] }, three, scene).proved;
  assert.isTrue(proved(infeasibilityOf(JSON.parse(infeasibilityText(proof)), 'proof.json').goals[0].tree));
  for (const [i, entry] of goal.tree.entries()) {
    if (typeof entry === 'number') continue;
    assert.isFalse(proved(goal.tree.with(i, null)));
    if (entry !== false) assert.isFalse(proved(goal.tree.with(i, false)));
  }
  for (const one of sides) {
    assert.isUndefined(proveInfeasible(three, sceneWith([one]), never));
    assert.isFalse(proved(goal.tree, sceneWith([one])));
  }
});

test('a goal out of reach is proved by cells alone, which a wall may not state', () => {
  const proof = proveInfeasible(
    arm,
    {
      ...poseIn([], 0.01),
      obstacles: [post('left', 1.7, 0.2)],
      goals: [{ kind: 'pose', pose: { ...poseIn([], 0.01).goals[0].pose, xyz: [0.45, 0.35, 0] } }],
    },
    never,
  )!;
  assert.match(proof.reason, /out of reach/);
  assert.throws(() => infeasibilityOf({ ...proof, walls: proof.goals }, 'proof.json'), /walls\[0\].tree\[0\]/);
});

test('the hull of a cloud of spheres proves no collision, since the space between the spheres is free', () => {
  const points = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2].map((x) => 0.2 * x - 0.1));
  const hull = { shape: { type: 'convex', points, margin: 0.005 } };
  const proof = proveInfeasible(arm, poseIn([hull], 0.01), never)!;
  const cloud = poseIn([{ ...hull, balls: true }], 0.01);
  assert.isUndefined(proveInfeasible(arm, cloud, never));
  assert.isFalse(verifyInfeasibility(proof, arm, cloud).proved);
});

test('an allowed pair proves nothing, even if names of another pair and its parts read alike', () => {
  const ball = (name: string, x: number) => body(name, at(x, 0, 0), { type: 'sphere', radius: 0.1 });
  const [finger, other] = ['hand\n0 box', 'hand'];
  const robot = robotOf(
    [
      link('base'),
      link(finger, [{ type: 'sphere', radius: 0.1 }]),
      link(other, [{ type: 'sphere', radius: 0.1 }, at(0, 0, 5)]),
    ],
    [
      joint('prismatic', ['base', finger], [0, 1, 0], { lower: -1, upper: 1 }),
      joint('fixed', ['base', other], [0, 1, 0]),
    ],
  );
  const scene = {
    ...sceneOf([0], [0.02], [ball('box', 0), ball('box\n0 box', 9)]),
    allow: [[finger, 'box']] as const,
  };
  const certificate = {
    format: 'elbowroom-infeasibility/1' as const,
    reason: '',
    goals: [
      { goal: 0, joints: [], pairs: [{ a: finger, partA: 0, b: 'box', partB: 0 }], tree: [[0, 0, 0.01, 0] as const] },
    ],
    walls: [],
  };
  assert.isFalse(verifyInfeasibility(certificate, robot, scene).proved);
  assert.isTrue(verifyInfeasibility(certificate, robot, { ...scene, allow: [] }).proved);
});
