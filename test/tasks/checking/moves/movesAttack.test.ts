import { expect, test } from 'vitest';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { cases } from '../../../cases.ts';
import { attackCell } from './cellAttack.ts';
import { attackLimit, attackMoves, attackRepair } from './movesAttack.ts';
import { loadFamily } from './randomCell.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const COUNT = Number(process.env.ELBOWROOM_MOVES ?? cases(8));
const MEMBERS = process.env.ELBOWROOM_MOVES ? 20 : 3;
const FIRST = Number(process.env.ELBOWROOM_SEED ?? 2);

test('no sampled motion of a program that is valid touches an obstacle, or leaves limits for which it is certified', () => {
  const counts = { read: 0, valid: 0, invalid: 0, undecided: 0, free: 0, lost: 0, within: 0, beyond: 0 };
  const lost: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const attack = attackMoves(robot, seed, MEMBERS);
    if (!attack) continue;
    const { verdict, gap, faults, text, isVerified, limits } = attack;
    counts.read++;
    counts[verdict as 'valid']++;
    if (gap >= 2e-3) counts.free++;
    if (gap >= 2e-3 && verdict !== 'valid') {
      counts.lost++;
      const reason = faults[0].replace(/line \d+: /, '');
      lost[reason] = (lost[reason] ?? 0) + 1;
    }
    if (verdict === 'valid') expect(isVerified, `seed ${seed}`).toBe(true);
    if (verdict === 'valid') expect(gap, `seed ${seed}\n${text}`).toBeGreaterThan(-1e-7);
    for (const { isAccepted, room, place } of limits) {
      if (isAccepted) expect(room, `seed ${seed}: ${place}\n${text}`).toBeGreaterThan(-5e-9);
      counts[isAccepted ? 'within' : 'beyond']++;
    }
  }
  if (process.env.ELBOWROOM_MOVES) console.log(counts, lost);
  expect(counts.read).toBeGreaterThan(0);
}, 1e9);

/** Slacks of limits, m, rad or relative: a sampled motion breaks the first one. */
const SLACKS = [-1e-4, 1e-4, 2e-3];

test.skipIf(!process.env.ELBOWROOM_MOVES).each(SLACKS)(
  'no limit of a cell that is broken by a sampled motion is proved, with a slack of %s',
  (slack) => {
    const counts: Record<string, Record<string, number>> = {};
    for (let seed = FIRST; seed < FIRST + COUNT; seed++)
      for (let kind = 0; kind < 6; kind++) {
        const attack = attackLimit(robot, seed, MEMBERS, kind, slack);
        if (!attack) continue;
        const { verdict, constraint, text, isVerified } = attack;
        const label = `${constraint.type}${'frame' in constraint && constraint.frame ? ' of the elbow' : ''}`;
        counts[label] ??= {};
        counts[label][verdict] = (counts[label][verdict] ?? 0) + 1;
        if (slack < 0) expect(verdict, `seed ${seed}, ${JSON.stringify(constraint)}\n${text}`).not.toBe('valid');
        const isOfStates = constraint.type !== 'speed' && constraint.type !== 'joint_speed';
        if (verdict === 'valid' && isOfStates) expect(isVerified, `seed ${seed}, ${label}`).toBe(true);
      }
    if (process.env.ELBOWROOM_MOVES) console.log(slack, JSON.stringify(counts));
    expect(Object.keys(counts).length).toBeGreaterThan(2);
  },
  1e9,
);

test('no sampled motion of a repaired program touches the obstacle, and its other lines remain', () => {
  const counts: Record<string, number> = {};
  const failures: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const attack = attackRepair(robot, seed, MEMBERS);
    if (!attack) continue;
    const { status, reason, gap, text, lost } = attack;
    counts[status] = (counts[status] ?? 0) + 1;
    const failure = reason.replace(/line \d+: /g, '').replace(/[\d.]+/g, 'n');
    if (status === 'failed') failures[failure] = (failures[failure] ?? 0) + 1;
    else expect(gap, `seed ${seed}: ${reason}\n${text}`).toBeGreaterThan(-1e-7);
    expect(lost, `seed ${seed}: ${reason}\n${text}`).toEqual([]);
  }
  if (process.env.ELBOWROOM_MOVES) console.log(counts, failures);
  expect(Object.keys(counts).length).toBeGreaterThan(0);
}, 1e9);

test('no sampled motion of a valid program of a random arm in a random scene touches or breaks a limit', async () => {
  const family = await loadFamily();
  const counts: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const attack = attackCell(family, seed, MEMBERS);
    if (!attack) continue;
    counts[attack.verdict] = (counts[attack.verdict] ?? 0) + 1;
    expect(attack.members, `seed ${seed}`).toBeGreaterThan(0);
    expect(attack.wrong, `seed ${seed}: ${attack.kinds}`).toBeUndefined();
  }
  expect(counts.valid).toBeGreaterThan(0);
}, 1e9);
