#!/usr/bin/env node
// Writes src/core/narrowphase/*/*.generated.ts: the kernels in vector notation of src/core/narrowphase/kernels,
// expanded to scalars. A test compares them.
//   node scripts/kernels.mjs
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { importBundled } from './bundled.mjs';

const { expandedKernels } = await importBundled('scripts/kernels/expandedKernels.ts');
const kernels = expandedKernels();
for (const [file, text] of kernels) writeFileSync(file, text);
execFileSync('npx', ['--no-install', 'biome', 'check', '--write', ...kernels.keys()]);
