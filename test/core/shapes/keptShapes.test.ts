import { describe, expect, test } from 'vitest';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';

type Points = [number, number, number][];

const tetrahedron = (): Points => [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const hull = (points: Points, more: object = {}) => createShape({ type: 'convex', points, ...more } as ShapeSpec);

describe('the shape of a list of points', () => {
  test('is created once', () => {
    const points = tetrahedron();
    expect(hull(points)).toBe(hull(points));
    expect(hull(points, { margin: 0.1 })).not.toBe(hull(points));
  });

  test('is that of equal points in another list', () => {
    const [one, other] = [hull(tetrahedron()), hull(tetrahedron())];
    expect(other).not.toBe(one);
    expect(other).toEqual(one);
  });

  const changes: [string, (points: Points) => void][] = [
    ['a coordinate', (points) => (points[3][2] = 2)],
    ['a point', (points) => (points[1] = [5, 0, 0])],
    ['one more point', (points) => points.push([1, 1, 1])],
    ['one point less', (points) => points.pop()],
    ['the order', (points) => points.reverse()],
  ];
  test.each(changes)('is created again after a change of %s', (_, change) => {
    const points = tetrahedron();
    const before = hull(points);
    change(points);
    const after = hull(points);
    expect(after).not.toBe(before);
    expect(after).toEqual(hull(structuredClone(points)));
  });

  const faults: [string, (points: Points) => void][] = [
    ['is not a number', (points) => (points[2][1] = Number.NaN)],
    ['is missing', (points) => (points[2] as number[]).pop()],
    ['is one too many', (points) => (points[2] as number[]).push(0)],
    ['is text', (points) => ((points[2] as unknown[])[1] = '1')],
  ];
  test.each(faults)('is refused after a change by which a coordinate %s', (_, change) => {
    const points = tetrahedron();
    hull(points);
    change(points);
    expect(() => hull(points)).toThrow(/points/);
  });

  test.each([{ margin: -1 }, { margin: Number.NaN }])('is refused with %j', (more) => {
    const points = tetrahedron();
    hull(points);
    expect(() => hull(points, more)).toThrow();
  });

  test('has the margin and the center that the spec has', () => {
    const points = tetrahedron();
    hull(points);
    expect(hull(points, { margin: 0.5 }).margin).toBe(0.5);
    const spec = { type: 'convex', points } as ShapeSpec;
    expect(Array.from(createShape(spec, [0.1, 0.1, 0.1]).center)).toEqual([0.1, 0.1, 0.1]);
    expect(Array.from(createShape(spec).center)).toEqual(Array.from(hull(tetrahedron()).center));
  });
});
