// Writes the programs of examples/library and what they print into docs/library.md: node scripts/library-docs.mjs
// [--check]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const page = readFileSync('docs/library.md', 'utf8');
const written = page.replace(/<!-- program (\w+) -->[\s\S]*?<!-- end -->/g, (_, name) => {
  const file = `examples/library/${name}.mjs`;
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`${file}: exit ${status}\n${stderr}`);
  return `<!-- program ${name} -->\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\`\n\nprints (\`node ${file}\`)\n\n\`\`\`\n${stdout.trim()}\n\`\`\`\n\n<!-- end -->`;
});
if (!process.argv.includes('--check')) writeFileSync('docs/library.md', written);
else if (written !== page) {
  console.error('docs/library.md differs from examples/library: run node scripts/library-docs.mjs');
  process.exitCode = 1;
}
