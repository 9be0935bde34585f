import { bitStar } from './bitStar.ts';
import { informedRrtStar } from './informedRrtStar.ts';
import { lazyPrm } from './lazyPrm.ts';
import { library } from './library.ts';
import type { PlannerDefinition } from './planner.ts';
import { prm } from './prm.ts';
import { rrt } from './rrt.ts';
import { rrtConnect } from './rrtConnect.ts';
import { rrtStar } from './rrtStar.ts';

/** Planners by the name that `--planner` takes. */
export const planners = {
  rrt,
  'rrt-connect': rrtConnect,
  'rrt-star': rrtStar,
  'informed-rrt-star': informedRrtStar,
  'bit-star': bitStar,
  prm,
  'lazy-prm': lazyPrm,
  library,
} as const satisfies Readonly<Record<string, PlannerDefinition>>;

/** Name of a planner: a key of `planners`. */
export type PlannerName = keyof typeof planners;
