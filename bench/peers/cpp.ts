import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const sources = path.resolve('bench', 'peers', 'cpp');
const binaries = path.resolve('node_modules', '.cache', 'elbowroom-peers');

/** What to say where a C++ peer cannot be built. */
export const debianHint = 'apt-get install g++ libfcl-dev libccd-dev libompl-dev brings FCL and OMPL';

/** A C++ program of bench/peers/cpp, built on first use; `run` returns the JSON that it prints. */
export interface CppPeer {
  run<T>(...args: readonly (string | number)[]): T;
}

/**
 * Builds a program, or takes the one that is newer than its sources; undefined where the compiler or a library is
 * missing.
 */
export function buildPeer(
  name: string,
  libraries: readonly string[],
  more: readonly string[] = [],
): CppPeer | undefined {
  const program = path.join(binaries, name);
  if (!isFresh(program)) {
    mkdirSync(binaries, { recursive: true });
    // No -march=native: the libraries were built without, and Eigen's layout depends on it.
    const flags = ['-std=c++17', '-O3', '-DNDEBUG', '-w', '-I/usr/include/eigen3', '-I/usr/include/ompl-1.5'];
    const links = libraries.map((library) => `-l${library}`);
    try {
      execFileSync('g++', [...flags, path.join(sources, `${name}.cpp`), ...more, '-o', program, ...links], {
        stdio: 'ignore',
      });
    } catch {
      return undefined;
    }
  }
  return {
    run: <T>(...args: readonly (string | number)[]) =>
      JSON.parse(execFileSync(program, args.map(String), { encoding: 'utf8', maxBuffer: 1 << 28 })) as T,
  };
}

/** How to provide the authors' library of the growth distance. */
export const growthPeerHint =
  'ELBOWROOM_DGD=FOLDER, a checkout of HybridRobotics/differentiable-growth-distance, and libeigen3-dev bring dgd';

/** Builds `dgdPairs` with the sources of the checkout that ELBOWROOM_DGD names; undefined without. */
export const buildGrowthPeer = (): CppPeer | undefined => buildWithDgd('dgdPairs');

/** Builds `dgdPlanar` likewise. */
export const buildPlanarGrowthPeer = (): CppPeer | undefined => buildWithDgd('dgdPlanar');

function buildWithDgd(name: string): CppPeer | undefined {
  const folder = process.env['ELBOWROOM_DGD'];
  if (folder === undefined || !existsSync(path.join(folder, 'include', 'dgd', 'dgd.h'))) return undefined;
  const files = ['dgd.cc', 'graham_scan.cc'].map((file) => path.join(folder, 'src', file));
  return buildPeer(name, [], [`-I${path.join(folder, 'include')}`, ...files]);
}

/** How to provide the library of the authors of GJK++. */
export const distancePeerHint =
  'ELBOWROOM_COAL=FOLDER, a checkout of coal-library/coal, and libeigen3-dev and libboost-dev bring Coal';

/** Sources of Coal that distances of pairs need. */
const coalSources = [
  ...['gjk', 'minkowski_difference', 'support_functions'].map((name) => path.join('narrowphase', name)),
  ...['convex', 'geometric_shapes', 'geometric_shapes_utility'].map((name) => path.join('shape', name)),
  ...[path.join('math', 'transform'), path.join('BV', 'AABB'), 'intersect'],
];

/** Builds `coalPairs` with sources of the checkout that ELBOWROOM_COAL names; undefined without. */
export function buildDistancePeer(): CppPeer | undefined {
  const folder = process.env['ELBOWROOM_COAL'];
  const include = path.join(folder ?? '', 'include');
  if (folder === undefined || !existsSync(path.join(include, 'coal', 'narrowphase', 'narrowphase.h'))) return undefined;
  const files = coalSources.map((file) => path.join(folder, 'src', `${file}.cpp`));
  // Functions on other bounding volumes, whose sources are left out, are not called: the linker drops them.
  const flags = ['-ffunction-sections', '-Wl,--gc-sections', `-I${sources}`, `-I${include}`];
  return buildPeer('coalPairs', [], [...flags, ...files]);
}

/** How to provide VAMP. */
export const vampHint =
  'ELBOWROOM_VAMP=FOLDER with checkouts of KavrakiLab/vamp, KavrakiLab/nigh and orlp/pdqsort, named as these, and ' +
  'libeigen3-dev bring VAMP';

/** Flags of VAMP's own release build for x86-64. */
const vampFlags = [
  ...['-march=native', '-mavx2', '-fno-math-errno', '-fno-signed-zeros', '-fno-trapping-math'],
  ...['-fno-rounding-math', '-ffp-contract=fast', '-fassociative-math'],
];

/** Builds a program with the headers of the folder that ELBOWROOM_VAMP names; undefined without. */
export function buildVampPeer(name: 'vampUr5' | 'vampPanda'): CppPeer | undefined {
  const folder = process.env['ELBOWROOM_VAMP'];
  if (folder === undefined || !existsSync(path.join(folder, 'vamp', 'src', 'impl'))) return undefined;
  const headers = [path.join('vamp', 'src', 'impl'), path.join('nigh', 'src'), 'pdqsort'];
  return buildPeer(name, [], [...vampFlags, ...headers.map((one) => `-I${path.join(folder, one)}`)]);
}

/** How to provide ST-RRT*, which Debian's OMPL 1.5 does not have. */
export const spaceTimeHint = `set ELBOWROOM_OMPL=FOLDER to a checkout of ompl/ompl; ${debianHint}`;

/** What ST-RRT* adds to OMPL 1.5: header and source of each class, below src/ompl. */
const spaceTimeClasses = [
  ['geometric/planners/rrt', 'STRRTstar'],
  ['base/spaces', 'SpaceTimeStateSpace'],
  ['base/objectives', 'MinimizeArrivalTime'],
  ['base/samplers', 'ConditionalStateSampler'],
];

/**
 * Builds `omplSpaceTime` with ST-RRT* of the checkout that ELBOWROOM_OMPL names and the installed OMPL; undefined
 * without. Only these headers are copied next to the binaries: all others must be those of the installed library.
 */
export function buildSpaceTimePeer(): CppPeer | undefined {
  const folder = path.join(process.env['ELBOWROOM_OMPL'] ?? '', 'src', 'ompl');
  if (!existsSync(path.join(folder, 'geometric', 'planners', 'rrt', 'STRRTstar.h'))) return undefined;
  const headers = path.join(binaries, 'space-time');
  for (const [where, name] of spaceTimeClasses) {
    const target = path.join(headers, 'ompl', where);
    mkdirSync(target, { recursive: true });
    copyFileSync(path.join(folder, where, `${name}.h`), path.join(target, `${name}.h`));
  }
  const files = spaceTimeClasses.map(([where, name]) => path.join(folder, where, 'src', `${name}.cpp`));
  return buildPeer('omplSpaceTime', ['fcl', 'ccd', 'ompl'], [`-I${headers}`, ...files]);
}

function isFresh(program: string): boolean {
  if (!existsSync(program)) return false;
  const built = statSync(program).mtimeMs;
  return readdirSync(sources).every((file) => statSync(path.join(sources, file)).mtimeMs < built);
}

/** Writes words for a peer to read; returns the path. */
export function writeForPeer(name: string, words: readonly (string | number)[]): string {
  mkdirSync(binaries, { recursive: true });
  const file = path.join(binaries, name);
  writeFileSync(file, words.join(' '));
  return file;
}

/** Versions of what the programs are linked with, as Debian names them. */
export function debianVersions(): string {
  try {
    const packages = ['libfcl-dev', 'libccd-dev', 'libompl-dev'];
    const listed = execFileSync('dpkg-query', ['-W', ...packages], { encoding: 'utf8', stdio: 'pipe' });
    return listed.trim().replaceAll('\t', ' ').split('\n').join(', ');
  } catch {
    return 'versions unknown';
  }
}
