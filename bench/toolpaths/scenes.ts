import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Metres between way points, and way points per period of the weave. */
const SPACING = 2e-3;
const PERIOD = 12;
const RADIUS = 0.12;

/** A helix with a weave across it, at a way point or between two of them. */
export function weaveAt(k: number): [number, number, number] {
  const angle = (k * SPACING) / RADIUS;
  const radius = RADIUS + 1.5e-3 * Math.sin((2 * Math.PI * k) / PERIOD);
  return [0.45 + radius * Math.cos(angle), radius * Math.sin(angle), 0.2 + (4e-3 * angle) / (2 * Math.PI)];
}

const weave = (count: number) => Array.from({ length: count }, (_, k) => ({ xyz: weaveAt(k), rpy: [Math.PI, 0, 0] }));

/** A seam along a rail, with a wave in height. */
const seam = (count: number) =>
  Array.from({ length: count }, (_, k) => ({
    xyz: [k * SPACING - 0.5 * count * SPACING, 0.7, 0.4 + 0.01 * Math.sin(k / 60)],
    rpy: [Math.PI, 0, 0],
  }));

/** Corners of 90 degrees, in rows of 200. */
const teeth = (count: number) =>
  Array.from({ length: count }, (_, k) => ({
    xyz: [
      0.3 + Math.SQRT1_2 * SPACING * (k % 200),
      -0.3 + Math.SQRT1_2 * SPACING * (k % 2) + 0.02 * Math.floor(k / 200),
      0.2,
    ],
    rpy: [Math.PI, 0, 0],
  }));

const RAIL = `<robot name="rail"><link name="track"/><link name="carriage"/>
<joint name="rail" type="prismatic"><parent link="track"/><child link="carriage"/><axis xyz="1 0 0"/>
<limit lower="-4" upper="4" effort="1000" velocity="1" acceleration="2"/></joint></robot>`;

const torch = { type: 'cylinder', radius: 0.015, length: 0.12, link: 'tool0', pose: { xyz: [0, 0, 0.061] } };
const common = {
  format: 'elbowroom-scene/1',
  tcp: { link: 'tool0', xyz: [0, 0, 0.14] },
  attached: [{ name: 'torch', touches: ['wrist_3_link'], ...torch }],
};

export function weaveScene(count: number) {
  const points = weave(count);
  return {
    ...common,
    robot: 'ur5e',
    allow: [['table', 'base_link_inertia']],
    obstacles: [
      { name: 'table', type: 'box', size: [1.4, 1.8, 0.04], pose: { xyz: [0.35, 0, -0.03] } },
      { name: 'part', type: 'cylinder', radius: 0.15, length: 0.03, pose: { xyz: [0.45, 0, 0.18] } },
    ],
    start: [0, -1.5, 1.6, -1.7, -Math.PI / 2, 0],
    steps: [{ move: points[0] }, { path: { points, tolerance: { position: '0.1 mm' } } }],
  };
}

export const teethScene =
  (blend: number) =>
  (count: number): object => {
    const points = teeth(count);
    const path = { points, tolerance: { position: '0.1 mm' }, blend };
    return {
      format: common.format,
      tcp: common.tcp,
      robot: 'ur5e',
      start: [0, -1.5, 1.6, -1.7, -Math.PI / 2, 0],
      steps: [{ move: points[0] }, { path }],
    };
  };

export function railScene(count: number) {
  const points = seam(count);
  const urdf = join(mkdtempSync(join(tmpdir(), 'elbowroom-')), 'rail.urdf');
  writeFileSync(urdf, RAIL);
  const path = { points, tolerance: { position: '0.1 mm' }, free: ['z'], tilt: '5 deg', speed: '200 mm/s' };
  return {
    ...common,
    robot: { urdf, tool: { name: 'ur10e', prefix: '' } },
    obstacles: [{ name: 'plate', type: 'box', size: [7, 0.4, 0.02], pose: { xyz: [0, 0.8, 0.36] } }],
    start: [points[0].xyz[0], 1.2, -1.5, 1.6, -1.7, -Math.PI / 2, 0],
    steps: [{ move: points[0] }, { path }],
  };
}
