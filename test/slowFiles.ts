/**
 * Files that run in a process of their own: those that replace globals or functions of modules, or set timers or
 * variables of the environment, and those whose browsers, servers, threads and commands outlive a test. The processes
 * of all others run one file after another and load each module once.
 */
export const OWN_PROCESS = [
  'test/{cli,clients,experiments,fuzz,node,service,viewer}/**/*.test.ts',
  'test/{additions,publicTypes}.test.ts',
  'test/regressions/{manyPlans,terminal}.test.ts',
  'test/core/collision/filter/stateFilter.test.ts',
  'test/formats/text/jsonSource.test.ts',
  'test/tasks/planning/reusedProofs.test.ts',
];

/** The files that run longest, so that none of them is the last one. */
export const LONGEST = [
  'viewer/page',
  'experiments/command',
  'cli/pages/package',
  'viewer/workbench',
  'fuzz/fuzz',
  'experiments/examples',
  'experiments/searches',
  'experiments/redisKeys',
  'experiments/queue',
  'viewer/replays',
  'viewer/tool',
  'robots/scenes',
  'narrowphase/certificates/certificates',
  'cli/programs/programScripts',
  'planning/planners',
  'cartesian/legs',
  'cli/planning/ownPlanner',
  'cli/pages/tutorial',
  'cli/pages/book',
];
