import { expect, test } from 'vitest';
import { encode } from '../fuzz/encode.ts';
import { samples } from '../fuzz/samples.ts';
import { targets } from '../fuzz/targets.ts';

/** Numbers of text files with a decimal point or digits that are not part of a name, an address or a comment. */
const NUMBER = /(?<![\w.#+-]|(?<!=)"|base64,.*|^(?:#|comment).*)-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.+-])/gm;

const semantics = `<robot name="r"><group name="arm"><joint name="j"/></group><group_state name="up" group="arm"><joint name="j" value="0.25"/></group_state>
<link_sphere_approximation link="a"><sphere center="1 2 3" radius="4"/></link_sphere_approximation>
<joint_property joint_name="j" property_name="angular_distance_weight" value="0.5"/></robot>`;

/** Lines of a COLLADA file, and bones, which move nothing: open elements. */
const UNUSED_ELEMENT = /<(lines|skin)\b(?![\s\S]*<\/\1>)/;

/** Beginnings of lines whose next number no reader uses: versions, sensor poses, further columns. */
const UNUSED: Readonly<Record<string, RegExp>> = {
  pcd: /^(VERSION|VIEWPOINT)[\d ]* $/,
  xyz: /^4,5,6 (7 )?$/,
  srdf: /(center="[\d ]*|radius="|angular_distance_weight" value=")$/,
};

test.each(['stl', 'obj', 'ply', 'dae', 'pcd', 'xyz', 'heights', 'srdf', 'moveit', 'planning', 'trajectory'])(
  'each damaged number of %s files is refused, unless nothing is made of it',
  { timeout: 60_000 },
  async (name) => {
    const texts = [
      ...samples[name].map((bytes) => new TextDecoder().decode(bytes)),
      ...(name === 'srdf' ? [semantics] : []),
    ];
    let numbers = 0;
    for (const text of texts) {
      const isProgram = /\b(movej|servoj)\(/.test(text); // a name may be a variable
      if (isProgram || text.includes('\0') || text.includes('\ufffd') || !(await isRead(name, text))) continue;
      for (const { 0: number, index } of text.matchAll(NUMBER)) {
        const line = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
        if (/"seed": $/.test(line)) continue;
        numbers++;
        for (const damaged of ['oops', '1.2.3', '--3']) {
          const changed = text.slice(0, index) + damaged + text.slice(index + number.length);
          const isUnused = UNUSED[name]?.test(line) === true || UNUSED_ELEMENT.test(text.slice(0, index));
          if (!isUnused) expect(await isRead(name, changed), `${line}${damaged}`).toBe(false);
        }
      }
    }
    expect(numbers).toBeGreaterThan(3);
  },
);

/** Returns true if a target reads a text; other errors than that it cannot be read are thrown. */
async function isRead(name: string, text: string): Promise<boolean> {
  try {
    await targets[name](encode(text));
    return true;
  } catch (error) {
    if ((error as Error).message.startsWith('broken promise')) throw error;
    return false;
  }
}

test('normals of degenerate triangles may be NaN', async () => {
  const facet = (normal: string) =>
    `solid t\nfacet normal ${normal}\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n`;
  for (const normal of ['nan nan nan', '-nan(ind) -NaN inf', '-1.#IND 1.#QNAN 0', ''])
    expect(await isRead('stl', facet(normal)), normal).toBe(true);
  expect(await isRead('stl', facet('0 0 oops'))).toBe(false);
});
