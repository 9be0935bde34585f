import { beforeAll, describe, expect, test } from 'vitest';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { check, type Draft, drafted, type PlannedProgram, pickAndPlace } from './plannedProgram.ts';

let planned: PlannedProgram;
beforeAll(async () => {
  planned = await pickAndPlace();
});
const segmentOf = (step: number) => planned.trajectory.segments!.find((one) => one.step === step)!;

type Motion = Draft<Trajectory>;
/** Index of the point nearest to a share of the segment of a step. */
const pointIn = (motion: Motion, step: number, share: number) => {
  const { from, to } = motion.segments!.find((one) => one.step === step)!;
  return motion.points.findIndex(({ time_from_start }) => time_from_start! >= from + share * (to - from));
};
/** Shifts all points, segments and events after a time. */
function delay(motion: Motion, after: number, by: number): void {
  for (const point of motion.points) if (point.time_from_start! > after) point.time_from_start! += by;
  for (const segment of motion.segments!) {
    if (segment.from > after) segment.from += by;
    if (segment.to > after) segment.to += by;
  }
  for (const event of motion.events!) if (event.time > after) event.time += by;
}

describe('a changed trajectory is refused', () => {
  const changes: Record<string, (motion: Motion) => void> = {
    'another start': ({ points }) => {
      points[0].positions[0] += 1e-4;
    },
    'another end': ({ points }) => {
      points.at(-1)!.positions[5] += 1e-4;
    },
    'a goal missed': (m) => {
      const k = pointIn(m, 1, 1);
      for (const point of m.points.slice(k, k + 1)) point.positions[0] += 1e-3;
    },
    'a point of a line moved': (m) => {
      m.points[pointIn(m, 5, 0.5)].positions[1] += 2e-4;
    },
    'a velocity on a line changed': (m) => {
      m.points[pointIn(m, 10, 0.5)].velocities![2] += 0.1;
    },
    'a point of the arc moved': (m) => {
      m.points[pointIn(m, 7, 0.5)].positions[3] += 3e-3;
    },
    'a corner of the polyline left out': (m) => {
      const { from, to } = segmentOf(8);
      const inside = m.points.filter(({ time_from_start: t }) => t! > from && t! < to);
      const corner = inside.findIndex(({ velocities }) => velocities!.every((rate) => rate === 0));
      m.points.splice(m.points.indexOf(inside[0]), corner + 1);
    },
    'all points of a line removed': (m) => {
      const { from, to } = segmentOf(5);
      m.points = m.points.filter(({ time_from_start: t }) => t! <= from || t! >= to);
    },
    'no rest at an event': (m) => {
      m.points[pointIn(m, 5, 1)].velocities![0] += 1e-4;
    },
    'no rest between two motions': (m) => {
      m.points[pointIn(m, 7, 1)].velocities![5] += 1e-4;
    },
    'a motion during the wait': (m) => {
      const k = pointIn(m, 4, 1);
      m.points.splice(k, 0, {
        ...structuredClone(m.points[k]),
        time_from_start: m.points[k].time_from_start! - 0.1,
        positions: m.points[k].positions.map((x, j) => (j === 5 ? x + 1e-6 : x)),
      });
    },
    'a shorter wait': (m) => delay(m, segmentOf(4).to - 1e-6, -0.01),
    'a longer wait': (m) => delay(m, segmentOf(4).to - 1e-6, 0.01),
    'twice as fast': (m) => {
      for (const point of m.points) {
        point.time_from_start! /= 2;
        point.velocities = point.velocities!.map((rate) => 2 * rate);
      }
      for (const segment of m.segments!) {
        segment.from /= 2;
        segment.to /= 2;
      }
      for (const event of m.events!) event.time /= 2;
    },
    'times that do not increase': ({ points }) => {
      points[5].time_from_start = points[4].time_from_start!;
    },
    'points without times': ({ points }) => {
      for (const point of points) delete point.time_from_start;
    },
    'straight lines between points': (m) => {
      m.interpolation = 'linear';
    },
    'no segments': (m) => void delete m.segments,
    'no events': (m) => void delete m.events,
    'a segment missing': (m) => void m.segments!.splice(3, 1),
    'two segments exchanged': (m) => {
      const [a, b] = m.segments!.splice(1, 2);
      m.segments!.splice(1, 0, b, a);
    },
    'a segment of another kind': (m) => {
      m.segments!.find(({ step }) => step === 5)!.kind = 'move';
    },
    'a segment of another step': (m) => {
      m.segments![2].step = 3;
    },
    'a segment of another name': (m) => {
      m.segments![0].name = 'home';
    },
    'a border of segments moved': (m) => {
      const k = m.segments!.findIndex(({ step }) => step === 5);
      m.segments![k].to -= 0.05;
      m.segments![k + 1].from -= 0.05;
      m.events!.find(({ step }) => step === 6)!.time -= 0.05;
    },
    'a gap between segments': (m) => {
      m.segments![4].to -= 1e-6;
    },
    'segments that end early': (m) => {
      m.segments!.at(-1)!.to -= 1e-3;
    },
    'an event missing': (m) => void m.events!.pop(),
    'an event too late': (m) => {
      m.events![1].time += 1e-3;
    },
    'two events exchanged': (m) => {
      const [a, b] = m.events!.splice(4, 2);
      m.events!.splice(4, 0, b, a);
    },
    'an event of another step': (m) => {
      m.events![1].step = 6;
    },
    'another object attached': (m) => {
      m.events![1].attach = 'post';
    },
    'another link': (m) => {
      m.events![1].link = 'wrist_3_link';
    },
    'another object detached': (m) => {
      m.events!.find((one) => one.detach)!.detach = 'gripper';
    },
    'another pair allowed': (m) => {
      m.events!.find((one) => one.allow)!.allow = [['block', 'post']];
    },
    'another value set': (m) => {
      m.events![0].set = { gripper: 'closed' };
    },
    'another key in an event': (m) => {
      m.events![0].detach = 'block';
    },
    'an attachment instead of a detachment': (m) => {
      const event = m.events!.find((one) => one.detach)!;
      delete event.detach;
      event.attach = 'block';
    },
    'points that are set points': (m) => {
      m.setPoints = true;
      m.interpolation = 'linear';
    },
  };
  test.each(Object.keys(changes))('%s', (name) => {
    expect(check(planned, drafted(planned.trajectory, changes[name])).valid).toBe(false);
  });

  test.each([
    'a gap between segments',
    'a segment of another step',
    'a border of segments moved',
    'an event too late',
    'another object attached',
    'another link',
    'another object detached',
    'another pair allowed',
    'another value set',
    'another key in an event',
    'points without times',
    'a segment missing',
    'no events',
    'an attachment instead of a detachment',
  ])('by its certificate: %s', (name) => {
    const changed = drafted(planned.trajectory, changes[name]);
    const own = { ...planned.certificate, trajectory: trajectoryHash(changed) };
    expect(verifyProgram(own, planned.model, planned.scene, changed).proved).toBe(false);
  });

  test('by its certificate: a jump within a nanosecond between two events', () => {
    // forbid and allow: the arc and the polyline between them are replaced by a jump to and fro below the table
    const [start, end] = [segmentOf(7).from, segmentOf(8).to];
    const by = start + 1e-9 - end;
    const changed = drafted(planned.trajectory, (m) => {
      const below = structuredClone(m.points[pointIn(m, 7, 0)]);
      below.positions[1] += 1;
      m.points = [
        ...m.points.filter((point) => point.time_from_start! <= start),
        { ...below, time_from_start: start + 5e-10 },
        ...m.points.filter((point) => point.time_from_start! >= end),
      ];
      delay(m, end - 1e-6, by);
      Object.assign(m.segments!.find(({ step }) => step === 7)!, { from: start, to: end + by });
      Object.assign(m.segments!.find(({ step }) => step === 8)!, { from: end + by, to: end + by });
    });
    const own = drafted(planned.certificate, (c) => {
      c.trajectory = trajectoryHash(changed);
      c.duration += by;
      c.segments!.splice(2, 1);
      for (const segment of c.segments!.slice(2)) {
        segment.from += by;
        segment.to += by;
        for (const { spans } of segment.pairs)
          for (const span of spans as number[][]) for (const k of [0, 1]) span[k] += by;
      }
    });
    const { proved, problems } = verifyProgram(own, planned.model, planned.scene, changed);
    expect(proved).toBe(false);
    expect(problems).toEqual(['it has 4 segments, the events divide the motion into 5']);
  });
});
