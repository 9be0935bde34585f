import { expect, test } from 'vitest';
import { LinkPoseCache, linkPoses } from '../../../src/core/certificate/linkPoses.ts';
import { jointRates, motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { Random } from '../../../src/core/math/random.ts';
import { planarArm } from '../kinematics/arms.ts';

test('a cached entry equals the computed one, of the requested piece and middle', () => {
  const robot = planarArm();
  const random = new Random(3);
  const value = () => random.between(-2, 2);
  const points = [0, 0.5, 1].map((time_from_start) => {
    return { time_from_start, positions: [value(), value()], velocities: [value(), value()] };
  });
  const pieces = motionPieces({ jointNames: ['joint1', 'joint2'], points });
  const moments = new LinkPoseCache(robot);
  const times = [0.5, 0.25, 0.75, 0.5];
  for (let round = 0; round < 4000; round++) {
    const piece = pieces[random.below(2)]; // the two meet at 0.5
    const begin = round < 2000 ? times[random.below(4)] : random.next();
    const end = round < 2000 ? times[random.below(4)] : random.next();
    const middle = begin + (end - begin) * (random.below(2) === 0 ? 0.5 : 0.25);
    const { rates, T_world_link } = moments.at(piece, begin, middle, end);
    const expected = jointRates(piece, begin, middle, end);
    expect(rates).toEqual(expected);
    expect(T_world_link).toEqual(linkPoses(robot, expected.position));
  }
});

test('an entry that is requested twice is computed once', () => {
  const points = [{ positions: [0, 0] }, { positions: [1, 1] }];
  const [piece] = motionPieces({ jointNames: ['joint1', 'joint2'], points });
  const moments = new LinkPoseCache(planarArm());
  expect(moments.at(piece, 0, 0.5, 1)).toBe(moments.at(piece, 0, 0.5, 1));
});

test('a motion of any length is proved with the memory of a limited number of entries, and pieces store no curve', () => {
  const points = Array.from({ length: 5000 }, (_, i) => ({ positions: [i, -i] }));
  const pieces = motionPieces({ jointNames: ['joint1', 'joint2'], points });
  const moments = new LinkPoseCache(planarArm());
  const poses = new Set(pieces.map((piece, i) => moments.at(piece, i, i + 0.5, i + 1).T_world_link[1]));
  expect(poses.size).toBeLessThanOrEqual(2048);
  expect(Object.values(pieces[0]).filter(ArrayBuffer.isView)).toEqual([]);
  expect(pieces[7].coefficients.slice(0, 2)).toEqual(Float64Array.of(7, 1));
});
