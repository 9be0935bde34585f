import { checkers } from '../../core/narrowphase/index.ts';
import { checkerVariants } from '../../core/narrowphase/variants.ts';
import { planners } from '../../core/planning/index.ts';
import type { ExperimentDefaults } from '../../formats/schemas/experimentFile.ts';
import type { ExperimentTables } from '../../formats/schemas/experimentSchema.ts';
import { edgeValidations } from '../../tasks/planning/edgeValidation.ts';
import { planDefaults } from '../../tasks/planning/planMotion.ts';
import { blendRules } from '../../tasks/timing/blendRules.ts';
import { metrics } from './metricTable.ts';

/** Tables whose entries an experiment file can name. */
export const experimentTables: ExperimentTables = {
  planners,
  checkers: { ...checkers, ...checkerVariants },
  edges: edgeValidations,
  corners: blendRules,
  metrics,
};

const { planner, checker, edges, step, corners, shortcut, timing, timeLimit } = planDefaults;

/** Default settings of an experiment: those of `plan`. */
export const experimentDefaults: ExperimentDefaults = {
  planner,
  checker,
  edges,
  step,
  corners,
  shortcut,
  timing,
  timeLimit,
};
