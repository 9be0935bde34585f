#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '../dist/cli/start.cjs');
if (existsSync(built)) {
  require(built).start(process.argv.slice(2));
} else {
  process.stderr.write('elbowroom: error: dist/ is missing: this copy has not been built\n');
  process.stderr.write('  note: Run `npm ci` in its folder, or `npm run build` where that has been done.\n');
  process.exitCode = 2;
}
