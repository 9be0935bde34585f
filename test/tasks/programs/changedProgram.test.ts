import { beforeAll, describe, expect, test } from 'vitest';
import type { Certificate, CertificateSegment, Span } from '../../../src/core/certificate/certificate.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import type { Step } from '../../../src/core/scene/program.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { check, type Draft, drafted, type PlannedProgram, pickAndPlace } from './plannedProgram.ts';

let planned: PlannedProgram;
beforeAll(async () => {
  planned = await pickAndPlace();
});
const _segmentOf = (step: number) => planned.trajectory.segments!.find((one) => one.step === step)!;

describe('a changed certificate is refused', () => {
  const changes: Record<string, (given: Draft<Certificate>) => void> = {
    'a segment missing': ({ segments }) => void segments!.splice(2, 1),
    'the last segment missing': ({ segments }) => void segments!.pop(),
    'a segment twice': ({ segments }) => void segments!.splice(1, 0, structuredClone(segments![1])),
    'two segments exchanged': ({ segments }) => void segments!.reverse(),
    'no segments': (c) => void delete c.segments,
    'a pair missing': ({ segments }) => void segments![1].pairs.splice(7, 1),
    'a pair with the carried block missing': ({ segments }) => {
      const { pairs } = segments![2];
      pairs.splice(
        pairs.findIndex(({ a }) => a === 'block'),
        1,
      );
    },
    'the pairs of another segment': ({ segments }) => {
      segments![2].pairs = segments![4].pairs;
    },
    'a span missing': ({ segments }) => void longest(segments![2]).splice(1, 1),
    'a span shortened': ({ segments }) => {
      (longest(segments![0])[0] as number[])[1] -= 1e-6;
    },
    'a normal turned round': ({ segments }) => {
      const span = segments![3].pairs[0].spans[0] as number[];
      for (const k of [2, 3, 4]) span[k] = -span[k];
    },
    'a normal of length 2': ({ segments }) => {
      const span = segments![3].pairs[0].spans[0] as number[];
      for (const k of [2, 3, 4]) span[k] *= 2;
    },
    'another part': ({ segments }) => {
      segments![0].pairs[0].partB += 7;
    },
    'another beginning of a segment': ({ segments }) => {
      segments![1].from += 1e-6;
    },
    'another end of a segment': ({ segments }) => {
      segments![1].to -= 1e-6;
    },
    'another duration': (c) => {
      c.duration -= 1e-3;
    },
    'another hash': (c) => {
      c.trajectory = c.trajectory.replace(/.$/, (x) => (x === '0' ? '1' : '0'));
    },
    'another interpolation': (c) => {
      c.interpolation = 'linear';
    },
  };
  test.each(Object.keys(changes))('%s', (name) => {
    expect(
      verifyProgram(drafted(planned.certificate, changes[name]), planned.model, planned.scene, planned.trajectory)
        .proved,
    ).toBe(false);
  });
});

const longest = ({ pairs }: Draft<CertificateSegment>): Draft<Span>[] =>
  pairs.reduce((most, { spans }) => (spans.length > most.length ? spans : most), [] as Draft<Span>[]);

describe('another scene is refused', () => {
  const without = (index: number) => (one: Scene) => ({
    ...one,
    steps: one.steps!.filter((step) => step.index !== index),
  });
  const changed = (index: number, change: Partial<Record<string, unknown>>) => (one: Scene) => ({
    ...one,
    steps: one.steps!.map((step) => (step.index === index ? ({ ...step, ...change } as Step) : step)),
  });
  const moved = (name: string, dx: number, dy: number, dz: number) => (one: Scene) => ({
    ...one,
    obstacles: one.obstacles.map((object) => {
      const [x, y, z] = object.pose.xyz;
      const xyz = [x + dx, y + dy, z + dz] as const;
      return object.name === name ? { ...object, pose: { ...object.pose, xyz } } : object;
    }),
  });
  const disallowed = (a: string, b: string) => (one: Scene) => ({
    ...one,
    allow: one.allow.filter((pair) => !(pair.includes(a) && pair.includes(b))),
  });
  const line = (index: number, by: readonly number[]) =>
    changed(index, { targets: [{ kind: 'by', by, quat_wxyz: [1, 0, 0, 0], frame: 'world' }] });
  const changes: Record<string, { readonly of: (one: Scene) => Scene; readonly proof: boolean }> = {
    'an obstacle on the way': { of: moved('post', -0.12, 0, 0.05), proof: false },
    'a wall against the gripper': { of: moved('wall_right', 0, -0.075, 0), proof: false },
    'a block elsewhere': { of: moved('block', 0, 0.095, 0.02), proof: false },
    'a larger padding': { of: (one) => ({ ...one, padding: 0.03 }), proof: false },
    'block and table not allowed': { of: disallowed('block', 'table'), proof: false },
    'block and tray not allowed': { of: changed(9, { pairs: [['block', 'post']] }), proof: false },
    'the block not attached': { of: without(3), proof: false },
    'the block not put down': { of: without(11), proof: false },
    'the tray forbidden': { of: changed(9, { kind: 'forbid' }), proof: false },
    'another order of events': {
      of: (one) => {
        const steps = [...one.steps!];
        [steps[11], steps[12]] = [steps[12], steps[11]];
        return { ...one, steps: steps.map((step, index) => ({ ...step, index })) };
      },
      proof: false,
    },
    'a smaller speed': { of: changed(2, { speed: 0.1 }), proof: true },
    'a smaller acceleration': { of: changed(10, { acceleration: 0.2 }), proof: true },
    'a smaller TCP speed': { of: changed(5, { tcpSpeed: 0.15 }), proof: true },
    'a smaller TCP speed of the scene': { of: (one) => ({ ...one, tcpSpeed: 0.15 }), proof: true },
    'a smaller speed of the scene': { of: (one) => ({ ...one, speed: 0.5 }), proof: true },
    'a tighter tolerance': { of: changed(8, { tolerance: { position: 1e-8, angle: 1e-8 } }), proof: true },
    'a longer line': { of: line(5, [0, 0, 0.201]), proof: true },
    'a shorter line': { of: line(5, [0, 0, 0.199]), proof: true },
    'a line in another direction': { of: line(5, [0.001, 0, 0.2]), proof: true },
    'another arc': { of: changed(7, { via: [0.281, -0.05, 0.26] }), proof: true },
    'another goal': {
      of: changed(16, { goals: [{ kind: 'joints', joints: [0.1, -1.5, 1.6, -1.7, -Math.PI / 2, 0] }] }),
      proof: true,
    },
    'another start': { of: (one) => ({ ...one, start: [0.001, -1.5, 1.6, -1.7, -Math.PI / 2, 0] }), proof: true },
    'another TCP': {
      of: (one) => ({ ...one, tcp: { ...one.tcp!, pose: { ...one.tcp!.pose, xyz: [0, 0.01, 0.14] } } }),
      proof: true,
    },
    'another wait': { of: changed(4, { duration: 0.2 }), proof: true },
    'another value set': { of: changed(12, { values: { gripper: 'open' } }), proof: false },
  };
  test.each(Object.keys(changes))('%s', (name) => {
    const { of, proof } = changes[name];
    const other = of(planned.scene);
    let isValid = false;
    let isProved = false;
    try {
      isValid = check({ ...planned, scene: other }, planned.trajectory).valid;
      isProved = verifyProgram(planned.certificate, planned.model, other, planned.trajectory).proved;
    } catch (error) {
      expect((error as Error).name).toBe('InputError');
    }
    expect(isValid).toBe(false);
    expect(isProved).toBe(proof);
  });
});
