import { readFileSync } from 'node:fs';
import { matchingFiles } from '../src/host/experiments/glob.ts';

/**
 * Files that run in a process of their own: those that replace globals or functions of modules, set timers, flags or
 * variables of the environment, measure memory, or leave browsers, threads and commands running. The processes of all
 * others run one file after another and load each module once.
 */
export const OWN_PROCESS = [
  'test/viewer/**/*.test.ts',
  'test/publicTypes.test.ts',
  'test/regressions/{manyPlans,terminal}.test.ts',
  'test/core/collision/filter/stateFilter.test.ts',
  'test/formats/text/jsonSource.test.ts',
  'test/tasks/planning/reusedProofs.test.ts',
  'test/host/cli/{allOrNone,serve,start,v8Flags}.test.ts',
  'test/host/experiments/{command,examples,lostWorkers,queue,queueWindow,redisKeys,searches}.test.ts',
  'test/host/node/{changedRobots,decomposition,files}.test.ts',
  'test/host/node/prepared/*.test.ts',
  'test/host/service/{attacks,client,faults,notifications,objectMemory}.test.ts',
];

/**
 * Files of the periphery (pages, queue, tables, copies of the package) that `npm run test:long` runs, and `npm test`
 * does not; a file of each kind stays in `npm test`. Both pass at the last commit of an issue.
 */
export const LONG = [
  'test/additions.test.ts',
  'test/clients/ompl.test.ts',
  'test/host/cli/pages/{coordinatePage,package,settlePage,tutorial}.test.ts',
  'test/host/experiments/{examples,lostWorkers,queue,redisKeys,searches}.test.ts',
  'test/host/service/faults.test.ts',
  'test/viewer/{editing,handles,playground,replays,scenes,site,steps,tool,workbench}.test.ts',
];

/** Files with a number of `cases` (test/cases.ts): all of them by `npm run test:long`. */
const deep = matchingFiles('test/**/*.test.ts', '.').filter((file) =>
  /from '(\.\.?\/)+cases\.ts'/.test(readFileSync(file, 'utf8')),
);
const ownProcess = new Set(OWN_PROCESS.flatMap((pattern) => matchingFiles(pattern, '.')));
/** Of these, the files with a process of their own, and the others. */
export const DEEP = {
  own: deep.filter((file) => ownProcess.has(file)),
  shared: deep.filter((file) => !ownProcess.has(file)),
};

/** The files that run longest, so that none of them is the last one. */
export const LONGEST = [
  'clients/python',
  'host/cli/pages/package',
  'viewer/page',
  'viewer/workbench',
  'host/experiments/command',
  'host/experiments/examples',
  'host/experiments/searches',
  'host/experiments/redisKeys',
  'viewer/replays',
  'viewer/tool',
  'host/cli/serve',
  'host/cli/pages/tutorial',
  'host/cli/pages/book',
  'proof',
  'robots/scenes',
  'core/certificate/exactSeparation',
  'tasks/checking/moves/stepsAttack',
  'core/narrowphase/planar/solvers',
  'regressions/sameness',
];
