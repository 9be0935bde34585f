import { assert, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { sceneLibrary } from '../../../../src/tasks/planning/motionLibrary/keptEdges.ts';
import { libraryText, readLibrary } from '../../../../src/tasks/planning/motionLibrary/libraryFile.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { planarArm } from '../infeasibility/planarScenes.ts';
import { arm, attackLibrary, changed, libraryOf, postScene } from './libraryAttack.ts';

const scene = postScene(1);
const library = libraryOf(scene);
const inScene = (own: typeof scene, robot = arm) =>
  sceneLibrary(
    library,
    'own.elb',
    { scene: own, robot: robot.description, model: robot },
    new CollisionModel(robot, own),
  );

test('edges that a library keeps among moved, added and removed obstacles are free of collisions', () => {
  const random = new Random(5);
  const counts = { kept: 0, dropped: 0 };
  for (let round = 0; round < 40; round++)
    assert.deepEqual(attackLibrary(library, changed(scene, random), random, counts), []);
  assert.isAbove(counts.kept, 200);
  assert.isAbove(counts.dropped, 200);
});

test('all edges are kept in the scene as built, and where obstacles are only removed', () => {
  assert.equal(inScene(scene).kept, library.edges.length);
  assert.equal(inScene({ ...scene, obstacles: [scene.obstacles[0]] }).kept, library.edges.length);
});

test('another clearance or allowed pair of an obstacle counts as a change of it', () => {
  const nearer = { ...scene, clearances: [{ a: 'link3', b: 'post0', distance: 0.3 }] };
  assert.isAbove(inScene(nearer).dropped, 0);
});

test('another robot, padding, attached object or pair of links is refused', () => {
  assert.throws(
    () => inScene(scene, planarArm([0.35, 0.3, 0.21], 0.05, [3, Number.POSITIVE_INFINITY, 2.4])),
    /another robot/,
  );
  assert.throws(() => inScene(scene, planarArm([0.35, 0.3, 0.2, 0.1], 0.05, [3, 2, 2, 2])), /of the joints/);
  assert.throws(() => inScene({ ...scene, padding: 0.001 }), /another robot, or of other/);
  assert.throws(() => inScene({ ...scene, allow: [['link1', 'link3']] }), /another robot, or of other/);
  const description = { ...arm.description, checked: [['link1', 'link2'] as const] };
  assert.throws(() => inScene(scene, { ...arm, description }), /another robot, or of other/);
});

test('a library is read as it was written, and refused if a digit of it was changed', () => {
  const text = libraryText(library);
  assert.deepEqual(readLibrary(text, 'own.elb'), library);
  assert.equal(libraryText(libraryOf(scene)), text);
  const at = text.indexOf('"boxes"') + 20;
  const digit = text.slice(at).search(/\d/) + at;
  const wrong = `${text.slice(0, digit)}${(Number(text[digit]) + 1) % 10}${text.slice(digit + 1)}`;
  assert.throws(() => readLibrary(wrong, 'own.elb'), /damaged/);
  assert.throws(() => readLibrary('{"format":"elbowroom-library/2"}', 'own.elb'), /not a library/);
});

test('a plan with the roadmap of a library in a changed scene is proved', () => {
  const random = new Random(9);
  let solved = 0;
  for (let round = 0; round < 3; round++) {
    const own = changed(scene, random);
    const { roadmap } = inScene(own);
    const { status } = planMotion(
      { scene: own, robot: arm.description, model: arm },
      { planner: 'lazy-prm', roadmap, iterations: 50 },
    );
    if (status === 'solved') solved++;
  }
  assert.isAbove(solved, 0);
});
