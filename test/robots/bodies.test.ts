import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadRobot } from '../../src/host/node/files.ts';
import { cornersOf, hasShared, SHARED } from './loaded.ts';

const ROBOTS = fileURLToPath(new URL('../../robots/', import.meta.url));

/** Link, mesh, and how far in millimetres the body may stick out beyond the published mesh, in any direction. */
const links: [link: string, mesh: string, excess: Record<string, number>][] = [
  ['base_link_inertia', 'base', { ur5e: 3, ur10e: 3 }],
  ['shoulder_link', 'shoulder', { ur5e: 7, ur10e: 8 }],
  ['upper_arm_link', 'upper_arm', { ur5e: 12, ur10e: 15 }],
  ['forearm_link', 'forearm', { ur5e: 14, ur10e: 16 }],
  ['wrist_1_link', 'wrist_1', { ur5e: 7, ur10e: 7 }],
  ['wrist_2_link', 'wrist_2', { ur5e: 6, ur10e: 6 }],
  ['wrist_3_link', 'wrist_3', { ur5e: 6, ur10e: 6 }],
];

interface Plane {
  readonly normal: readonly number[];
  readonly offset: number;
}

for (const name of ['ur3e', 'ur5e', 'ur10e']) {
  test.each(links)(`the body of ${name} %s is convex, closed and small`, (_, mesh) => {
    const { vertices, faces } = readObj(name, mesh);
    expect(vertices.length).toBeLessThanOrEqual(56);
    for (const { normal, offset } of planesOf(vertices, faces)) {
      for (const vertex of vertices) expect(dot(normal, vertex)).toBeLessThanOrEqual(offset + WRITTEN);
    }
    const edges = faces.reduce((sum, face) => sum + face.length, 0) / 2;
    expect(vertices.length - edges + faces.length).toBe(2); // Euler
  });

  describe.skipIf(!hasShared || name === 'ur3e')('beside the published meshes', () => {
    test.each(links)(`the body of ${name} %s encloses the link, and not much more`, async (link, mesh, excess) => {
      const { vertices, faces } = readObj(name, mesh);
      const planes = planesOf(vertices, faces);
      const published = await loadRobot(fileURLToPath(new URL(`robots/${name}/${name}.urdf`, SHARED)));
      const corners = cornersOf(published, link);
      expect(corners.length).toBeGreaterThan(20);
      for (const { normal, offset } of planes) {
        expect(Math.max(...corners.map((corner) => dot(normal, corner))) - offset).toBeLessThan(FLOAT);
      }
      const ours = cornersOf(await loadRobot(name), link);
      const beyond = directions(4000).map((d) => support(ours, d) - support(corners, d));
      expect(1000 * Math.max(...beyond)).toBeLessThan(excess[name]);
    });
  });
}

test.each(['ur.mjs', 'machines.mjs'])('the files in robots/ are those that %s makes', (script) => {
  const folder = mkdtempSync(join(tmpdir(), 'elbowroom-robots-'));
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL(`../../scripts/robots/${script}`, import.meta.url)), folder]);
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => /\.\w+$/.test(f))) {
      expect(readFileSync(join(folder, file), 'utf8'), file).toBe(readFileSync(join(ROBOTS, file), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Metres. The meshes are written to the micrometre, so a face of many corners is flat to about that. */
const WRITTEN = 4e-6;

/** Metres. The published meshes are single precision: a corner at z = −1e-7 m lies on the floor. */
const FLOAT = 1e-6;

function readObj(robot: string, mesh: string): { vertices: number[][]; faces: number[][] } {
  const lines = readFileSync(join(ROBOTS, robot, 'meshes', `${mesh}.obj`), 'utf8').split('\n');
  const rows = (kind: string) =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ').slice(1).map(Number));
  return { vertices: rows('v'), faces: rows('f').map((face) => face.map((n) => n - 1)) };
}

/**
 * Planes of the faces, outward; the normal of a face is that of its whole outline (Newell), for its corners are
 * rounded.
 */
function planesOf(vertices: number[][], faces: number[][]): Plane[] {
  return faces.map((face) => {
    const sum = [0, 0, 0];
    face.forEach((n, i) => {
      const [a, b] = [vertices[n], vertices[face[(i + 1) % face.length]]];
      for (let k = 0; k < 3; k++) {
        const [j, l] = [(k + 1) % 3, (k + 2) % 3];
        sum[k] += (a[j] - b[j]) * (a[l] + b[l]);
      }
    });
    const length = Math.hypot(...sum);
    const normal = sum.map((x) => x / length);
    return { normal, offset: Math.min(...face.map((n) => dot(normal, vertices[n]))) };
  });
}

const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const support = (points: readonly number[][], d: readonly number[]): number =>
  points.reduce((best, point) => Math.max(best, dot(d, point)), Number.NEGATIVE_INFINITY);

/** Directions spread evenly over the sphere, along a spiral. */
function directions(count: number): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  });
}
