import { InputError } from '../../errors.ts';
import type { RobotFormat, RobotReading } from './robotFormat.ts';
import { readUrdf } from './urdf.ts';
import type { Urdf } from './urdfDocument.ts';

export type { RobotFileAccess, RobotReading } from './robotFormat.ts';

/**
 * Formats of robot files. A file is read in the format of its extension; a file `.xml`, or without a known extension,
 * in the first format that has its root element.
 */
export const robotFormats: readonly RobotFormat[] = [
  {
    extensions: ['urdf'],
    root: 'robot',
    read: (text, file, { geometry }) => readUrdf(text, file, geometry),
  },
  {
    extensions: ['xacro'],
    root: 'robot',
    read: async (...given) => (await import('./xacro/xacro.ts')).readXacro(...given),
  },
  {
    extensions: ['sdf', 'world'],
    root: 'sdf',
    read: async (...given) => (await import('./sdf/sdf.ts')).readSdf(...given),
  },
  {
    extensions: ['mjcf'],
    root: 'mujoco',
    read: async (...given) => (await import('./mjcf/mjcf.ts')).readMjcf(...given),
  },
];

const [URDF, XACRO] = robotFormats;

/** Extensions of robot formats that are not supported. */
const UNSUPPORTED = /\.(usd|usda|usdc|usdz)$/i;

/** Returns true if the file name has the extension of a robot file. */
export function isRobotFileName(file: string): boolean {
  return /\.xml$/i.test(file) || UNSUPPORTED.test(file) || formatOfExtension(file) !== undefined;
}

/** Throws `InputError` if the extension is that of a robot format that is not supported. */
export function refuseUnsupportedFormat(file: string): void {
  const extension = UNSUPPORTED.exec(file)?.[1];
  if (extension === undefined) return;
  throw new InputError(
    `${file}: robots in USD (.${extension}) are not supported`,
    'Use the URDF, SDF or MJCF that it was made from, or export URDF: in Isaac Sim with the URDF exporter.',
  );
}

/**
 * Reads a robot file in its format. A URDF that contains xacro is expanded, with a warning. Throws `InputError` with
 * file and line.
 */
export async function readRobotFile(text: string, file: string, reading: RobotReading): Promise<Urdf> {
  const format = formatOf(text, file);
  if (format !== URDF || !isXacro(text, file)) return format.read(text, file, reading);
  const urdf = await XACRO.read(text, file, reading);
  return { ...urdf, warnings: [`${file}: this is xacro, it is expanded`, ...urdf.warnings] };
}

/**
 * Returns true if a robot file is xacro: by its extension, or a URDF with statements of xacro other than properties.
 * Properties that no expression uses may remain in an expanded file; with expressions, the reader refuses them.
 */
export function isXacro(text: string, file: string): boolean {
  const format = formatOf(text, file);
  if (format !== URDF) return format === XACRO;
  return /<xacro:(?!property\b)/.test(text.replace(/<!--.*?-->/gs, ''));
}

const formatOf = (text: string, file: string): RobotFormat => formatOfExtension(file) ?? formatOfRoot(text) ?? URDF;

function formatOfExtension(file: string): RobotFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1].toLowerCase();
  return robotFormats.find(({ extensions }) => extension !== undefined && extensions.includes(extension));
}

function formatOfRoot(text: string): RobotFormat | undefined {
  const root = rootName(text);
  return robotFormats.find((format) => format.root === root);
}

/** Returns the name of the first element of XML text; undefined if there is none. */
function rootName(text: string): string | undefined {
  const token = /<!--|<\?|<([\w:.-]+)/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[1] !== undefined) return match[1];
    const end = match[0] === '<?' ? '?>' : '-->';
    const at = text.indexOf(end, token.lastIndex);
    if (at < 0) return undefined;
    token.lastIndex = at + end.length;
  }
  return undefined;
}
