/**
 * Files that run in a process of their own: those that replace globals or functions of modules, or set timers or
 * variables of the environment, and those whose browsers, servers, threads and commands outlive a test. The processes
 * of all others run one file after another and load each module once.
 */
export const OWN_PROCESS = [
  'test/{host,clients,fuzz,viewer}/**/*.test.ts',
  'test/{additions,publicTypes}.test.ts',
  'test/regressions/{manyPlans,terminal}.test.ts',
  'test/core/collision/filter/stateFilter.test.ts',
  'test/formats/text/jsonSource.test.ts',
  'test/tasks/planning/reusedProofs.test.ts',
];

/**
 * Files of the periphery (pages, queue, tables, copies of the package) that `npm run test:long` runs, and `npm test`
 * does not; a file of each kind stays in `npm test`. Both pass at the last commit of an issue.
 */
export const LONG = [
  'test/host/cli/pages/{coordinatePage,package,tutorial}.test.ts',
  'test/host/experiments/{examples,lostWorkers,redisKeys,searches}.test.ts',
  'test/host/service/faults.test.ts',
  'test/viewer/{editing,handles,replays,scenes,site,tool,workbench}.test.ts',
];

/** Files with a number of `cases`: more by `npm run test:long`. */
export const DEEP = [
  'test/core/cartesian/legs.test.ts',
  'test/core/certificate/{exactSeparation,tightPadding}.test.ts',
  'test/core/collision/proofs/edgeCover.test.ts',
  'test/core/constraints/{orientation,proof}.test.ts',
  'test/core/hulls/randomOpenMeshes.test.ts',
  'test/core/optimization/pills.test.ts',
  'test/core/planning/coordination/delayTolerance.test.ts',
];

/** The files that run longest, so that none of them is the last one. */
export const LONGEST = [
  'viewer/page',
  'host/experiments/command',
  'host/cli/pages/package',
  'viewer/workbench',
  'fuzz/fuzz',
  'host/experiments/examples',
  'host/experiments/searches',
  'host/experiments/redisKeys',
  'host/experiments/queue',
  'viewer/replays',
  'viewer/tool',
  'robots/scenes',
  'core/narrowphase/certificates/certificates',
  'host/cli/programs/programScripts',
  'core/planning/planners',
  'core/cartesian/legs',
  'host/cli/pages/tutorial',
  'host/cli/pages/book',
];
