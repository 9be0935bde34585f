import { InputError, InputErrors } from '../../errors.ts';
import { type Diagnostic, parseSource, placeOf, type SourceText } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';

/**
 * Command-line overrides of each problem. Start and goal: joint values separated by commas, the name of a state, or in
 * braces the syntax of a scene file: `{link: tool0, xyz: [0.4, 0, 0.3]}`. Speed and acceleration: as in a scene file.
 */
export interface SceneOverrides {
  /** Replaces `start`. */
  readonly start?: string | undefined;
  /** Replaces `goal` and `goals`. */
  readonly goal?: string | undefined;
  /** Replaces `speed`. */
  readonly speed?: string | undefined;
  /** Replaces `acceleration`. */
  readonly acceleration?: string | undefined;
}

/** A value that replaces one of the file, and the source that its errors name: the option. */
export interface Override {
  readonly value: unknown;
  readonly source: SourceText;
}

/** By the key of the scene that they replace. */
export type Overrides = ReadonlyMap<string, Override>;

/**
 * Reads the overrides and checks their structure. Throws `InputErrors` that begin with the option: `--goal: xyz[0]: …`.
 */
export async function readOverrides(given: SceneOverrides): Promise<Overrides> {
  const overrides = new Map<string, Override>();
  for (const key of ['start', 'goal', 'speed', 'acceleration'] as const) {
    const text = given[key];
    if (text !== undefined) overrides.set(key, await readOverride(key, text));
  }
  return overrides;
}

/**
 * Returns a diagnostic about an overridden value with the option as its place, instead of a place of the file;
 * undefined for other values.
 */
export function aboutOverride(diagnostic: Diagnostic, overrides: Overrides): Diagnostic | undefined {
  const [key, ...path] = diagnostic.path;
  const override = overrides.get(String(key));
  return override && { ...diagnostic, path, source: override.source };
}

async function readOverride(key: keyof SceneOverrides, text: string): Promise<Override> {
  const option = `--${key}`;
  const isConfiguration = key === 'start' || key === 'goal';
  const given = isConfiguration ? jointText(text) : text.trim();
  const value = text.trim().startsWith('{') ? await parseBraces(text, option) : given;
  const source = optionSource(option, value);
  const { sceneSchema } = await import('./sceneSchema.ts');
  if (key === 'start' && isPose(value)) {
    const note = 'Joint values are needed: ik computes those that move a link to a pose.';
    throw new InputError(`${option}: a motion cannot start at a pose, which several configurations may reach`, note);
  }
  const wrong = structureDiagnostics(sceneSchema.shape[key], value);
  if (wrong.length > 0) throw await source.errors(wrong);
  return { value, source };
}

/** A mapping with a link, or with a list under `xyz`: joint values are numbers. */
const isPose = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, 'link') || Array.isArray((value as { xyz?: unknown }).xyz));

async function parseBraces(text: string, option: string): Promise<unknown> {
  try {
    return (await parseSource(text, option)).data;
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error;
    const [{ message, note }] = error.problems;
    throw new InputError(
      message.replace(/:\d+:/, ':').replace('the file ends', 'it ends'),
      note || 'Write for example: {link: tool0, xyz: [0.4, 0, 0.3]}',
    );
  }
}

function optionSource(option: string, data: unknown): SourceText {
  const errors = async (diagnostics: readonly Diagnostic[]) =>
    new InputErrors(
      diagnostics.map(({ path, what, note }) => new InputError(`${option}: ${placeOf(path)}${what}`, note)),
    );
  return { file: option, data, errors };
}

/** Parses `0, -90 deg, pi/2` as values, `0` as one value, `home` as the name of a state. */
function jointText(text: string): string | string[] {
  const words = text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((word) => word.trim());
  return words.length > 1 || /^[-+.\d]/.test(words[0]) ? words : text.trim();
}
