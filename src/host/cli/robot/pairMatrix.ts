import type { AllowedPairFindings, PairFinding } from '../../../tasks/robots/findAllowedPairs.ts';
import { table } from '../table.ts';

/**
 * Formats the pairs of links as a lower triangular matrix: the reason why a pair is allowed to collide, or the share of
 * sampled states in which it collides. Columns are numbered as the rows are.
 */
export function pairMatrix({ links, pairs, samples, rate }: AllowedPairFindings): string {
  const rows = links.map((name, i) => [
    String(i + 1),
    name,
    ...links.slice(0, -1).map((_, j) => (j < i ? cellOf(pairs[(i * (i - 1)) / 2 + j], samples) : '')),
  ]);
  const head = ['', `${links.length} links`, ...links.slice(0, -1).map((_, j) => String(j + 1))];
  const count = (reason: PairFinding['reason']) => pairs.filter((pair) => pair.reason === reason).length;
  const share = percent(rate);
  const proved = pairs.filter(({ isProved }) => isProved).length;
  const checked = 'so they are checked (rare: in none, but they come near each other)';
  const allBut = `in all but ${share} of all states`;
  return `${table(head, rows)}

adj     connected by a joint: ${count('Adjacent')} pairs
always  collide in each of ${samples} random states: ${count('Always')}; with 95 % confidence ${allBut}
rest    collide in the rest state: ${count('Default')}
never   proved separated: ${proved}; collide in none of the states: ${count('Never') - proved}, with 95 % confidence in less than ${share} of all states
N %     collide in this share of the states, ${checked}: ${count(undefined)}
`;
}

const words = { Adjacent: 'adj', Always: 'always', Default: 'rest', Never: 'never' } as const;

function cellOf({ reason, met }: PairFinding, samples: number): string {
  if (reason !== undefined) return words[reason];
  return met === 0 ? 'rare' : percent(met / samples);
}

/** Formats a share with two digits: `13 %`, `0.03 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
