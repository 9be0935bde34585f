import { InputError } from '../errors.ts';
import type { RobotDescription } from '../kinematics/robotModel.ts';
import type { AttachedBody, Body, Scene } from '../scene/scene.ts';
import type { Mesh } from './meshes.ts';
import { convexSpec, meshParts } from './meshParts.ts';
import type { Evaluate } from './numbers.ts';
import { scaled } from './pointCloud.ts';
import { checkAgainstRobot } from './sceneChecks.ts';
import { type BodyDraft, SceneReader, type UnitUse } from './sceneReader.ts';
import type { RawBody, RawScene, RawSuite } from './sceneSchema.ts';
import { complaintsOf, show } from './schemaComplaints.ts';
import { type Complaint, type Path, parseSource, type SourceText } from './sourceText.ts';

/** A scene file or a suite, read; robots and meshes are still to come. */
export interface SceneFile {
  readonly file: string;
  /** Name of the suite; undefined for a scene. */
  readonly suite?: string;
  /** One for a scene. */
  readonly problems: readonly ProblemDraft[];
}

/** One problem of a file, laid over what the suite says. */
export interface ProblemDraft {
  /** The scene without its obstacles and attached bodies. */
  readonly scene: Scene;
  readonly obstacles: readonly BodyDraft[];
  readonly attached: readonly BodyDraft[];
  /** Where the goals of the scene stand. */
  readonly goalPaths: readonly Path[];
  /** Mesh files that it needs, as written. */
  readonly meshes: readonly MeshRequest[];
  /** An error about a key of this problem: `FILE:LINE: PLACE: what`. */
  readonly errorAt: (path: Path, what: string, note?: string) => Promise<InputError>;
  /** Holds names and units against the robot; throws everything that does not fit. */
  readonly check: (robot: RobotDescription) => Promise<void>;
}

export interface MeshRequest {
  readonly file: string;
  /** Where it is asked for. */
  readonly path: Path;
}

/** What the command line lays over each problem. Joint values separated by commas, or the name of a state. */
export interface SceneOverrides {
  readonly start?: string | undefined;
  readonly goal?: string | undefined;
}

/**
 * Reads the text of a scene or a suite, YAML or JSON. Everything that can be wrong without looking at robots and meshes is refused here,
 * each mistake with its line.
 * @param file name for messages
 */
export async function readSceneFile(text: string, file: string, overrides: SceneOverrides = {}): Promise<SceneFile> {
  const source = await parseSource(text, file);
  const format = (source.data as { format?: unknown } | null)?.format;
  const raw = await checkStructure(source, format === 'elbowroom-suite/1');
  const reading = readProblems(source, raw, overrides);
  if (!reading.needsExpressions) return finish(source, raw, reading);
  const { evaluate } = await import('./expressions.ts'); // slow to load, and seldom needed
  return finish(source, raw, readProblems(source, raw, overrides, evaluate));
}

/**
 * The scene of a problem once its meshes are there: each becomes one convex part, or several.
 * @param ways how meshes are covered
 */
export async function buildScene(
  draft: ProblemDraft,
  meshes: ReadonlyMap<string, Mesh>,
  ways = meshParts,
): Promise<Scene> {
  const obstacles: Body[] = [];
  for (const body of draft.obstacles) obstacles.push(await buildBody(body, meshes, ways));
  const attached: AttachedBody[] = [];
  for (const body of draft.attached) {
    attached.push({ ...(await buildBody(body, meshes, ways)), link: body.link!, touches: body.touches! });
  }
  return { ...draft.scene, obstacles, attached };
}

async function buildBody(
  { name, pose, shape, mesh }: BodyDraft,
  meshes: ReadonlyMap<string, Mesh>,
  ways: typeof meshParts,
): Promise<Body> {
  if (shape !== undefined) return { name, pose, parts: [{ shape }] };
  const { file, scale, margin, parts: way } = mesh!;
  const hulls = await ways[way](scaled(meshes.get(file)!.points, scale));
  return { name, pose, parts: hulls.map((hull) => ({ shape: convexSpec(hull, margin) })) };
}

type Raw = { readonly suite: false; readonly data: RawScene } | { readonly suite: true; readonly data: RawSuite };

async function checkStructure(source: SourceText, suite: boolean): Promise<Raw> {
  if (typeof source.data !== 'object' || source.data === null || Array.isArray(source.data)) {
    throw new InputError(
      `${source.file}:1: this is no scene: ${show(source.data)}`,
      'Begin with: format: elbowroom-scene/1',
    );
  }
  const { sceneSchema, suiteSchema } = await import('./sceneSchema.ts');
  const { error } = (suite ? suiteSchema : sceneSchema).safeParse(source.data);
  if (error !== undefined) throw await source.errors(complaintsOf(error.issues, source.data));
  return { suite, data: source.data } as Raw;
}

interface Reading {
  readonly drafts: readonly Omit<ProblemDraft, 'check' | 'meshes' | 'errorAt'>[];
  readonly unitUses: readonly (readonly UnitUse[])[];
  readonly complaints: readonly Complaint[];
  readonly needsExpressions: boolean;
  readonly pathOf: readonly ((path: Path) => Path)[];
}

/** Where a key of a laid-over problem stands in the file. */
type Placement = (path: Path) => Path;

function readProblems(source: SourceText, raw: Raw, overrides: SceneOverrides, evaluate?: Evaluate): Reading {
  const layers: readonly { scene: RawScene; pathOf: Placement; fallback: string }[] = raw.suite
    ? raw.data.problems.map((_, i) => layOver(raw.data, i))
    : [{ scene: raw.data, pathOf: (path) => path, fallback: baseName(source.file) }];
  const drafts: Reading['drafts'][number][] = [];
  const unitUses: UnitUse[][] = [];
  const complaints: Complaint[] = [];
  let needsExpressions = false;
  for (const { scene, pathOf, fallback } of layers) {
    const reader = new SceneReader(evaluate);
    drafts.push(readProblem(reader, withOverrides(scene, overrides), fallback));
    unitUses.push(reader.unitUses);
    for (const complaint of reader.complaints) complaints.push({ ...complaint, path: pathOf(complaint.path) });
    needsExpressions ||= reader.needsExpressions;
  }
  complaints.push(...repeatedNames(raw, drafts));
  return { drafts, unitUses, complaints, needsExpressions, pathOf: layers.map(({ pathOf }) => pathOf) };
}

async function finish(source: SourceText, raw: Raw, reading: Reading): Promise<SceneFile> {
  const { drafts, complaints, pathOf } = reading;
  if (complaints.length > 0) throw await source.errors(unique(complaints));
  const problems = drafts.map((draft, i): ProblemDraft => {
    const inFile = (complaint: Complaint) => ({ ...complaint, path: pathOf[i](complaint.path) });
    return {
      ...draft,
      meshes: [...draft.obstacles, ...draft.attached].flatMap(({ mesh, path }) =>
        mesh === undefined ? [] : [{ file: mesh.file, path: [...path, 'file'] }],
      ),
      errorAt: async (path, what, note = '') => (await source.errors([inFile({ path, what, note })])).problems[0],
      async check(robot) {
        const wrong = checkAgainstRobot(draft, robot, reading.unitUses[i]);
        if (wrong.length > 0) throw await source.errors(wrong.map(inFile));
      },
    };
  });
  const name = raw.data.name ?? baseName(source.file);
  return { file: source.file, problems, ...(raw.suite ? { suite: name } : {}) };
}

function readProblem(reader: SceneReader, raw: RawScene, fallback: string): Reading['drafts'][number] {
  const { name = fallback, description, robot, start, goal, goals, obstacles = [], attached = [], allow = [] } = raw;
  if (robot === undefined)
    reader.complain(['robot'], 'it is missing', 'Name the robot in the suite or in each problem.');
  if (goal !== undefined && goals !== undefined)
    reader.complain(['goals'], 'goal and goals are both given', 'Give one of them.');
  const bodies = (list: readonly RawBody[], key: string) => {
    const drafts = list.map((body, i) => reader.body(body, [key, i], `${body.type}-${i + 1}`));
    const seen = new Set<string>();
    for (const { name: own, path } of drafts) {
      if (seen.has(own))
        reader.complain([...path, 'name'], `it is ${JSON.stringify(own)}, which another body has already`);
      seen.add(own);
    }
    return drafts;
  };
  const padding = raw.padding === undefined ? 0 : reader.number(raw.padding, 'length', ['padding']);
  if (!(padding >= 0)) reader.complain(['padding'], `${show(raw.padding)}, must be 0 or more`);
  return {
    obstacles: bodies(obstacles as readonly RawBody[], 'obstacles'),
    attached: bodies(attached as readonly RawBody[], 'attached'),
    goalPaths: goal !== undefined ? [['goal']] : (goals ?? []).map((_, i) => ['goals', i]),
    scene: {
      name,
      ...(description === undefined ? {} : { description }),
      robot: reader.robot(robot ?? '', ['robot']),
      ...(start === undefined ? {} : { start: reader.jointGoal(start, ['start']) }),
      goals:
        goal !== undefined
          ? [reader.goal(goal, ['goal'])]
          : (goals ?? []).map((one, i) => reader.goal(one, ['goals', i])),
      equivalent: raw.equivalent ?? false,
      obstacles: [],
      attached: [],
      allow: allow as [string, string][],
      padding,
    },
  };
}

/** The suite with the keys of one problem laid over it; obstacles are added. */
function layOver(suite: RawSuite, index: number): { scene: RawScene; pathOf: Placement; fallback: string } {
  const { problems, format: _, name: __, ...common } = suite;
  const own = problems[index];
  const { goal, goals, ...rest } = common;
  const goalsOfSuite = own.goal === undefined && own.goals === undefined ? { goal, goals } : {};
  const shared = common.obstacles?.length ?? 0;
  const scene = {
    ...rest,
    ...goalsOfSuite,
    ...own,
    obstacles: [...(common.obstacles ?? []), ...(own.obstacles ?? [])],
  } as unknown as RawScene;
  const pathOf: Placement = ([key, i, ...more]) => {
    if (key === 'obstacles' && typeof i === 'number') {
      return i < shared ? [key, i, ...more] : ['problems', index, key, i - shared, ...more];
    }
    const path = [key, ...(i === undefined ? [] : [i]), ...more];
    return Object.hasOwn(own, key) || !Object.hasOwn(suite, key) ? ['problems', index, ...path] : path;
  };
  return { scene, pathOf, fallback: `problem-${index + 1}` };
}

function withOverrides(scene: RawScene, { start, goal }: SceneOverrides): RawScene {
  const { goal: ownGoal, goals, ...rest } = scene;
  return {
    ...rest,
    ...(start === undefined ? {} : { start: jointText(start) }),
    ...(goal !== undefined ? { goal: jointText(goal) } : { goal: ownGoal, goals }),
  } as RawScene;
}

/** `0, -90 deg, pi/2`: values; `0`: one value; `home`: the name of a state. */
function jointText(text: string): string | string[] {
  const words = text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((word) => word.trim());
  return words.length > 1 || /^[-+.\d]/.test(words[0]) ? words : text.trim();
}

function repeatedNames(raw: Raw, drafts: Reading['drafts']): Complaint[] {
  if (!raw.suite) return [];
  const seen = new Set<string>();
  return drafts.flatMap(({ scene: { name } }, i) => {
    const repeated = seen.has(name);
    seen.add(name);
    return repeated
      ? [{ path: ['problems', i, 'name'], what: `it is ${JSON.stringify(name)}, which another problem has already` }]
      : [];
  });
}

/** What a suite has wrong is found once for each of its problems. */
function unique(complaints: readonly Complaint[]): Complaint[] {
  const seen = new Map(complaints.map((complaint) => [JSON.stringify([complaint.path, complaint.what]), complaint]));
  return [...seen.values()];
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}
