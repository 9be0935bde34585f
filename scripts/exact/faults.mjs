// Plants faults in the sources that the planner and `verify` share, one at a time, and runs both checkers on
// certificates that the faulty sources make, and on those of the sources as they are:
//   node scripts/exact/faults.mjs [--worlds 25] [--only NAME]
// Prints the table of docs/evidence.md. A fault is found if the checkers disagree on at least one input.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the fault is, its file below src, the text that is replaced, and the replacement. */
export const FAULTS = [
  ['product of poses: y of the translation is not rotated', 'core/math/transform.ts', 'T_a_c[row + 3] = x * b3 + y * b7 + z * b11 + t;', 'T_a_c[row + 3] = x * b3 + z * b11 + t + b7 * (row === 4 ? 1 : 0);'],
  ['product of poses: an entry has the wrong factor', 'core/math/transform.ts', 'x * b2 + y * b6 + z * b10;', 'x * b2 + y * b9 + z * b10;'],
  ['rotation of rpy: pitch with the opposite sign', 'core/math/quaternion.ts', 'out[8] = -sp;', 'out[8] = sp;'],
  ['rotation of rpy: yaw before roll', 'core/math/quaternion.ts', 'sinCos(angle, roll);', 'sinCos(angle, yaw);'],
  ['quaternion to matrix: sign of a product', 'core/math/quaternion.ts', 'out[9] = 2 * (y * z + w * x);', 'out[9] = 2 * (y * z - w * x);'],
  ['sine: a coefficient off by 1e-3 of itself', 'core/math/trigonometry.ts', '-1.66666666666666324348e-1', '-1.665e-1'],
  ['cosine: wrong in the second quadrant', 'core/math/trigonometry.ts', '(1 - (quadrant & 2)) * c', '(1 - ((quadrant >> 1) & 2)) * c'],
  ['URDF: the origin of a collision is left out', 'formats/robots/urdfLinks.ts', "const pose = numbers.origin(element, place);", "const pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;"],
  ['URDF: the second collision of a link is left out', 'formats/robots/urdfLinks.ts', "const collisions = childrenOf(link, 'collision');", "const collisions = childrenOf(link, 'collision').slice(0, 1);"],
  ['URDF: radius and length of a cylinder exchanged', 'formats/robots/urdfLinks.ts', '{ type, radius, length };', '{ type, radius: length, length: radius };'],
  ['mimic: the offset is left out', 'core/kinematics/mimics.ts', 'offset += multiplier * mimic.offset;', ''],
  ['mimic: the multiplier is not negative', 'core/kinematics/mimics.ts', 'multiplier *= mimic.multiplier;', 'multiplier *= Math.abs(mimic.multiplier);'],
  ['kinematics: every joint turns about the z axis', 'core/kinematics/createRobotModel.ts', 'const axis = Float64Array.from(joint.axis);', 'const axis = Float64Array.of(0, 0, 1);'],
  ['OBJ: z is 0.9 of what it should be', 'formats/meshes/obj.ts', 'points[3 * i + k] = vertices[3 * vertex + k];', 'points[3 * i + k] = vertices[3 * vertex + k] * (k === 2 ? 0.9 : 1);'],
  ['hull: the first vertex is left out', 'core/hulls/hull.ts', 'return pick(welded, found.vertices, found.edges, volume);', 'return pick(welded, found.vertices.slice(1), noEdges, volume);'],
  ['box: a third edge that is half of what it should be', 'core/shapes/box.ts', '[full[0] / 2, full[1] / 2, full[2] / 2]', '[full[0] / 2, full[1] / 2, full[2] / 4]'],
  ['frustum: radii exchanged', 'core/shapes/cone.ts', "createFrustum('cone', radius, 0, length, margin, center)", "createFrustum('cone', 0, radius, length, margin, center)"],
  ['margin of obstacles left out', 'formats/scenes/sceneReader.ts', 'margin > 0 ? { type, margin } : { type }', '{ type }'],
  ['SRDF: a disabled pair disables all pairs of its first link', 'core/scene/allowedCollisions.ts', "for (const [a, b, reason] of robot.allowed) allowed.add(a, b, reason);", "for (const [a, b, reason] of robot.allowed) for (const { name } of robot.links) allowed.add(a, name === a ? b : name, reason);"],
  ['attached object: what it touches may touch every obstacle', 'core/scene/allowedCollisions.ts', "for (const other of touches) allowed.add(name, other, 'touches');", "for (const other of touches.length > 0 ? names : []) if (other !== name) allowed.add(name, other, 'touches');"],
  ['robot: its pose in the world is left out', 'core/kinematics/createRobotModel.ts', 'const T_world_root = pose ? transformOfPose(pose) : create();', 'const T_world_root = create();'],
]; // biome-ignore format: a table

/** The sources of subject.ts with a replacement in one file. */
async function withFault([, file, from, to] = []) {
  const folder = path.join(root, 'node_modules', '.cache', `elbowroom-fault-${process.pid}`);
  const outfile = path.join(folder, `subject-${Math.abs(hashOf(`${file}${from}${to}`))}.mjs`);
  const plugin = {
    name: 'fault',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: at }) => {
        if (file === undefined || path.relative(path.join(root, 'src'), at) !== file) return undefined;
        const text = readFileSync(at, 'utf8');
        if (text.split(from).length < 2) throw new Error(`${file} does not contain ${from}`);
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
  mkdirSync(folder, { recursive: true });
  try {
    await build({ absWorkingDir: root, entryPoints: ['scripts/exact/subject.ts'], bundle: true, format: 'esm', platform: 'node', packages: 'external', outfile, logLevel: 'error', plugins: [plugin] }); // biome-ignore format: one call
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hashOf = (text) => [...text].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) | 0, 7);

const python = (args, input) =>
  execFileSync('python3', ['-m', ...args], { cwd: path.join(root, 'clients/python'), input, encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } }).trim().split('\n'); // biome-ignore format: one call

/** Exit code of the faulty `verify`; a fault may also throw. */
const verdict = (subject, files) => subject.verified(...files).catch(() => 70);

/** Paddings as parts of the sampled clearance: the first that is certified is used. The nearest pair is then tight. */
const PARTS = [0.9995, 0.99, 0.9];

/** Certificates of all motions of a folder by a subject, each with almost its whole clearance as padding: paths. */
async function certificatesBy(subject, folder, worlds, name) {
  const found = [];
  for (let i = 0; i < worlds; i++) {
    const at = (file) => path.join(folder, `${i}`, `${file}.json`);
    const [given, motion, scene, certificate] = ['scene', 'motion', `scene-${name}`, name].map(at);
    const clearance = await subject.sampledClearance(given, motion).catch(() => undefined);
    if (clearance === undefined) continue;
    for (const part of PARTS) {
      writeFileSync(scene, JSON.stringify({ ...JSON.parse(readFileSync(given, 'utf8')), padding: part * clearance }));
      const text = await subject.certified(scene, motion).catch(() => undefined);
      if (text === undefined) continue;
      writeFileSync(certificate, text);
      found.push([certificate, scene, motion]);
      break;
    }
  }
  return found;
}

const { values } = parseArgs({ options: { worlds: { type: 'string', default: '25' }, only: { type: 'string' } } });
const worlds = Number(values.worlds);
const folder = mkdtempSync(path.join(tmpdir(), 'elbowroom-faults-'));
try {
  python(['tests.exact.cases', 'generate', folder, String(worlds), '2026']);
  const sound = await certificatesBy(await withFault(), folder, worlds, 'sound');
  let found = 0;
  const chosen = FAULTS.filter(([name]) => values.only === undefined || name.includes(values.only));
  console.log(
    '| planted fault | file | own certificates that the faulty `verify` proves | refused by `elbowroom_verify` | sound certificates that it refuses |',
  );
  console.log('| --- | --- | --: | --: | --: |');
  for (const fault of chosen) {
    const subject = await withFault(fault);
    const own = await certificatesBy(subject, folder, worlds, 'faulty');
    const accepted = [];
    for (const files of own) if ((await verdict(subject, files)) === 0) accepted.push(files);
    const second =
      accepted.length === 0
        ? []
        : python(['tests.exact.cases', 'verify'], accepted.map((files) => `${JSON.stringify(files)}\n`).join(''));
    const wrong = second.filter((code) => code !== '0').length;
    let refused = 0;
    for (const files of sound) if ((await verdict(subject, files)) !== 0) refused++;
    if (wrong + refused > 0) found++;
    console.log(`| ${fault[0]} | \`${fault[1]}\` | ${accepted.length} | ${wrong} | ${refused} |`);
  }
  console.log(`\n${found} of ${chosen.length} faults found, on ${sound.length} certificates`);
  process.exitCode = found === chosen.length ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
