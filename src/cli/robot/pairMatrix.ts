import type { AllowedPairFindings, PairFinding } from '../../tasks/robots/findAllowedPairs.ts';
import { table } from '../table.ts';

/**
 * Pairs of links as a triangle: why a pair may touch, or in how many of the states it met. Columns are numbered as the rows are.
 */
export function pairMatrix({ links, pairs, samples, rate }: AllowedPairFindings): string {
  const rows = links.map((name, i) => [
    String(i + 1),
    name,
    ...links.slice(0, -1).map((_, j) => (j < i ? cellOf(pairs[(i * (i - 1)) / 2 + j], samples) : '')),
  ]);
  const head = ['', `${links.length} links`, ...links.slice(0, -1).map((_, j) => String(j + 1))];
  const count = (reason: PairFinding['reason']) => pairs.filter((pair) => pair.reason === reason).length;
  return `${table(head, rows)}

adj     joined by a joint: ${count('Adjacent')} pairs
always  met in each of ${samples} random states: ${count('Always')}; 95 % sure to meet in all but ${percent(rate)} of them
rest    meet where the robot stands at rest: ${count('Default')}
never   met in none of the states: ${count('Never')}; 95 % sure to meet in less than ${percent(rate)} of them
N %     met in this share of the states, so it has to be checked (rare: in none, but a search found where): ${count(undefined)}
`;
}

const words = { Adjacent: 'adj', Always: 'always', Default: 'rest', Never: 'never' } as const;

function cellOf({ reason, met }: PairFinding, samples: number): string {
  if (reason !== undefined) return words[reason];
  return met === 0 ? 'rare' : percent(met / samples);
}

/** Two digits: `13 %`, `0.03 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
