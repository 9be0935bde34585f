import { expect, test } from 'vitest';
import type { MoveCertificate } from '../../../../src/core/certificate/moves/moveCertificate.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { cases } from '../../../cases.ts';
import { leastGap, type Stage, StepJob, textOf } from './stepsAttack.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const COUNT = Number(process.env.ELBOWROOM_MOVES ?? cases(12));
const MEMBERS = process.env.ELBOWROOM_MOVES ? 20 : 3;
const FIRST = Number(process.env.ELBOWROOM_SEED ?? 2);
/** m: contacts that are less deep are rounding. */
const TOUCH = -1e-7;

/** Stages whose events differ: one is moved to the next or the previous stage, left out, or two are exchanged. */
function changedEvents(stages: readonly Stage[]): Stage[][] {
  const withEvents = (change: (events: Stage['events'][]) => void) => {
    const events = stages.map((one) => [...one.events]);
    change(events as Stage['events'][]);
    return stages.map((one, i) => ({ ...one, events: events[i] }));
  };
  return stages.flatMap(({ events }, k) =>
    events.flatMap((event, i) => [
      withEvents((all) => {
        all[k] = events.toSpliced(i, 1);
      }),
      ...[k - 1, k + 1].flatMap((other) =>
        stages[other] === undefined
          ? []
          : [
              withEvents((all) => {
                all[k] = events.toSpliced(i, 1);
                all[other] = other < k ? [...stages[other].events, event] : [event, ...stages[other].events];
              }),
            ],
      ),
    ]),
  );
}

/** Certificates that differ from one: in the order of segments, or by a segment, a pair or a cell. */
function changedCertificates({ segments, ...rest }: MoveCertificate, job: StepJob): MoveCertificate[] {
  const all = segments!;
  const { random } = job;
  const withSegments = (changed: MoveCertificate['segments'] & object) => ({ ...rest, segments: changed });
  const k = random.below(all.length);
  const ofPair = (change: (cells: readonly (readonly number[])[]) => readonly (readonly number[])[]) => {
    const { pairs } = all[k];
    const at = random.below(pairs.length);
    const changed = pairs.map((pair, i) => (i === at ? { ...pair, cells: change(pair.cells) } : pair));
    return withSegments(all.toSpliced(k, 1, { pairs: changed }));
  };
  const one = (cells: readonly (readonly number[])[]) => random.below(cells.length);
  const other = (k + 1) % all.length;
  return [
    withSegments(all.toSpliced(k, 1)),
    withSegments([...all, all[k]]),
    withSegments(all.toSpliced(k, 1, { pairs: all[k].pairs.toSpliced(random.below(all[k].pairs.length), 1) })),
    ...(all.length > 1 ? [withSegments(all.with(k, all[other]).with(other, all[k]))] : []),
    ofPair((cells) => cells.toSpliced(one(cells), 1)),
    ofPair((cells) => {
      const at = one(cells);
      return cells.with(at, [cells[at][0] + 1, ...cells[at].slice(1)]);
    }),
    ofPair((cells) => {
      const at = one(cells);
      return cells.with(
        at,
        cells[at].map((x, i) => (i < cells[at].length - 3 ? x : -x)),
      );
    }),
    { ...rest, pairs: all.flatMap(({ pairs }) => pairs) },
  ];
}

test('no sampled motion of a program of steps that is valid touches an object, as it is then, and no changed certificate proves it', () => {
  const counts = { read: 0, valid: 0, invalid: 0, undecided: 0, free: 0, lost: 0 };
  const changes = { certificates: 0, events: 0, kept: 0, touching: 0, objects: 0 };
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const job = StepJob.of(robot, seed, MEMBERS);
    if (!job) continue;
    const { report, certify } = job.check();
    const { gap, stages, sampled } = job;
    counts.read++;
    counts[report.verdict]++;
    if (gap >= 2e-3) counts.free++;
    if (gap >= 2e-3 && report.verdict !== 'valid') counts.lost++;
    if (report.verdict !== 'valid') continue;
    const place = `seed ${seed}: ${JSON.stringify(stages.map(({ events }) => events))}`;
    expect(gap, place).toBeGreaterThan(TOUCH);
    const certificate = certify()!;
    expect(certificate, place).toBeDefined();
    expect(job.accepts(certificate, stages, false), place).toBe(true);
    for (const changed of changedCertificates(certificate, job)) {
      expect(job.accepts(changed), place).toBe(false);
      changes.certificates++;
    }
    for (const other of changedEvents(stages)) {
      if (textOf(other) !== textOf(stages)) expect(job.accepts(certificate, other, false), place).toBe(false);
      const isAccepted = job.accepts(certificate, other);
      const least = leastGap(other, job.objects, sampled);
      if (isAccepted) expect(least, `${place}\n${JSON.stringify(other)}`).toBeGreaterThan(TOUCH);
      changes.events++;
      if (isAccepted) changes.kept++;
      if (least < TOUCH) changes.touching++;
    }
    for (let k = 0; k < 6; k++) {
      if (!job.place(-0.03, k < 3 ? TOUCH : 3e-3)) continue;
      const isAccepted = job.accepts(certificate);
      if (isAccepted) expect(job.gap, place).toBeGreaterThan(TOUCH);
      changes.objects++;
      if (isAccepted) changes.kept++;
      if (job.gap < TOUCH) changes.touching++;
    }
  }
  if (process.env.ELBOWROOM_MOVES) console.log(counts, changes);
  expect(counts.valid).toBeGreaterThan(0);
  expect(changes.touching).toBeGreaterThan(0);
}, 1e9);
