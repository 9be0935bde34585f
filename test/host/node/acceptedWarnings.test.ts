import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { warningCode, warningCodes } from '../../../src/core/scene/warningCodes.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot, limitWarnings } from '../../../src/tasks/sceneRobot.ts';

const folder = mkdtempSync(join(tmpdir(), 'elbowroom-test-'));

/** A robot with a suspicious value of most kinds. */
const URDF = `<robot name="arm">
  <link name="post"/>
  <link name="upper"><visual><geometry><box size="0.5 0.1 0.1"/></geometry></visual></link>
  <link name="fore"><collision><geometry><box size="900 9 9"/></geometry></collision></link>
  <joint name="shoulder" type="revolute">
    <parent link="post"/><child link="upper"/><origin rpy="90 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" velocity="-1" effort="10"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="2" effort="10"/>
  </joint>
</robot>`;
const SCENE = `format: elbowroom-scene/1
robot: {urdf: arm.urdf, joints: [shoulder], fixed: {elbow: 2.5}}
start: [0]
goal: [1]
tcp_speed: 250
`;

/** Loads the scene with further lines, and returns all warnings of `plan`. */
async function warningsOf(more: string): Promise<string[]> {
  const file = join(folder, 'scene.yaml');
  writeFileSync(join(folder, 'arm.urdf'), URDF);
  writeFileSync(file, SCENE + more);
  const loaded = await loadScene(file);
  return [...loaded.warnings, ...limitWarnings(createSceneRobot(loaded), loaded.scene)];
}

describe('accept_warnings of a scene', () => {
  test('a scene accepts exactly the kinds of warnings that it lists', async () => {
    const all = await warningsOf('');
    const codes = all.map(warningCode);
    const found = [...new Set(codes)].sort();
    expect(found).toEqual(
      ['degrees', 'joint-limits', 'millimetres', 'no-collision-geometry', 'no-velocity-limit', 'out-of-limits'].sort(),
    );
    for (const code of found) {
      const left = await warningsOf(`accept_warnings: [${code}]\n`);
      expect(left, code).toEqual(all.filter((_, i) => codes[i] !== code));
    }
    expect(await warningsOf(`accept_warnings: [${found.join(', ')}]\n`)).toEqual([]);
  });

  test('an unknown code is refused with its line and the nearest one', async () => {
    const error = await warningsOf('accept_warnings: [degrees, millimeters]\n').catch((cause) => cause);
    expect(`${error.message}\n${error.note}`).toMatch(
      /scene\.yaml:6: accept_warnings\[1\]: it is "millimeters".*\n.*millimetres/,
    );
  });

  test('the documentation lists all codes', () => {
    const text = readFileSync(new URL('../../../docs/troubleshooting.md', import.meta.url), 'utf8');
    const listed = Object.entries(warningCodes).map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`);
    expect(text).toContain(listed.join('\n'));
  });

  test('each pattern of a code occurs in a message of the sources', () => {
    const source = new URL('../../../src/', import.meta.url);
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('warningCodes.ts'),
    );
    const joined = files.map((name) =>
      readFileSync(new URL(name, source), 'utf8')
        .replace(/['`]\s*\+\s*['`]/g, '')
        .replace(/\$\{[^}]*\}/g, '1'),
    );
    const absent = Object.entries(warningCodes).flatMap(([code, { pattern }]) =>
      alternativesOf(pattern.source)
        .filter((one) => !joined.some((text) => new RegExp(one).test(text)))
        .map((one) => `${code}: ${one}`),
    );
    expect(absent).toEqual([]);
  });

  test('warnings that results depend on have no code', () => {
    const hash = 'the hash in the file does not match its points: they were changed after it was written';
    expect(warningCode(`motion.json: ${hash}`)).toBeUndefined();
  });
});

/** The alternatives of a pattern, outside of its groups. */
function alternativesOf(pattern: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [i, char] of [...pattern].entries()) {
    const isPlain = pattern[i - 1] !== '\\';
    if (isPlain && char === '(') depth++;
    if (isPlain && char === ')') depth--;
    if (isPlain && char === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
