#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli/start.js', import.meta.url);
if (existsSync(built)) {
  const { start } = await import(built.href);
  await start(process.argv.slice(2));
} else {
  process.stderr.write('elbowroom: error: dist/ is missing: this copy has not been built\n');
  process.stderr.write('  note: Run `npm ci` in its folder, or `npm run build` where that has been done.\n');
  process.exitCode = 2;
}
