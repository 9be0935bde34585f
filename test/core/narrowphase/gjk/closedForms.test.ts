import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { DistanceIteration } from '../../../../src/core/narrowphase/gjk/distanceIteration.ts';
import { IterativeDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { GjkIteration } from '../../../../src/core/narrowphase/gjk/gjkIteration.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { between, createPair, excess, poseOf, randomDirections, randomTransform, slabAlong } from '../helpers.ts';

const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
const closed = new IterativeDistance(new DistanceIteration());
const iterated = new IterativeDistance(new GjkIteration());
const [out, reference] = [new Separation(), new Separation()];

/** A sphere, capsule or box: round or thin, some capsules of no length, some boxes with a margin. */
function randomBody(random: Random, unit: number): ShapeSpec {
  const size = () => unit * (random.below(4) === 0 ? 10 ** -random.between(0, 4) : random.between(0.1, 1));
  const kinds: (() => object)[] = [
    () => ({ type: 'sphere', radius: size() }),
    () => ({ type: 'capsule', radius: size() / 4, length: random.below(6) === 0 ? 0 : 2 * size() }),
    () => ({ type: 'box', size: [size(), size(), size()] }),
    () => ({ type: 'box', size: [size(), size(), size()], margin: size() / 4 }),
  ];
  return kinds[random.below(kinds.length)]() as ShapeSpec;
}

for (const unit of [1e-3, 1, 1e3]) {
  test(`distances of spheres, capsules and boxes equal those of the iteration, and are proved, at scale ${unit}`, () => {
    const random = new Random(95);
    const directions = randomDirections(random, 40);
    let [apart, direct] = [0, 0];
    for (let i = 0; i < 600; i++) {
      const T = randomTransform(random, 2.5 * unit);
      // A third: parallel, or turned by next to nothing, as faces and axes in real scenes are.
      if (i % 3 === 0) T.set(poseOf([T[3], T[7], T[11]], [1, i % 2 === 0 ? 0 : 10 ** -random.between(5, 16), 0, 0]));
      if (i % 5 === 0) T[3] = 0;
      const pair = createPair(`pair ${i}`, randomBody(random, unit), randomBody(random, unit), T);
      closed.distance(out, pair.a, T, pair.b, Infinity, new PairCache());
      iterated.distance(reference, pair.a, T, pair.b, Infinity, new PairCache());
      const slack = 1e-13 * pair.size;
      if (Math.abs(reference.distance.lower - reference.depth.lower) > slack) {
        expect(out.status, pair.label).toBe(reference.status);
      }
      expect(Math.abs(out.distance.upper - reference.distance.upper), pair.label).toBeLessThan(10 * slack);
      if (out.status !== 'separated') continue;
      if (pair.a.type !== 'box' || pair.b.type !== 'box') {
        apart++;
        if (out.iterations === 1) direct++;
      }
      expect(slabAlong(out.normal, pair), pair.label).toBeGreaterThanOrEqual(out.distance.lower - slack);
      expect(Math.abs(between(out.witnessA, out.witnessB) - out.distance.upper), pair.label).toBeLessThan(slack);
      expect(excess(out.witnessA, pair.a, T, directions), pair.label).toBeLessThan(slack);
      expect(excess(out.witnessB, pair.b, identity, directions), pair.label).toBeLessThan(slack);
    }
    expect(apart).toBeGreaterThan(180);
    expect(direct).toBeGreaterThan(0.99 * apart);
  });
}
