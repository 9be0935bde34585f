import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: ['test/cli/freshBuild.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores are what a small CI machine has; tests that spawn the command line want one of their own.
    maxWorkers: 2,
  },
});
