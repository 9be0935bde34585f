import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { builtSources } from './test/builtSources.ts';
import { DEEP, LONG, LONGEST, OWN_PROCESS } from './test/slowFiles.ts';

/** Runs files with a process of their own first, and of each kind the longest files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place < 0 ? LONGEST.length : place;
    };
    const isShared = ({ project }: TestSpecification) => Number(project.config.isolate === false);
    return (await super.sort(files)).sort((a, b) => isShared(a) - isShared(b) || rank(a) - rank(b));
  }
}

/** `--mode long` (`npm run test:long`) runs the long files, and deep ones with all cases; others all but long ones. */
export default defineConfig(({ mode }) => ({
  plugins: [builtSources()],
  test: {
    globalSetup: ['test/builtSources.ts', 'test/host/cli/freshBuild.ts'],
    server: { deps: { external: [/\/\.vitest\/src\//] } },
    // One worker more than two cores: tests that wait for a browser or a process use little CPU time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test:
          mode === 'long'
            ? { name: 'long', include: [...LONG, ...DEEP.own], isolate: true }
            : { name: 'own process', include: OWN_PROCESS, exclude: LONG, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: mode === 'long' ? DEEP.shared : ['test/**/*.test.ts'],
          exclude: [...OWN_PROCESS, ...LONG],
          isolate: false,
        },
      },
    ],
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}));
