#!/usr/bin/env node
// Writes src/core/collision/filter/kernelBytes.generated.ts: the WebAssembly module that scripts/filter-kernel emits
// (docs/filter.md). A test compares the two byte for byte.
//   node scripts/filter-kernel.mjs
import { writeFileSync } from 'node:fs';
import { importBundled } from './bundled.mjs';

const { kernelModule } = await importBundled('scripts/filter-kernel/kernelModule.ts');
const base64 = Buffer.from(kernelModule()).toString('base64');
const lines = base64.match(/.{1,110}/g).map((line) => `  '${line}',`);
writeFileSync(
  'src/core/collision/filter/kernelBytes.generated.ts',
  `/** Written by \`node scripts/filter-kernel.mjs\`: the module of the kernel, base64. */
export const kernelBase64 = [
${lines.join('\n')}
].join('');
`,
);
