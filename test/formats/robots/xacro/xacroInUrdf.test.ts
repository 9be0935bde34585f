import { expect, test } from 'vitest';
import { isXacro, readRobotFile } from '../../../../src/formats/robots/index.ts';
import { memoryFiles } from '../memoryFiles.ts';

const robot = (inner: string) =>
  `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">${inner}<link name="a"/></robot>`;
const MACRO = '<xacro:macro name="m" params="n"><link name="${n}"/></xacro:macro>';

test('xacro in a URDF is expanded with a warning', async () => {
  const text = robot(`${MACRO}<xacro:if value="false"><xacro:m n="b"/></xacro:if>`);
  const reading = { geometry: 'collision', args: {}, files: memoryFiles({}) } as const;
  for (const file of ['r.urdf', 'r.xml']) {
    const { links, warnings } = await readRobotFile(text, file, reading);
    expect(links.map(({ name }) => name)).toEqual(['a']);
    expect(warnings[0]).toBe(`${file}: this is xacro, it is expanded`);
  }
});

test.each([
  ['r.urdf', robot(''), false],
  ['r.urdf', robot(`<!--${MACRO}-->`), false],
  ['r.urdf', robot('<xacro:property name="x" value="1"/>'), false],
  ['r.urdf', robot('<xacro:property name="x" value="1"/><link name="b${x}"/>'), false],
  ['r.urdf', robot(MACRO), true],
  ['r.xacro', robot(''), true],
  ['r.sdf', robot(MACRO), false],
])('%s with %s is xacro: %s', (file, text, expected) => {
  expect(isXacro(text, file)).toBe(expected);
});
