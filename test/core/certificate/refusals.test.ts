import { describe, expect, test } from 'vitest';
import type { Span } from '../../../src/core/certificate/certificate.ts';
import type { CertifiedScene } from '../../../src/core/certificate/convexParts.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import type { TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { judge } from './judge.ts';
import { at, certificateOf, slidingBox, turnedAt, type World } from './worlds.ts';

describe('refused is', () => {
  const world = slidingBox();
  const { certificate, trajectory, scene } = world;
  const [listed] = certificate.pairs;
  const spans = (...given: Span[]) => ({ certificate: { ...certificate, pairs: [{ ...listed, spans: given }] } });
  const named = (more: object) => ({ certificate: { ...certificate, pairs: [{ ...listed, ...more }] } });
  const moved = (points: readonly TrajectoryPoint[]) => {
    const other = { ...trajectory, points };
    return { trajectory: other, certificate: certificateOf(other, certificate.pairs) };
  };
  const [begin, end] = trajectory.points;
  const wallAt = (pose: Pose): CertifiedScene => ({ ...scene, obstacles: [{ ...scene.obstacles[0], pose }] });

  test.each<[string, Partial<World>, string]>([
    ['another hash', { certificate: { ...certificate, trajectory: 'f'.repeat(64) } }, 'another motion'],
    [
      'another motion under the same hash',
      { trajectory: { ...trajectory, points: [begin, { ...end, positions: [0.9] }] } },
      'another motion',
    ],
    [
      'a statement of another curve',
      { certificate: { ...certificate, interpolation: 'linear' } },
      'its interpolation is linear, segment 0 of the motion is of another kind',
    ],
    ['another duration', { certificate: { ...certificate, duration: 4 } }, "its duration is 4, the motion's is 2"],
    ['a link that is not there', named({ a: 'sledge' }), 'no such part'],
    ['a part that is not there', named({ partA: 1 }), 'no such part'],
    ['a part of the obstacle that is not there', named({ partB: -1 }), 'no such part'],
    [
      'an obstacle that comes first',
      named({ a: 'wall', b: 'slider', spans: [[0, 2, 0, -1, 0]] }),
      'it must come second',
    ],
    ['a pair without spans', spans(), 'no spans'],
    ['a hole', spans([0, 1, 0, 1, 0], [1.001, 2, 0, 1, 0]), 'a hole from 1 to 1.001'],
    ['a late begin', spans([1e-9, 2, 0, 1, 0]), 'a hole from 0 to 1e-9'],
    ['an early end', spans([0, 1.999999, 0, 1, 0]), 'a hole from 1.999999 to 2'],
    ['a span that runs backwards', spans([0, 2, 0, 1, 0], [1.5, 1, 0, 1, 0]), 'a span from 1.5 to 1'],
    ['a span beyond the end', spans([0, 2.5, 0, 1, 0]), 'a span from 0 to 2.5'],
    ['a direction that is too short', spans([0, 2, 0, 0.999, 0]), 'a direction of length 0.999'],
    ['no direction', spans([0, 2, 0, 0, 0]), 'a direction of length 0'],
    ['a direction turned round', spans([0, 2, 0, -1, 0]), 'the plane of the span from 0 to 2 leaves'],
    ['a direction turned by two degrees', spans([0, 2, Math.sin(Math.PI / 90), Math.cos(Math.PI / 90), 0]), 'leaves'],
    ['one bad plane among good ones', spans([0, 1, 0, 1, 0], [1, 1, 1, 0, 0], [1, 2, 0, 1, 0]), 'from 1 to 1 leaves'],
    ['a wall that was moved into the way', { scene: wallAt(at(0.5, 0.14, 0)) }, 'leaves -0.01 m'],
    ['a wall that was turned', { scene: wallAt(turnedAt(0.5, 0.2, 0, 0.1)) }, 'leaves'],
    ['a motion that is not finite', moved([begin, { ...end, positions: [Number.NaN] }]), 'not finite'],
    ['times that stand still', moved([begin, { ...end, time_from_start: 0 }]), 'do not increase'],
    ['a motion that begins before 0', moved([{ ...begin, time_from_start: -1 }, end]), 'before 0'],
    ['a motion without points', moved([]), 'no points'],
  ])('%s', (_, change, problem) => {
    const answer = judge({ ...world, ...change });
    expect(answer.proved).toBe(false);
    expect(answer.leastGap).toBeUndefined();
    expect(answer.problems.join('\n')).toContain(problem);
  });

  test('a joint that the robot has not, as wrong input', () => {
    expect(() => judge({ ...world, trajectory: { ...trajectory, jointNames: ['to_sledge'] } })).toThrow('to_sledge');
  });
});
