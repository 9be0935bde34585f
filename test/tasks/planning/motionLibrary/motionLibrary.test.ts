import { assert, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { InputError } from '../../../../src/errors.ts';
import { createPlanner } from '../../../../src/tasks/createPlanner.ts';
import { PreparedLibrary } from '../../../../src/tasks/planning/motionLibrary/keptEdges.ts';
import { libraryText, readLibrary } from '../../../../src/tasks/planning/motionLibrary/libraryFile.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { cases } from '../../../cases.ts';
import { planarArm } from '../infeasibility/planarScenes.ts';
import { arm, attackLibrary, changed, inScene, libraryOf, postScene } from './libraryAttack.ts';

const scene = postScene(1);
const library = libraryOf(scene);
const prepared = new PreparedLibrary(library, 'own.elb');
const statsIn = (own: typeof scene, robot = arm) => {
  const found = inScene(prepared, own, robot);
  for (const edge of library.edges.keys()) found.isKept(edge);
  return found.stats;
};

test('edges that a library keeps among moved, added and removed obstacles are free of collisions', () => {
  const random = new Random(5);
  const counts = { kept: 0, dropped: 0 };
  for (let round = 0; round < cases(40); round++)
    assert.deepEqual(attackLibrary(library, changed(scene, random), random, counts), []);
  assert.isAbove(counts.kept, 200);
  assert.isAbove(counts.dropped, 200);
});

test('all edges are kept in the scene as built, and where obstacles are only removed', () => {
  assert.equal(statsIn(scene).kept, library.edges.length);
  assert.equal(statsIn({ ...scene, obstacles: [scene.obstacles[0]] }).kept, library.edges.length);
});

test('another clearance or allowed pair of an obstacle counts as a change of it', () => {
  const nearer = { ...scene, clearances: [{ a: 'link3', b: 'post0', distance: 0.3 }] };
  assert.isAbove(statsIn(nearer).dropped, 0);
});

test('another robot, padding, attached object or pair of links is refused', () => {
  assert.throws(
    () => statsIn(scene, planarArm([0.35, 0.3, 0.21], 0.05, [3, Number.POSITIVE_INFINITY, 2.4])),
    /another robot/,
  );
  assert.throws(() => statsIn(scene, planarArm([0.35, 0.3, 0.2, 0.1], 0.05, [3, 2, 2, 2])), /of the joints/);
  assert.throws(() => statsIn({ ...scene, padding: 0.001 }), /another robot, or of other/);
  assert.throws(() => statsIn({ ...scene, allow: [['link1', 'link3']] }), /another robot, or of other/);
  const description = { ...arm.description, checked: [['link1', 'link2'] as const] };
  assert.throws(() => statsIn(scene, { ...arm, description }), /another robot, or of other/);
});

test('a library is read as it was written, and refused if a digit of it was changed', () => {
  const text = libraryText(library);
  assert.deepEqual(readLibrary(text, 'own.elb'), library);
  assert.equal(libraryText(libraryOf(scene)), text);
  const at = text.indexOf('"boxes"') + 20;
  const digit = text.slice(at).search(/\d/) + at;
  const wrong = `${text.slice(0, digit)}${(Number(text[digit]) + 1) % 10}${text.slice(digit + 1)}`;
  assert.throws(() => readLibrary(wrong, 'own.elb'), /damaged/);
  assert.throws(() => readLibrary('{"format":"elbowroom-library/1"}', 'own.elb'), /not a library/);
});

test('a plan with a library in a changed scene is proved, and equal to that of a planner kept for all scenes', () => {
  const random = new Random(9);
  const planner = createPlanner({ scene, robot: arm.description, model: arm });
  let [solved, kept] = [0, 0];
  for (let round = 0; round < cases(20); round++) {
    const own = changed(scene, random);
    planner.change({ obstacles: own.obstacles });
    const options = { planner: 'library', library: prepared, iterations: 300 } as const;
    const problem = { scene: own, robot: arm.description, model: arm };
    const { status, trajectory, stats } = planMotion(problem, options);
    assert.deepEqual(planner.plan(options).trajectory, trajectory);
    assert.deepEqual(
      planMotion(problem, { ...options, library: new PreparedLibrary(library, '') }).trajectory,
      trajectory,
    );
    if (status === 'solved') solved++;
    kept += stats.library!.kept;
  }
  assert.isAbove(solved, cases(10));
  assert.isAbove(kept, cases(20));
});

test('a library is refused by other planners, and by edges that are not certified', () => {
  const problem = { scene, robot: arm.description, model: arm };
  assert.throws(() => planMotion(problem, { library: prepared }), /searched by the planner "library"/);
  assert.throws(
    () => planMotion(problem, { planner: 'library', library: prepared, edges: 'sampled' }),
    /searched by the planner "library"/,
  );
});

test('random mutations of a library are refused: missing nodes, edges and boxes, other robots, single characters', () => {
  const text = libraryText(library);
  const lines = text.split('\n');
  const random = new Random(3);
  let refused = 0;
  for (let round = 0; round < cases(500); round++) {
    const k = random.below(lines.length - 1);
    const at = random.below(text.length - 1);
    const mutations = [
      () => lines.toSpliced(k, 1).join('\n'),
      () => lines.toSpliced(k, 1, lines[random.below(lines.length - 1)]).join('\n'),
      () => `${text.slice(0, at)}${text.slice(at + 1)}`,
      () => `${text.slice(0, at)}${String.fromCharCode(33 + random.below(94))}${text.slice(at + 1)}`,
      () => text.slice(0, at),
    ];
    const mutated = mutations[round % mutations.length]();
    const isRefused = () => {
      try {
        return JSON.stringify(readLibrary(mutated, 'own.elb')) === JSON.stringify(library) ? undefined : false;
      } catch (error) {
        return error instanceof InputError;
      }
    };
    const verdict = isRefused();
    assert.notEqual(verdict, false, `round ${round}`);
    if (verdict === true) refused++;
  }
  assert.isAbove(refused, cases(450));
});
