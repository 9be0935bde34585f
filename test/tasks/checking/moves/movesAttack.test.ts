import { expect, test } from 'vitest';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { attackMoves } from './movesAttack.ts';

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const COUNT = Number(process.env.ELBOWROOM_MOVES ?? 3);
const MEMBERS = process.env.ELBOWROOM_MOVES ? 20 : 3;
const FIRST = Number(process.env.ELBOWROOM_SEED ?? 1);

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
