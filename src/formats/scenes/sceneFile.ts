import { meshParts } from '../../core/hulls/meshParts.ts';
import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import { type OtherRobot, otherLinkNames } from '../../core/scene/movingScene.ts';
import type { PathStep } from '../../core/scene/program.ts';
import type { AttachedObject, Obstacle, Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import type { Evaluate } from '../text/numbers.ts';
import { isOfAnotherFormat, kindOfData } from '../text/schemaDiagnostics.ts';
import { type Diagnostic, type Path, parseSource, type SourceText } from '../text/sourceText.ts';
import { structureDiagnostics } from '../text/structure.ts';
import { readToolPath } from '../toolpaths/index.ts';
import { orientedPoints } from '../toolpaths/orientedPoints.ts';
import { buildDrop, requireVolume } from './free/dropDraft.ts';
import { millimetreWarnings } from './lengthWarnings.ts';
import { checkOtherRobot } from './robots/otherRobots.ts';
import { checkAgainstRobot, degreeWarnings } from './sceneChecks.ts';
import { type Included, IncludeReader, NOTHING_INCLUDED, nameClashes, type OpenInclude } from './sceneIncludes.ts';
import { baseName, type Layer, layersOf, type Raw } from './sceneLayers.ts';
import { buildWithMass, type FileRequest, requestsOf, type SceneFiles, statedOf } from './sceneObjects.ts';
import { aboutOverride, readOverrides, type SceneOverrides } from './sceneOverrides.ts';
import { SceneReader } from './sceneReader.ts';
import type { RawSuite } from './sceneSchema.ts';
import { readProblem, type WrittenProblem } from './writtenProblem.ts';

/** A scene file or a suite that has been read; robots and meshes are not loaded yet. */
export interface SceneFile {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Name of the suite; undefined for a scene. */
  readonly suite?: string;
  /** A single problem for a scene. */
  readonly problems: readonly ProblemDraft[];
}

/** A problem of a file whose robots and meshes are not loaded yet. */
export interface ProblemDraft extends WrittenProblem {
  /** Files that its bodies refer to. */
  readonly files: readonly FileRequest[];
  /** Warnings about its text: `FILE:LINE: PLACE: what`. */
  readonly warnings: readonly string[];
  /**
   * Returns an error about a key of this problem: `FILE:LINE: PLACE: what`.
   * @internal
   */
  readonly errorAt: (path: Path, what: string, note?: string, source?: SourceText) => Promise<InputError>;
  /**
   * Checks names and units against the robot, and the other robots in their order. Throws all errors; returns warnings
   * about suspicious values.
   */
  readonly check: (robot: RobotDescription, others?: readonly RobotDescription[]) => Promise<string[]>;
}

/**
 * Reads the text of a scene or a suite, YAML or JSON. Throws one error that lists, with their lines, all problems that
 * can be found without robots and meshes.
 * @param file name for messages
 * @param overrides start and goal that replace those of each problem
 * @param open opens included files; without it, includes are rejected
 */
export async function readSceneFile(
  text: string,
  file: string,
  overrides: SceneOverrides = {},
  open?: OpenInclude,
): Promise<SceneFile> {
  const source = await parseSource(text, file);
  await checkStructure(source);
  return readCheckedScene(source, overrides, open);
}

/**
 * Reads a scene or a suite whose structure has been checked, like `readSceneFile`.
 * @param name name of the only problem that is read, if the suite has it: all others have been read before
 */
export async function readCheckedScene(
  source: SourceText,
  overrides: SceneOverrides = {},
  open?: OpenInclude,
  name?: string,
): Promise<SceneFile> {
  const raw = { suite: isSuite(source), data: source.data } as Raw;
  const all = layersOf(source, raw, await readOverrides(overrides));
  const named = all.filter(({ scene, fallback }) => (scene.name ?? fallback) === name);
  const layers = named.length === 1 ? named : all;
  const includes = new IncludeReader(open);
  const included: Included[] = [];
  for (const { scene, pathOf } of layers)
    included.push(scene.include === undefined ? NOTHING_INCLUDED : await includes.read(scene.include, source, pathOf));
  const reading = readProblems(source, raw, layers, included);
  if (!reading.needsExpressions) return finish(source, raw, reading);
  const { boundedEvaluate } = await import('../text/expressions.ts'); // slow to load and rarely needed
  return finish(source, raw, readProblems(source, raw, layers, included, boundedEvaluate()));
}

/**
 * Builds the scene of a problem after its files have been read: meshes become one or more convex parts, as do point
 * clouds and height fields.
 * @param methods methods that cover meshes with convex parts
 * @param robots the other robots of the scene, in their order
 */
export async function buildScene(
  draft: ProblemDraft,
  files: SceneFiles,
  methods = meshParts,
  robots: readonly OtherRobot[] = [],
): Promise<Scene> {
  if (robots.length !== draft.robots.length)
    throw await draft.errorAt(['robots'], 'the files of other robots are not loaded here');
  const obstacles: Obstacle[] = [];
  for (const body of draft.obstacles) {
    const built = await buildWithMass(body, files, methods, draft.errorAt);
    if (body.free !== undefined) await requireVolume(body, built.parts, draft.errorAt);
    obstacles.push({ ...built, ...statedOf(body) });
  }
  const attached: AttachedObject[] = [];
  for (const body of draft.attached) {
    attached.push({
      ...(await buildWithMass(body, files, methods, draft.errorAt)),
      link: body.link!,
      touches: body.touches!,
    });
  }
  const drop = draft.drop && (await buildDrop(draft.drop, files, methods, draft.errorAt));
  const more = { ...(robots.length === 0 ? {} : { robots }), ...(drop === undefined ? {} : { drop }) };
  const steps = await withToolPaths(draft, files);
  return { ...draft.scene, ...steps, obstacles, attached, ...more };
}

/** Returns the steps with the way points of their files; nothing if no step names a file. */
async function withToolPaths(
  { scene, toolPaths, errorAt }: ProblemDraft,
  files: SceneFiles,
): Promise<Pick<Scene, 'steps'>> {
  if (toolPaths.length === 0) return {};
  const steps = [...scene.steps!];
  for (const { step, file, scale, path } of toolPaths) {
    const text = files.toolPaths?.get(file);
    if (text === undefined) throw await errorAt(path, 'files of tool paths are not read here');
    try {
      steps[step] = { ...(steps[step] as PathStep), points: orientedPoints(readToolPath(text, file, scale)) };
    } catch (cause) {
      if (!(cause instanceof InputError)) throw cause;
      throw await errorAt(path, cause.message, cause.note);
    }
  }
  return { steps };
}

/** Returns true if the result of reading a suite is determined by its text: it includes no file. */
export function isSelfContainedSuite(source: SourceText): boolean {
  if (!isSuite(source)) return false;
  const { problems, include } = source.data as RawSuite;
  return include === undefined && problems.every((problem) => problem.include === undefined);
}

const isSuite = ({ data }: SourceText): boolean =>
  (data as { format?: unknown } | null)?.format === 'elbowroom-suite/1';

/** Throws errors with their lines unless the data has the structure of a scene or a suite. */
export async function checkStructure(source: SourceText): Promise<void> {
  if (typeof source.data !== 'object' || source.data === null || Array.isArray(source.data)) {
    throw new InputError(
      `${source.file}:1: this is not a scene: ${kindOfData(source.data)}`,
      'Begin with: format: elbowroom-scene/1',
    );
  }
  const { sceneSchema, suiteSchema } = await import('./sceneSchema.ts');
  const wrong = structureDiagnostics(isSuite(source) ? suiteSchema : sceneSchema, source.data);
  if (wrong.length > 0) {
    if (isOfAnotherFormat(wrong, source.data))
      throw new InputError(`${source.file}:1: this is not a scene`, 'Begin with: format: elbowroom-scene/1');
    throw await source.errors(wrong);
  }
}

interface Reading {
  readonly problems: readonly {
    readonly draft: WrittenProblem;
    readonly reader: SceneReader;
    readonly warnings: readonly Diagnostic[];
    readonly layer: Layer;
  }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly needsExpressions: boolean;
}

function readProblems(
  source: SourceText,
  raw: Raw,
  layers: readonly Layer[],
  included: readonly Included[],
  evaluate?: Evaluate,
): Reading {
  const problems: Reading['problems'][number][] = [];
  const diagnostics = new DiagnosticSet();
  for (const [i, layer] of layers.entries()) {
    const reader = new SceneReader(evaluate);
    const draft = readProblem(reader, layer.scene, layer.fallback, included[i], source, evaluate);
    const clashes = [...nameClashes(draft.obstacles, source), ...nameClashes(draft.attached, source)];
    problems.push({ draft, reader, warnings: [...reader.warnings, ...included[i].warnings], layer });
    for (const diagnostic of [...reader.diagnostics, ...clashes]) diagnostics.add(inScene(diagnostic, source, layer));
    if (diagnostics.size > MAX_DIAGNOSTICS) break;
  }
  for (const diagnostic of repeatedNames(raw, problems)) diagnostics.add(diagnostic);
  const needsExpressions = problems.some(({ reader }) => reader.needsExpressions);
  return { problems, diagnostics: diagnostics.list, needsExpressions };
}

/**
 * Returns a diagnostic with its path in the file: included files have their own source, and command-line overrides name
 * their option.
 */
function inScene(diagnostic: Diagnostic, source: SourceText, { pathOf, overrides }: Layer): Diagnostic {
  const { source: from = source, path } = diagnostic;
  if (from !== source) return diagnostic;
  return aboutOverride(diagnostic, overrides) ?? { ...diagnostic, path: pathOf(path) };
}

async function finish(source: SourceText, raw: Raw, { problems: read, diagnostics }: Reading): Promise<SceneFile> {
  if (diagnostics.length > 0) throw await source.errors(diagnostics);
  const problems: ProblemDraft[] = [];
  for (const { draft, reader, warnings, layer } of read) {
    const inFile = (diagnostic: Diagnostic) => inScene(diagnostic, source, layer);
    const placed = async (given: readonly Diagnostic[]) =>
      given.length === 0 ? [] : (await source.errors(given.map(inFile))).problems.map(({ message }) => message);
    problems.push({
      ...draft,
      warnings: await placed(warnings),
      files: [
        ...[...draft.obstacles, ...draft.attached, ...(draft.drop?.shapes ?? [])].flatMap(requestsOf),
        ...draft.toolPaths.map(({ file, path }): FileRequest => ({ kind: 'toolPaths', file, path })),
      ],
      errorAt: async (path, what, note = '', from = source) =>
        (await source.errors([inFile({ path, what, note, source: from })])).problems[0],
      async check(robot, others = []) {
        const links = draft.robots.flatMap(({ name }, k) => otherLinkNames(name, others[k]));
        const wrong = [
          ...checkAgainstRobot(draft, robot, reader.unitUses, links),
          ...draft.robots.flatMap((other, k) => checkOtherRobot(other, others[k])),
        ];
        if (wrong.length > 0) throw await source.errors(wrong.map(inFile));
        const lengths = millimetreWarnings(robot, reader.bareLengths);
        return placed([...degreeWarnings(draft.scene, robot, reader.bareAngles), ...lengths]);
      },
    });
  }
  const name = raw.data.name ?? baseName(source.file);
  return { file: source.file, problems, ...(raw.suite ? { suite: name } : {}) };
}

function repeatedNames(raw: Raw, problems: Reading['problems']): Diagnostic[] {
  if (!raw.suite) return [];
  const seen = new Set<string>();
  return problems.flatMap(({ draft: { scene } }, i) => {
    const { name } = scene;
    const repeated = seen.has(name);
    seen.add(name);
    return repeated
      ? [{ path: ['problems', i, 'name'], what: `it is ${JSON.stringify(name)}, which another problem has already` }]
      : [];
  });
}

/** Number of errors after which the remaining problems of a suite are not read. */
const MAX_DIAGNOSTICS = 1000;

/** Collects diagnostics without duplicates: an error in the suite's common keys occurs in each of its problems. */
class DiagnosticSet {
  private readonly seen = new Map<string, Diagnostic>();

  add(diagnostic: Diagnostic): void {
    this.seen.set(JSON.stringify([diagnostic.path, diagnostic.what]), diagnostic);
  }

  get size(): number {
    return this.seen.size;
  }

  get list(): readonly Diagnostic[] {
    return [...this.seen.values()];
  }
}
