import { Random } from '../../core/math/random.ts';
import type { GateMessage, ProposedPoint } from '../../formats/streams/gateMessages.ts';

/** Messages of a warm-up: at most, and seconds after which it ends. */
export const WARM_UP = { messages: 200, seconds: 3 };

/** Points of a proposal, and seconds between them. */
const POINTS = 50;
const STEP = 0.02;
/** Displacement of a joint at most, rad or m: of proposals that lead back to the start, and of the last other one. */
const SMALL = 0.02;
const LARGE = 0.6;

/**
 * Returns proposals by which the code of a gate is compiled before others use one; they are for a gate of their own.
 * Motions about its start, which become larger, so that they are accepted, exceed limits or come into contact. Each is
 * cut by a small one, which is joined, and comes to rest at the start.
 */
export function* warmUpMessages(start: readonly number[]): Generator<Required<Pick<GateMessage, 'now' | 'points'>>> {
  const random = new Random(1);
  const duration = STEP * (POINTS - 1);
  let now = 0;
  for (let k = 0; k < WARM_UP.messages; k++) {
    const isSmall = k % 2 === 0;
    const amplitude = isSmall ? SMALL : (LARGE * k) / WARM_UP.messages;
    const most = start.map(() => random.between(-amplitude, amplitude));
    const points = Array.from({ length: POINTS }, (_, i): ProposedPoint => {
      const share = i / (POINTS - 1);
      const moved = 16 * (share * (1 - share)) ** 2; // from 0 to 1 and back, at rest at both ends
      const rate = (32 * share * (1 - share) * (1 - 2 * share)) / duration;
      const positions = start.map((q, j) => q + most[j] * moved);
      const time = now + 2 * STEP + i * STEP;
      return k % 4 < 2 ? { time, positions } : { time, positions, velocities: most.map((d) => d * rate) };
    });
    yield { now, points };
    now += isSmall ? 4 * duration : 0.4 * duration;
  }
}
