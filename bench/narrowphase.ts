import type { Table } from './measure.ts';
import { benchBoolean } from './narrowphase/boolean.ts';
import { benchGrowth } from './narrowphase/growth.ts';

export const about =
  'the narrow phase by itself: Boolean checkers and the growth distance on hulls and primitives, cold and warm';

export async function* run(): AsyncGenerator<Table> {
  yield {
    title: 'Boolean queries between hulls, nanoseconds',
    rows: (await benchBoolean()).map((row) => ({ ...row })),
    notes: [
      '1000 random pairs a size; warm: asked again at the same poses; iterations: looks at the Minkowski difference',
    ],
  };
  yield {
    title: 'Growth distance, nanoseconds',
    rows: await benchGrowth(),
    notes: ['warm: each pair turns and moves by about 1 % of its size a query; primitives are skewed to 100:1'],
  };
}
