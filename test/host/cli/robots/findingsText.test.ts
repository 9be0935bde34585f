import { expect, test } from 'vitest';
import { findingsText } from '../../../../src/host/cli/robot/findingsText.ts';

const advice = (line: number, what: string, remedy = 'x') => ({
  kind: 'advice' as const,
  place: `r.urdf:${line}`,
  what,
  remedy,
});

test('repeated advice is one paragraph, with every name and line, and a verdict at the end', () => {
  const findings = [
    { kind: 'problem' as const, place: 'r.urdf:9', what: 'links "a" and "b" collide in the rest state', remedy: 'y' },
    advice(3, 'joint "j1": no acceleration limit; four times', '<limit lower="1"/>'),
    advice(4, 'joint "j2": no acceleration limit; four times', '<limit lower="2"/>'),
    advice(5, 'link "a": the volume of the hull of m/a.stl is 1.7 times that of the mesh', 'parts: decompose'),
    advice(
      6,
      'link "b": the volume of the hull of package://p/b_2.stl is 20.5 times that of the mesh',
      'parts: decompose',
    ),
    advice(7, 'joint "j1": no velocity limit'),
    advice(1, '12 pairs of links collide in none'),
  ];
  const text = findingsText('r', findings);
  expect(text).toBe(`r: 1 problem, 6 pieces of advice

problem: r.urdf:9: links "a" and "b" collide in the rest state
  change: y

advice: 2 joints: no acceleration limit; four times
  r.urdf: "j1" (line 3), "j2" (line 4)
  change, for "j1": <limit lower="1"/>

advice: 2 links:
  r.urdf:5: "a": the volume of the hull of m/a.stl is 1.7 times that of the mesh
  r.urdf:6: "b": the volume of the hull of package://p/b_2.stl is 20.5 times that of the mesh
  change: parts: decompose

advice: r.urdf:7: joint "j1": no velocity limit
  change: x

advice: r.urdf:1: 12 pairs of links collide in none
  change: x

verdict: 1 problem to fix before planning (exit code 1)
`);
});

test('no finding gets lost in groups', () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
  const kinds = ['its axis is 2 long', 'mesh a.stl is flat', 'no velocity limit', 'collide in the rest state'];
  const findings = names.map((name, i) => advice(i, `link "${name}": ${kinds[i % 4]}`));
  const text = findingsText('r', findings);
  for (const name of names) expect(text.split(`"${name}"`)).toHaveLength(2);
  expect(text.split('\n').length).toBeLessThan(25);
  expect(text).toContain('verdict: no problem, the advice is optional (exit code 0)');
});
