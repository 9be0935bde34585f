import { expect, test } from 'vitest';
import { ProofMargin } from '../../../../src/core/collision/bounds/motionBounds.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { sceneOf } from '../../../helpers/robots.ts';
import { joint, link, robotOf } from '../../certificate/worlds.ts';

const robot = robotOf(
  [link('base'), link('car'), link('hand', [{ type: 'box', size: [0.2, 0.2, 0.1] }])],
  [joint('prismatic', ['base', 'car'], [1, 0, 0]), joint('continuous', ['car', 'hand'], [0, 0, 1])],
);
const margin = new ProofMargin(new CollisionModel(robot, sceneOf([])));
const still = [0, 0];

test('angles do not count as metres of a slide, nor metres as angles', () => {
  // Once every joint value was taken for metres per slide: 10^5 rad cost 0.03 m, and a proof took two minutes.
  expect(margin.at([0.1, 1e5], still)).toBeLessThan(1e-6);
  expect(margin.at([0.1, 1e5], still)).toBeGreaterThan(1e-9);
  expect(margin.at([1e3, 1], still)).toBeLessThan(1e-8);
  expect(margin.at([0.1, 1], still)).toBe(1e-9);
});

test('what moves the joints by rounding of times moves points by a slide as far, by a turn as far as the chain is long', () => {
  const [slid, turned] = [margin.at([1, 1], [1e-3, 0]), margin.at([1, 1], [0, 1e-3])];
  expect(slid).toBeCloseTo(1e-3, 8);
  expect(turned).toBeGreaterThan(1e-3); // a metre of travel, and the hand
  expect(turned).toBeLessThan(2e-3);
});

test('NaN gives no small margin', () => {
  expect(margin.at([Number.NaN, 1], still)).toBeNaN();
  expect(margin.at([1, Number.NaN], still)).toBeNaN();
});
