import { assert, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { readToolPath } from '../../../src/formats/toolpaths/index.ts';
import { orientedPoints } from '../../../src/formats/toolpaths/orientedPoints.ts';

const CSV = [
  'x [mm],y [mm],z [mm],rx [deg],ry [deg],rz [deg],speed [mm/s],on',
  '10,20,30,180,0,0,50,1',
  '12,20,30,180,0,0,50,0',
  '',
].join('\n');
const NC = [
  '%comment',
  '(start)',
  'N10 G21 G90 G17',
  'G0 X0 Y0 Z10',
  'G1 Z0 F600 ; down',
  'X20',
  'G2 X30 Y-10 I0 J-10',
  'G20',
  'G1 X2',
  'G91',
  'X1 Z1',
  'M30',
  '',
]
  .slice(1)
  .join('\n');

const refusal = (text: string, file: string) => {
  try {
    readToolPath(text, file);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'read';
};

test('a table with units is read in metres, radians and metres per second', () => {
  const [first, second] = readToolPath(CSV, 'a.csv');
  assert.deepEqual(
    first.xyz.map((x) => Number(x.toFixed(12))),
    [0.01, 0.02, 0.03],
  );
  assert(Math.abs(first.quat_wxyz![1] - 1) < 1e-12);
  assert(Math.abs(second.speed! - 0.05) < 1e-15);
  assert.deepEqual(
    readToolPath('x,y,z\n1,2,3\n4,5,6', 'a.csv', 0.001)[1].xyz.map((x) => Number(x.toFixed(12))),
    [0.004, 0.005, 0.006],
  );
});

test('G-code is read with its units, planes, arcs, feeds and relative coordinates', () => {
  const points = readToolPath(NC, 'a.nc');
  const at = (k: number) => points.at(k)!.xyz.map((x) => Number(x.toFixed(9)));
  assert.deepEqual(at(0), [0, 0, 0.01]);
  assert.equal(points[0].speed, undefined);
  assert(Math.abs(points[1].speed! - 0.01) < 1e-15);
  assert.deepEqual(at(-1), [0.0762, -0.01, 0.0254]);
  const arc = points.filter(({ xyz: [x] }) => x > 0.02 && x < 0.03);
  assert(arc.length > 10);
  for (const { xyz } of arc) assert(Math.abs(Math.hypot(xyz[0] - 0.02, xyz[1] + 0.01) - 0.01) < 1e-12);
});

test.each([
  ['a.csv', 'x,y,z,roll\n1,2,3,4\n', 'a.csv:1:7: unknown column "roll"'],
  ['a.csv', 'x,z\n1,2\n', 'a.csv:1:1: column y is missing'],
  ['a.csv', 'x,y [furlong],z\n1,2,3\n', 'a.csv:1:3: unknown unit "furlong"'],
  ['a.csv', 'time [mm],x,y,z\n0,1,2,3\n', 'a.csv:1:1: unknown unit "mm"'],
  ['a.csv', 'x,y,z,time [ms]\n1,2,3,4\n1,2,3,4\n1,2,3,2\n', 'a.csv:4:7: time is 0.002 s, after 0.004 s'],
  ['a.csv', 'x,y,z,x\n1,2,3,4\n', 'a.csv:1:7: column x is listed twice'],
  ['a.csv', 'x,y,z\n1,2,3\n1,NaN,3\n', 'a.csv:3:3: y is "NaN", not a finite number'],
  ['a.csv', 'x,y,z\n1,2,3\n1,2\n', 'a.csv:3:1: it has 2 cells, the header has 3'],
  ['a.csv', 'x,y,z\n1,2,3\n1,1e999,3\n', 'a.csv:3:3: y is "1e999", not a finite number'],
  ['a.csv', 'x,y,z,on\n1,2,3,2\n4,5,6,1\n', 'a.csv:2:7: on is 2, must be 0 or 1'],
  ['a.csv', 'x,y,z,rx,ry,rz,nx,ny,nz\n', 'a.csv:1:1: rx and nx both state the orientation'],
  ['a.nc', 'G0 X0 Y0 Z0\nG5 X1\n', 'a.nc:2:1: unknown word G5'],
  ['a.nc', 'G0 X0 Y0 Z0\nT2 M6\n', 'a.nc:2:4: unknown word M6'],
  ['a.nc', 'G0 X0 Y0 Z0\nG1 X1 Yabc F100\n', 'a.nc:2:7: "Y" is no word'],
  ['a.nc', 'G0 X0 Y0 Z0\nG2 X60 Y0 R5 F100\n', 'a.nc:2:1: its radius 0.005 m is less than half its chord, 0.03 m'],
  ['a.nc', 'G0 X0 Y0 Z0\nG1 X1\n', 'a.nc:2:1: G1 without a feed rate'],
  [
    'a.nc',
    'G0 X0 Z0\nG1 X1 F100\n',
    'a.nc:2:1: the first motion must be G0 or G1 to X, Y and Z in absolute coordinates',
  ],
  [
    'a.nc',
    'G0 X0 Y1\nG91 G0 Z1\n',
    'a.nc:2:1: the first motion must be G0 or G1 to X, Y and Z in absolute coordinates',
  ],
  ['a.csv', '1,2,3\n4,5,6\n', 'a.csv:1:1: the first line must name the columns'],
  ['a.nc', 'G0 G1 X0 Y0 Z0\n', 'a.nc:1:4: G1 contradicts another word of its line'],
])('%s: %j is refused with its place', (file, text, message) => {
  assert.equal(refusal(text, file), message);
});

test('a G-code path begins where all coordinates are known', () => {
  const points = readToolPath('G20 G0 Z1\nG21\nX1 Z5\nY2\nG1 Z-1 F60\n', 'a.nc');
  assert.deepEqual(points, [{ xyz: [0.001, 0.002, 0.005] }, { xyz: [0.001, 0.002, -0.001], speed: 0.001 }]);
});

test('words that state what is the case here anyway change no way point', () => {
  const plain = 'G0 X0 Y0 Z10\nG1 Z0 F600\nX20\nG0 Z10\n';
  const stated = [
    '%\nO0001 (part)\nN5 G0 G17 G40 G49 G54 G80 G90 G94\nX0 Y0 Z10\nG1 Z0 F600\nX20\nG80\nG0 Z10\nM30\n%\n',
    '% \nG54 G94 G49\nG0 X0 Y0 Z10\nG40 G1 Z0 F600\nG94 X20\nG80 G0 Z10\nM2\n%',
    'O12\nG0 X0 Y0 Z10\nG1 Z0 F600\nX20\nG0 Z10\n%\n\n(end)\n%\n',
  ];
  for (const text of stated) assert.deepEqual(readToolPath(text, 'a.nc'), readToolPath(plain, 'a.nc'), text);
});

const BEGUN = 'G0 X0 Y0 Z0\n';
test.each([
  [`${BEGUN}G1 X1 F60\nG80\nX2\n`, 'a.nc:4:1: X before G0, G1, G2 or G3'],
  [`${BEGUN}%\nG1 X1 F60\n`, 'a.nc:3:1: the program has ended before'],
  [`%\n%\n${BEGUN}`, 'a.nc:3:1: the program has ended before'],
  [`% G21\n${BEGUN}`, 'a.nc:1:1: unexpected "%"'],
  [`${BEGUN}O2\nG1 X1 F60\n`, 'a.nc:2:1: O is not the name of the program'],
  [`O1\nO2\n${BEGUN}`, 'a.nc:2:1: O is not the name of the program'],
  [`O1 ${BEGUN}`, 'a.nc:1:1: O is not the name of the program'],
  [`O100 sub\n${BEGUN}`, 'a.nc:1:6: "s" is no word'],
  [`G54 G55 ${BEGUN}`, 'a.nc:1:5: unknown word G55'],
  [`G94 G93 ${BEGUN}`, 'a.nc:1:5: unknown word G93'],
  [`G40 G40 ${BEGUN}`, 'a.nc:1:5: G40 contradicts another word of its line'],
])('%j is refused', (text, message) => {
  assert.equal(refusal(text, 'a.nc'), message);
});

const ONE_FRAME = 'let the CAM program write them in one frame';
const HOME =
  'A move to the home of the machine is not part of the path: delete its line but for G0 to G3, G20, G21, G90 and G91; then state X, Y and Z in G90';
const EXPAND = 'Let the CAM program write the motions themselves';
test.each([
  ['% G21\n', 'in a line of its own'],
  ['G90 G69\n', 'It states what is the case here anyway'],
  ['M3\n', 'switched by "on" of way points'],
  ['S2000 M3\n', 'switched by "on" of way points'],
  ['S2000\n', 'It does not move the tool: delete it'],
  ['T2 M6\n', 'An action of the machine'],
  ['M428\n', 'An action of the machine'],
  ['G0 M0\n', 'divide the path into several steps'],
  ['G4 P0.5\n', 'A dwell is not part of the path: delete its line but for G0'],
  ['P0.5 G4\n', 'A dwell is not part of the path: delete its line but for G0'],
  ['G28 U0 W0\n', HOME],
  ['G91 G28 Z0\n', HOME],
  ['G30 P2 Z0\n', HOME],
  ['G53 G0 Z0\n', 'A move in the frame of the machine is not part of the path: delete its line but for G0'],
  ['G10 L2 P1 X0\n', ONE_FRAME],
  ['G52 X1\n', ONE_FRAME],
  ['G54.1 P3\n', ONE_FRAME],
  ['G55\n', ONE_FRAME],
  ['G59.3\n', ONE_FRAME],
  ['G68 X0 Y0 R45\n', ONE_FRAME],
  ['G92 X0 Y0\n', ONE_FRAME],
  ['G92.1\n', ONE_FRAME],
  ['G43 H1 Z10\n', '"tcp" of the scene'],
  ['G41 D1 X1\n', 'compensate for the radius'],
  ['G83 Z-1 R2 Q0.5 F100\n', EXPAND],
  ['X1 Q0.5 G83\n', EXPAND],
  ['M98 P1000 L2\n', EXPAND],
  ['O1000\nO1001\n', EXPAND],
  ['G96 S200\n', 'It does not move the tool'],
  ['G93 F2\n', 'feeds per minute'],
  ['G64 P0.01\n', '"tolerance" and "blend" of the step'],
  ['G0 X0 U1\n', 'the axes X, Y and Z only'],
  ['G0 X[#1 + 2]\n', 'A parameter'],
  ['o<slot> call\n', 'A subprogram'],
  ['G0 X0 Y0 Z0 A90\n', 'use CSV'],
  ['G5.2 X1\n', 'Let the CAM program write the motions'],
  ['G0 Q1\n', 'Known are G0 to G3'],
  ['Mfoo\n', 'Known are G0 to G3'],
  ['G1 Z1\n', 'in front of it'],
])('%j is refused with what to do about it', (text, note) => {
  try {
    readToolPath(text, 'a.nc');
  } catch (error) {
    assert.include((error as InputError).note, note);
    return;
  }
  assert.fail('it was read');
});

test('no damaged file makes a reader fail otherwise than with a place in the file', () => {
  const random = new Random(11);
  const bits = [
    '',
    ',',
    ' ',
    '\n',
    '-',
    '.',
    'e9',
    'NaN',
    '(',
    ')',
    ';',
    'G2',
    'X',
    'R',
    'I',
    '1e308',
    '[',
    ']',
    '\u0000',
    'é',
    '9'.repeat(400),
  ];
  for (let i = 0; i < 4000; i++) {
    const isTable = i % 2 === 0;
    let text = isTable ? CSV : NC;
    for (let k = 1 + random.below(4); k > 0; k--) {
      const at = random.below(text.length);
      text = text.slice(0, at) + bits[random.below(bits.length)] + text.slice(at + random.below(4));
    }
    const result = refusal(text, isTable ? 'a.csv' : 'a.nc');
    assert.match(result, /^(?:read$|a\.(?:csv|nc):\d+:\d+: )/, JSON.stringify(text));
  }
});

test('normals become orientations with the z axis against them that turn no more than the normals', () => {
  const points = orientedPoints(
    Array.from({ length: 50 }, (_, k) => ({ xyz: [k, 0, 0], normal: [Math.sin(0.1 * k), 0.3, Math.cos(0.1 * k)] })),
  );
  let before: readonly number[] | undefined;
  for (const [k, { quat_wxyz }] of points.entries()) {
    const [w, x, y, z] = quat_wxyz!;
    const axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    const length = Math.hypot(1, 0.3);
    assert(
      Math.abs(axis[0] * length + Math.sin(0.1 * k)) < 1e-12 && Math.abs(axis[2] * length + Math.cos(0.1 * k)) < 1e-12,
    );
    if (before) {
      const cosine = Math.abs(before.reduce((sum, part, i) => sum + part * quat_wxyz![i], 0));
      assert(2 * Math.acos(Math.min(1, cosine)) < 0.1 + 1e-9);
    }
    before = quat_wxyz!;
  }
});
