import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
// @ts-expect-error a script without declarations
import { directions, planesOf, readObj, support } from '../../scripts/robots/bodyPlanes.mjs';
// @ts-expect-error a script without declarations
import { dot } from '../../scripts/robots/convexBody.mjs';
import { loadRobot } from '../../src/host/node/files.ts';
import { few } from '../cases.ts';
import { cornersOf, hasShared, SHARED, UR } from './loaded.ts';

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

interface Body {
  readonly vertices: number[][];
  readonly faces: number[][];
}

for (const name of UR) {
  const own = links.filter(([, mesh]) => existsSync(join(ROBOTS, name, 'meshes', `${mesh}.obj`)));
  test.skipIf(own.length === 0).each(own)(`the body of ${name} %s is convex, closed and small`, (_, mesh) => {
    const body = meshOf(name, mesh);
    const { vertices, faces } = body;
    expect(vertices.length).toBeLessThanOrEqual(64);
    for (const { normal, offset } of planesOf(body)) {
      for (const vertex of vertices) expect(dot(normal, vertex)).toBeLessThanOrEqual(offset + WRITTEN);
    }
    const edges = faces.reduce((sum, face) => sum + face.length, 0) / 2;
    expect(vertices.length - edges + faces.length).toBe(2); // Euler
  });

  describe.skipIf(!hasShared || !['ur5e', 'ur10e'].includes(name))('beside the published meshes', () => {
    test.each(links)(`the body of ${name} %s encloses the link, and not much more`, async (link, mesh, excess) => {
      const planes = planesOf(meshOf(name, mesh));
      const published = await loadRobot(fileURLToPath(new URL(`robots/${name}/${name}.urdf`, SHARED)));
      const corners = cornersOf(published, link);
      expect(corners.length).toBeGreaterThan(20);
      for (const { normal, offset } of planes) {
        expect(Math.max(...corners.map((corner) => dot(normal, corner))) - offset).toBeLessThan(FLOAT);
      }
      const ours = cornersOf(await loadRobot(name), link);
      const beyond = directions(4000).map((d: number[]) => support(ours, d) - support(corners, d));
      expect(1000 * Math.max(...beyond)).toBeLessThan(excess[name]);
    });
  });
}

test.each(few(['ur.mjs', 'machines.mjs'], ['machines.mjs']))(
  'the files in robots/ are those that %s makes',
  (script) => {
    const folder = mkdtempSync(join(tmpdir(), 'elbowroom-robots-'));
    try {
      execFileSync(process.execPath, [
        fileURLToPath(new URL(`../../scripts/robots/${script}`, import.meta.url)),
        folder,
      ]);
      for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => /\.\w+$/.test(f))) {
        expect(readFileSync(join(folder, file), 'utf8'), file).toBe(readFileSync(join(ROBOTS, file), 'utf8'));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** Metres. The meshes are written to the micrometre, so a face of many corners is flat to about that. */
const WRITTEN = 4e-6;

/** Metres. The published meshes are single precision: a corner at z = −1e-7 m lies on the floor. */
const FLOAT = 1e-6;

const meshOf = (robot: string, mesh: string): Body => readObj(join(ROBOTS, robot, 'meshes', `${mesh}.obj`));
