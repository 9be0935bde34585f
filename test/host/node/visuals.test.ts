import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, assert, describe, test } from 'vitest';
import { loadVisuals, missingVisuals } from '../../../src/host/node/visuals.ts';

const folder = mkdtempSync(join(tmpdir(), 'elbowroom-'));
afterAll(() => rmSync(folder, { recursive: true }));
const urdf = join(folder, 'r.urdf');
const visual = (file: string) => `<visual><geometry><mesh filename="${file}"/></geometry></visual>\n`;
writeFileSync(
  urdf,
  `<robot name="r"><link name="a">\n${visual('good.dae')}${visual('gone.dae')}${visual('broken.obj')}</link></robot>`,
);
copyFileSync(new URL('../../fixtures/collada/blender.dae', import.meta.url), join(folder, 'good.dae'));
writeFileSync(join(folder, 'broken.obj'), 'v 0 0\n');

describe('visual meshes', () => {
  test('are shown where they can be read, COLLADA with materials too; the others are warned of', async () => {
    const { visuals, warnings } = await loadVisuals(urdf, {});
    assert.equal(visuals.length, 1);
    assert.equal(Buffer.from(visuals[0].triangles!, 'base64').length, 4 * 9 * 4);
    assert.equal(warnings.length, 2);
    assert.match(
      warnings.find((text) => text.includes('gone.dae'))!,
      /r\.urdf:3: link "a": mesh gone\.dae: there is no such file/,
    );
    assert.match(warnings.find((text) => text.includes('broken.obj'))!, /broken\.obj:1: vertex 1: v has 2 numbers/);
  });

  test('that are missing are named without reading any', async () => {
    const [only, ...rest] = await missingVisuals(urdf, {});
    assert.deepEqual(rest, []);
    assert.match(only, /^.*r\.urdf:3: link "a": mesh gone\.dae: .*not needed for collision checking/);
  });
});
