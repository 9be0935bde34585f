import { poseOfTransform, transformOfPose } from '../../core/kinematics/pose.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import { compose } from '../../core/math/transform.ts';
import { InputError } from '../../errors.ts';
import type { Evaluate } from '../text/numbers.ts';
import { isOfAnotherFormat } from '../text/schemaDiagnostics.ts';
import { type Diagnostic, type Path, parseSource, type SourceText } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';
import type { ObjectDraft } from './objectDraft.ts';
import { SceneReader } from './sceneReader.ts';
import type { RawBody, RawInclude, RawScene } from './sceneSchema.ts';

const BEGIN = 'Begin with: format: elbowroom-scene/1';
const ITSELF = 'State it in the scene itself, which it applies to.';
/** Keys that an included file may not have, and why. */
const NOT_INCLUDED = [
  [
    'drop',
    'objects of an included file cannot be dropped',
    'Settle that file by itself: elbowroom settle FILE -o SETTLED.yaml, and include SETTLED.yaml.',
  ],
  ['safety', 'it cannot be included', ITSELF],
  ['clearance', 'it cannot be included', ITSELF],
  ['robots', 'other robots cannot be included', 'List them in the scene itself.'],
] as const;

/** A file that a scene includes. */
export interface IncludedText {
  /** Content of the file. */
  readonly text: string;
  /** Name for messages. */
  readonly file: string;
  /** Identity of the file, independent of the address by which it was opened. */
  readonly id: string;
}

/**
 * Opens an included file by its address, relative to the folder of the scene. Throws `InputError` if it cannot be read
 * or access is not allowed.
 */
export type OpenInclude = (address: string) => Promise<IncludedText>;

/** The contents of the includes of a scene, in its world frame, with the names that the scene uses. */
export interface Included {
  readonly obstacles: readonly ObjectDraft[];
  readonly attached: readonly ObjectDraft[];
  readonly allow: readonly AllowedDraft[];
  /** Warnings about the included files, each with its source. */
  readonly warnings: readonly Diagnostic[];
}

/** An allowed pair, and its place in the file. */
export interface AllowedDraft {
  readonly pair: readonly [string, string];
  readonly path: Path;
  readonly source: SourceText;
}

/** Maximum nesting depth of includes. */
const MAX_DEPTH = 8;
/** Maximum number of files that a scene may include, each counted as often as it is included. */
const MAX_FILES = 200;

export const NOTHING_INCLUDED: Included = { obstacles: [], attached: [], allow: [], warnings: [] };

/**
 * Reads includes recursively and transforms them to the world frame. One reader serves one scene or suite; each file is
 * opened once.
 */
export class IncludeReader {
  private readonly opened = new Map<string, Promise<IncludedText>>();
  private count = 0;
  private evaluate: Evaluate | undefined;

  constructor(private readonly open: OpenInclude | undefined) {}

  /**
   * Reads the files that `include` of a scene names.
   * @param folder folder that its paths are relative to, itself relative to the folder of the scene: `common/`
   */
  async read(
    given: RawScene['include'],
    source: SourceText,
    pathOf: (path: Path) => Path = (path) => path,
    folder = '',
    chain: readonly IncludedText[] = [],
  ): Promise<Included> {
    const list = given === undefined ? [] : Array.isArray(given) ? given : [given];
    const all: Included[] = [];
    for (const [i, one] of list.entries()) {
      const path = pathOf(Array.isArray(given) ? ['include', i] : ['include']);
      all.push(await this.readOne(one, path, source, folder, chain));
    }
    return {
      obstacles: all.flatMap(({ obstacles }) => obstacles),
      attached: all.flatMap(({ attached }) => attached),
      allow: all.flatMap(({ allow }) => allow),
      warnings: all.flatMap(({ warnings }) => warnings),
    };
  }

  private async readOne(
    given: RawInclude,
    path: Path,
    source: SourceText,
    folder: string,
    chain: readonly IncludedText[],
  ): Promise<Included> {
    const { file, pose, prefix = '' } = typeof given === 'string' ? { file: given } : given;
    const place = typeof given === 'string' ? path : [...path, 'file'];
    const refuse = (what: string, note = '') => source.errors([{ path: place, what, note }]);
    const placed = new SceneReader();
    const T_world_include = placed.pose(pose, [...path, 'pose']);
    if (placed.needsExpressions) placed.report([...path, 'pose'], 'the pose of an include takes numbers with units');
    if (placed.diagnostics.length > 0) throw await source.errors(placed.diagnostics);
    if (chain.length === MAX_DEPTH) throw await refuse(`includes are nested more than ${MAX_DEPTH} deep`);
    if (++this.count > MAX_FILES) throw await refuse(`more than ${MAX_FILES} files are included`);
    const address = /^([\\/]|[a-z]:[\\/])/i.test(file) ? file : `${folder}${file}`;
    const text = await this.text(address).catch(async (error: unknown) => {
      throw error instanceof InputError ? await refuse(error.message, error.note) : error;
    });
    if (chain.some(({ id }) => id === text.id)) {
      const round = [...chain.slice(chain.findIndex(({ id }) => id === text.id)), text];
      throw await refuse(`the file includes itself: ${round.map((one) => one.file).join(' → ')}`);
    }
    const included = await this.readText(text, address.replace(/[^\\/]*$/, ''), [...chain, text]);
    const warnings = [...placed.warnings.map((warning) => ({ ...warning, source })), ...included.warnings];
    return { ...moved(included, T_world_include, prefix), warnings };
  }

  private text(address: string): Promise<IncludedText> {
    if (this.open === undefined) throw new InputError('files cannot be included here');
    const known = this.opened.get(address) ?? this.open(address);
    this.opened.set(address, known);
    return known;
  }

  private async readText({ text, file }: IncludedText, folder: string, chain: readonly IncludedText[]) {
    const source = await parseSource(text, file);
    const { includedSchema } = await import('./sceneSchema.ts');
    if (typeof source.data !== 'object' || source.data === null || Array.isArray(source.data))
      throw new InputError(`${file}:1: this is not a scene`, BEGIN);
    const wrong = structureDiagnostics(includedSchema, source.data);
    if (wrong.length > 0) {
      if (isOfAnotherFormat(wrong, source.data)) throw new InputError(`${file}:1: this is not a scene`, BEGIN);
      throw await source.errors(wrong);
    }
    const raw = source.data as RawScene;
    for (const [key, what, note] of NOT_INCLUDED)
      if (raw[key] !== undefined) throw await source.errors([{ path: [key], what, note }]);
    const inner = await this.read(raw.include, source, undefined, folder, chain);
    let own = readOwn(raw, source, folder);
    if (own.reader.needsExpressions) {
      this.evaluate ??= (await import('../text/expressions.ts')).boundedEvaluate();
      own = readOwn(raw, source, folder, this.evaluate);
    }
    if (own.reader.diagnostics.length > 0) throw await source.errors(own.reader.diagnostics);
    const obstacles = [...own.obstacles, ...inner.obstacles];
    const attached = [...own.attached, ...inner.attached];
    const clashes = [...nameClashes(obstacles, source), ...nameClashes(attached, source)];
    if (clashes.length > 0) throw await source.errors(clashes);
    return {
      obstacles,
      attached,
      allow: [...own.allow, ...inner.allow],
      warnings: [...own.reader.warnings.map((warning) => ({ ...warning, source })), ...inner.warnings],
    };
  }
}

/** Reads the bodies of a list under `key`, in order; bodies without a name are named after their type. */
export function readObjects(
  reader: SceneReader,
  list: readonly RawBody[] | undefined,
  key: 'obstacles' | 'attached',
  called = '',
): ObjectDraft[] {
  return (list ?? []).map((body, i) => reader.body(body, [key, i], `${called}${body.type}-${i + 1}`));
}

/** Reports bodies that have the same name as an earlier one, of the file itself or of its includes. */
export function nameClashes(bodies: readonly ObjectDraft[], source: SourceText): Diagnostic[] {
  const seen = new Set<string>();
  return bodies.flatMap(({ name, path, source: from = source }) => {
    const isTaken = seen.has(name);
    seen.add(name);
    if (!isTaken) return [];
    const what = `it is ${JSON.stringify(name)}, which another object has already`;
    const note = from === source ? '' : 'Put a prefix before the names of an include: {file: …, prefix: left-}.';
    return [{ path: [...path, 'name'], what, note, source: from }];
  });
}

function readOwn(raw: RawScene, source: SourceText, folder: string, evaluate?: Evaluate) {
  const reader = new SceneReader(evaluate, folder);
  const called = `${source.file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')}-`;
  const from = (body: ObjectDraft): ObjectDraft => ({ ...body, source });
  return {
    reader,
    obstacles: readObjects(reader, raw.obstacles as RawBody[] | undefined, 'obstacles', called).map(from),
    attached: readObjects(reader, raw.attached as RawBody[] | undefined, 'attached', called).map(from),
    allow: (raw.allow ?? []).map((pair, i) => ({
      pair: pair as [string, string],
      path: ['allow', i],
      source,
    })),
  };
}

/**
 * Transforms obstacles by the include's pose (attached objects stay relative to their links) and prepends the prefix to
 * the names of its bodies.
 */
function moved({ obstacles, attached, allow, warnings }: Included, at: Pose, prefix: string): Included {
  const own = new Set([...obstacles, ...attached].map(({ name }) => name));
  const called = (name: string) => (own.has(name) ? `${prefix}${name}` : name);
  return {
    obstacles: obstacles.map((body) => ({ ...body, name: called(body.name), ...placedIn(at, body) })),
    attached: attached.map((body) => ({
      ...body,
      name: called(body.name),
      ...(body.touches === undefined ? {} : { touches: body.touches.map(called) }),
    })),
    allow: allow.map((one) => ({ ...one, pair: [called(one.pair[0]), called(one.pair[1])] })),
    warnings,
  };
}

/** Returns the pose of an obstacle, and its motion, after a displacement. */
function placedIn(at: Pose, { pose, motion }: ObjectDraft): Pick<ObjectDraft, 'pose' | 'motion'> {
  if (motion === undefined) return { pose: composed(at, pose) };
  const poses = motion.poses.map((one) => composed(at, one));
  return { pose: poses[0], motion: { times: motion.times, poses } };
}

function composed(outer: Pose, inner: Pose): Pose {
  const T = transformOfPose(outer);
  compose(T, T, transformOfPose(inner));
  return poseOfTransform(T);
}
