import type { Pose } from '../../../core/kinematics/robotModel.ts';
import type { RawMount } from '../robots/mountSchema.ts';
import { isRobotPath } from '../robots/robotReference.ts';
import type { RawBody, RawRobot, RawScene } from '../sceneSchema.ts';

/** Changes of a scene by `settle`. */
export interface Settled {
  /** New poses of obstacles by their index in the file. */
  readonly moved: ReadonlyMap<number, Pose>;
  /** Dropped objects in order, with their names. */
  readonly dropped: readonly { readonly name: string; readonly pose: Pose }[];
  /** Converts a path that is relative to the folder of the scene to one for the folder of the new file. */
  readonly relocate: (path: string) => string;
}

/**
 * Returns the text of a settled scene: the scene as written, with the new poses, with the dropped objects instead of
 * `drop`, and with paths for its new place. Comments are lost.
 */
export async function settledSceneText(raw: RawScene, settled: Settled, format: 'yaml' | 'json'): Promise<string> {
  const data = settledScene(raw, settled);
  if (format === 'json') return `${JSON.stringify(data, null, 2)}\n`;
  const { Document, isScalar, visit } = await import('../../text/yamlParser.ts');
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_, list) {
      if (list.items.every((item) => isScalar(item))) list.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Returns names for dropped objects that nothing else in the scene has. */
export function droppedNames(count: number, taken: Iterable<string>): string[] {
  const others = [...taken];
  let prefix = 'dropped';
  while (others.some((name) => name.startsWith(`${prefix}-`))) prefix = `${prefix}-again`;
  return Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`);
}

function settledScene(raw: RawScene, { moved, dropped, relocate }: Settled): Record<string, unknown> {
  const { format: _, drop, obstacles = [], attached, robot, robots, include, $schema, ...rest } = raw;
  const body = (one: RawBody): RawBody =>
    'file' in one && typeof one.file === 'string' ? { ...one, file: relocate(one.file) } : one;
  const posed = obstacles.map((one, i) => {
    const pose = moved.get(i);
    return pose === undefined ? body(one as RawBody) : { ...body(one as RawBody), pose };
  });
  const created = dropped.map(({ name, pose }, i) => ({ name, ...body(kindOf(drop!, i)), pose }));
  const all = [...posed, ...created];
  const scene = {
    format: 'elbowroom-scene/1',
    ...($schema === undefined ? {} : { $schema: isAddress($schema) ? $schema : relocate($schema) }),
    ...(robot === undefined ? {} : { robot: relocatedRobot(robot, relocate) }),
    ...(robots === undefined ? {} : { robots: robots.map((other) => relocatedOther(other, relocate)) }),
    ...(include === undefined ? {} : { include: relocatedInclude(include, relocate) }),
    ...rest,
    ...(raw.obstacles === undefined && all.length === 0 ? {} : { obstacles: all }),
    ...(attached === undefined ? {} : { attached: attached.map((one) => body(one as RawBody)) }),
  };
  return Object.fromEntries(Object.entries(scene).filter(([, value]) => value !== undefined));
}

const kindOf = ({ shapes }: NonNullable<RawScene['drop']>, i: number) => shapes[i % shapes.length] as RawBody;
const isAddress = (text: string) => /^[a-z]+:/i.test(text);

const relocatedPath = (given: string, relocate: (path: string) => string) =>
  isRobotPath(given) ? relocate(given) : given;

function relocatedRobot(robot: RawRobot, relocate: (path: string) => string): RawRobot {
  if (typeof robot === 'string') return relocatedPath(robot, relocate);
  const { tool, mounts } = robot;
  return {
    ...robot,
    ...relocatedFiles(robot, relocate),
    ...(tool === undefined ? {} : { tool: { ...tool, ...relocatedFiles(tool, relocate) } }),
    ...(mounts === undefined ? {} : { mounts: mounts.map((one) => ({ ...one, ...relocatedFiles(one, relocate) })) }),
  };
}

type FileKeys = Pick<RawMount, 'urdf' | 'srdf' | 'joint_limits' | 'calibration' | 'packages'>;

function relocatedFiles(
  { urdf, srdf, joint_limits, calibration, packages }: FileKeys,
  relocate: (path: string) => string,
): FileKeys {
  return {
    ...(urdf === undefined ? {} : { urdf: relocatedPath(urdf, relocate) }),
    ...(srdf === undefined ? {} : { srdf: relocate(srdf) }),
    ...(joint_limits === undefined ? {} : { joint_limits: relocate(joint_limits) }),
    ...(calibration === undefined ? {} : { calibration: relocate(calibration) }),
    ...(packages === undefined
      ? {}
      : { packages: Object.fromEntries(Object.entries(packages).map(([name, folder]) => [name, relocate(folder)])) }),
  };
}

function relocatedOther(
  other: NonNullable<RawScene['robots']>[number],
  relocate: (path: string) => string,
): Record<string, unknown> {
  const { trajectory } = other;
  return {
    ...other,
    robot: relocatedRobot(other.robot as RawRobot, relocate),
    ...(trajectory === undefined ? {} : { trajectory: relocate(trajectory) }),
  };
}

function relocatedInclude(include: NonNullable<RawScene['include']>, relocate: (path: string) => string): unknown {
  if (Array.isArray(include)) return include.map((one) => relocatedInclude(one, relocate));
  if (typeof include === 'string') return relocate(include);
  return { ...include, file: relocate((include as { file: string }).file) };
}
