import { InputError } from '../../errors.ts';
import type { Pose } from '../../kinematics/robotModel.ts';
import { firstBeyond } from '../../math/magnitudes.ts';
import { IDENTITY_POSE } from '../../scene/scene.ts';
import type { ShapeSpec } from '../../shapes/shape.ts';
import { show } from '../text/schemaDiagnostics.ts';
import { type Path, parseSource, type SourceText } from '../text/sourceText.ts';
import { withoutSeparator } from '../trajectories/rosYaml.ts';
import {
  type ForeignObject,
  type ForeignScene,
  halfspaceOf,
  hullShape,
  namedBodies,
  rosPose,
  within,
} from './foreignScene.ts';
import { octreeBoxes } from './octomap.ts';
import { omissionsOf } from './planningSceneOmissions.ts';
import { hasConstraints, isRecord, Misread, type Raw, record } from './rosMessage.ts';

/** The shapes of shape_msgs/SolidPrimitive, by name and by number, with the order of their dimensions. */
const primitives: Readonly<Record<string, (d: readonly number[]) => ShapeSpec>> = {
  box: ([x, y, z]) => ({ type: 'box', size: [x, y, z] }),
  sphere: ([radius]) => ({ type: 'sphere', radius }),
  cylinder: ([length, radius]) => ({ type: 'cylinder', radius, length }),
  cone: ([length, radius]) => ({ type: 'cone', radius, length }),
};
const dimensions: Readonly<Record<string, number>> = { box: 3, sphere: 1, cylinder: 2, cone: 2 };
/** Keys of octomap_msgs/OctomapWithPose. */
const OCTOMAP_KEYS = ['header', 'origin', 'octomap'];
const numbered = ['', 'box', 'sphere', 'cylinder', 'cone'];

/**
 * Reads a MoveIt planning scene in YAML, as ROS prints messages and as the problem sets of MotionBenchMaker store them:
 * collision objects, attached objects, the robot state, and the allowed collision matrix. A motion request
 * (`start_state`, `goal_constraints`) gives start and goals; `request` is a motion request in a file of its own.
 */
export async function readPlanningScene(
  text: string,
  file: string,
  request?: { readonly text: string; readonly file: string },
): Promise<ForeignScene> {
  const scene = await readMessage(text, file);
  if (request === undefined) return scene;
  const wanted = await readMessage(request.text, request.file);
  const { start = scene.start, group = scene.group, goals } = wanted;
  const given = { ...(group === undefined ? {} : { group }), ...(start === undefined ? {} : { start }) };
  return { ...scene, ...given, goals, notes: [...scene.notes, ...wanted.notes] };
}

async function readMessage(text: string, file: string): Promise<ForeignScene> {
  const source = await parseSource(withoutSeparator(text), file);
  try {
    return await new MessageReader(source).scene();
  } catch (cause) {
    throw cause instanceof Misread ? await source.errors([cause]) : cause;
  }
}

class MessageReader {
  private readonly notes = new Set<string>();

  constructor(private readonly source: SourceText) {}

  async scene(): Promise<ForeignScene> {
    const { data, file } = this.source;
    if (!isRecord(data) || !['world', 'robot_state', 'start_state', 'goal_constraints'].some((key) => key in data)) {
      throw new InputError(
        `${file}:1: this is not a planning scene: it has no world, and no robot_state, start_state or goal_constraints`,
      );
    }
    const state = this.record(data.robot_state ?? data.start_state ?? {}, ['robot_state']);
    const { obstacles, attached, namesOf } = await this.bodies(data, state);
    const goals = this.goals(data);
    const name = typeof data.name === 'string' && data.name !== '' ? { name: data.name } : {};
    const robot =
      typeof data.robot_model_name === 'string' && data.robot_model_name !== '' ? { robot: data.robot_model_name } : {};
    const group = typeof data.group_name === 'string' && data.group_name !== '' ? { group: data.group_name } : {};
    const start = this.start(state, goals);
    const allow = this.allowed(data, namesOf);
    if (hasConstraints(data.path_constraints) || hasConstraints(data.trajectory_constraints))
      this.notes.add('the path constraints are left out: state them as "constraints" of the scene');
    for (const note of omissionsOf(data)) this.notes.add(note);
    return { ...name, ...robot, ...group, ...start, goals, obstacles, attached, allow, notes: [...this.notes] };
  }

  private async bodies(data: Raw, state: Raw) {
    const world = this.record(data.world ?? {}, ['world']);
    const objects: ForeignObject[] = [];
    for (const [i, object] of this.list(world.collision_objects, ['world', 'collision_objects']).entries())
      objects.push(await this.object(object, ['world', 'collision_objects', i], objects));
    objects.push(...this.octomap(world.octomap));
    const standing = objects.length;
    const holders: { readonly link: string; readonly touches: readonly string[] }[] = [];
    const place = ['robot_state', 'attached_collision_objects'];
    for (const [i, given] of this.list(state.attached_collision_objects, place).entries()) {
      const one = this.record(given, [...place, i]);
      const link = this.text(one.link_name, [...place, i, 'link_name']);
      const touches = this.list(one.touch_links, [...place, i, 'touch_links']).map(String);
      objects.push(await this.object(one.object, [...place, i, 'object'], objects));
      holders.push({ link, touches });
    }
    const named = namedBodies(objects);
    const attached = named.slice(standing).flatMap((bodies, i) =>
      bodies.map((body, k) => {
        const { link, touches } = holders[i];
        return { ...body, link, touches: [...touches, ...bodies.slice(0, k).map(({ name }) => name)] };
      }),
    );
    const namesOf = new Map(objects.map(({ id }, i) => [id, named[i].map(({ name }) => name)]));
    return { obstacles: named.slice(0, standing).flat(), attached, namesOf };
  }

  /** Returns the octomap as an object of its occupied boxes, under the name that MoveIt gives it. */
  private octomap(given: unknown): ForeignObject[] {
    const path = ['world', 'octomap'];
    const outermost = this.record(given ?? {}, path);
    const { origin, octomap, header } = outermost;
    const unknown = Object.keys(outermost).find((key) => !OCTOMAP_KEYS.includes(key));
    if (unknown !== undefined)
      throw this.error([...path, unknown], 'unknown key', 'It is an OctomapWithPose: {header, origin, octomap}.');
    const message = this.record(octomap ?? {}, [...path, 'octomap']);
    if (this.list(message.data, [...path, 'octomap', 'data']).length === 0) return [];
    this.noteFrame(header);
    const outer = origin === undefined ? IDENTITY_POSE : this.pose(origin, [...path, 'origin']);
    try {
      const bodies = octreeBoxes(message).map(({ size, pose }) => ({
        shape: { type: 'box', size },
        pose: within(outer, pose),
      }));
      return bodies.length === 0 ? [] : [{ id: '<octomap>', bodies }];
    } catch (error) {
      throw error instanceof InputError ? this.error([...path, 'octomap'], error.message, error.note) : error;
    }
  }

  private noteFrame(header: unknown): void {
    const frame = record(header).frame_id;
    if (typeof frame === 'string' && !/^\/?(world|map|odom|base_link|.*_link0|)$/.test(frame))
      this.notes.add(`poses are read without transformation, though some are given in frame "${frame}"`);
  }

  private async object(given: unknown, path: Path, before: readonly ForeignObject[]): Promise<ForeignObject> {
    const object = this.record(given, path);
    const id = this.text(object.id, [...path, 'id']);
    if (before.some((other) => other.id === id))
      throw this.error([...path, 'id'], `${show(id)}, which another object has already`);
    if (path[0] === 'world') this.noteFrame(object.header);
    const outer = object.pose === undefined ? IDENTITY_POSE : this.pose(object.pose, [...path, 'pose']);
    const bodies: ForeignObject['bodies'][number][] = [];
    const posed = (key: string, i: number) => {
      const poses = this.list(object[key], [...path, key]);
      return within(outer, poses[i] === undefined ? IDENTITY_POSE : this.pose(poses[i], [...path, key, i]));
    };
    for (const [i, one] of this.list(object.primitives, [...path, 'primitives']).entries())
      bodies.push({ shape: this.primitive(one, [...path, 'primitives', i]), pose: posed('primitive_poses', i) });
    for (const [i, one] of this.list(object.meshes, [...path, 'meshes']).entries())
      bodies.push({ shape: await this.mesh(one, [...path, 'meshes', i]), pose: posed('mesh_poses', i) });
    for (const [i, one] of this.list(object.planes, [...path, 'planes']).entries()) {
      const at = [...path, 'planes', i];
      const behind = halfspaceOf(this.numbers(record(one).coef, 4, [...at, 'coef']), posed('plane_poses', i));
      if (behind === undefined) throw this.error(at, 'a plane without a direction');
      this.notes.add('planes become half-spaces, solid behind the plane');
      bodies.push(behind);
    }
    return { id, bodies };
  }

  private primitive(given: unknown, path: Path): ShapeSpec {
    const { type, dimensions: sizes } = this.record(given, path);
    const name = typeof type === 'number' ? (numbered[type] ?? '') : String(type).toLowerCase();
    if (!Object.hasOwn(primitives, name))
      throw this.error([...path, 'type'], `${show(type)}, read are: ${Object.keys(primitives).join(', ')}, or 1 to 4`);
    const values = this.numbers(sizes, dimensions[name], [...path, 'dimensions']);
    const wrong = values.findIndex((value) => !(value > 0));
    if (wrong >= 0) throw this.error([...path, 'dimensions', wrong], `${show(values[wrong])}, must be greater than 0`);
    return primitives[name](values);
  }

  private async mesh(given: unknown, path: Path): Promise<ShapeSpec> {
    const { vertices, resource } = this.record(given, path);
    if (vertices === undefined && typeof resource === 'string')
      throw this.error(
        [...path, 'resource'],
        `${show(resource)}: meshes of a file are not read`,
        'Write a mesh obstacle.',
      );
    const points = this.list(vertices, [...path, 'vertices']).map((vertex, i) =>
      this.triple(vertex, [...path, 'vertices', i]),
    );
    if (points.length === 0) throw this.error([...path, 'vertices'], 'a mesh without vertices');
    this.notes.add('meshes become their convex hulls');
    return hullShape(points.flat());
  }

  /**
   * Returns the joint values of the robot state; if there is a goal, only of its joints, because others (grippers) are
   * not planned.
   */
  private start(state: Raw, goals: ForeignScene['goals']): Pick<ForeignScene, 'start'> {
    const joints = record(state.joint_state);
    const names = this.list(joints.name, ['robot_state', 'joint_state', 'name']).map(String);
    if (names.length === 0) return {};
    const values = this.numbers(joints.position, names.length, ['robot_state', 'joint_state', 'position']);
    const all = names.map((name, i): [string, number] => [name, values[i]]);
    const planned = goals.length === 0 ? all : all.filter(([name]) => Object.hasOwn(goals[0], name));
    return { start: Object.fromEntries(planned) };
  }

  private goals(data: Raw): Record<string, number>[] {
    const path = ['goal_constraints'];
    return this.list(data.goal_constraints, path).flatMap((given, i) => {
      const goal = this.record(given, [...path, i]);
      const joints = this.list(goal.joint_constraints, [...path, i, 'joint_constraints']);
      const others = [goal.position_constraints, goal.orientation_constraints, goal.visibility_constraints];
      if (others.some((list) => this.list(list, []).length > 0))
        this.notes.add('goals given as a position, an orientation or the visibility of a link are left out');
      if (joints.length === 0) return [];
      const values = joints.map((joint, k): [string, number] => {
        const at = [...path, i, 'joint_constraints', k];
        const { joint_name, position } = this.record(joint, at);
        return [this.text(joint_name, [...at, 'joint_name']), this.numbers([position], 1, [...at, 'position'])[0]];
      });
      return [Object.fromEntries(values)];
    });
  }

  /**
   * Returns the allowed pairs that contain an object of this scene, for each body of the object; pairs of the robot's
   * links belong to its SRDF.
   */
  private allowed(data: Raw, namesOf: ReadonlyMap<string, readonly string[]>): [string, string][] {
    const path = ['allowed_collision_matrix'];
    const matrix = record(data.allowed_collision_matrix);
    const names = this.list(matrix.entry_names, [...path, 'entry_names']).map(String);
    const rows = this.list(matrix.entry_values, [...path, 'entry_values']);
    const always = this.list(matrix.default_entry_values, [...path, 'default_entry_values']);
    if (always.some((value) => value === true || value === 1))
      this.notes.add('default entries of the allowed collision matrix are ignored: only listed pairs are allowed');
    return names.flatMap((a, i) => {
      const row = rows[i];
      const cells = Array.isArray(row) ? row : this.list(record(row).enabled, [...path, 'entry_values', i, 'enabled']);
      const others = names
        .slice(0, cells.length)
        .filter((b, k) => k > i && (cells[k] === true || cells[k] === 1) && (namesOf.has(a) || namesOf.has(b)));
      return others.flatMap((b) =>
        (namesOf.get(a) ?? [a]).flatMap((one) =>
          (namesOf.get(b) ?? [b]).map((other): [string, string] => [one, other]),
        ),
      );
    });
  }

  private pose(given: unknown, path: Path): Pose {
    const { position, orientation } = this.record(given, path);
    const turn = isRecord(orientation)
      ? ['x', 'y', 'z', 'w'].map((key) => orientation[key] ?? (key === 'w' ? 1 : 0))
      : (orientation ?? [0, 0, 0, 1]);
    const xyz = this.triple(position ?? [0, 0, 0], [...path, 'position']);
    const pose = rosPose(xyz, this.numbers(turn, 4, [...path, 'orientation']));
    if (pose !== undefined) return pose;
    this.notes.add('quaternions of length 0 are read as the identity, as in MoveIt');
    return rosPose(xyz, [0, 0, 0, 1])!;
  }

  private triple(given: unknown, path: Path): number[] {
    return this.numbers(isRecord(given) ? ['x', 'y', 'z'].map((key) => given[key] ?? 0) : given, 3, path);
  }

  private numbers(given: unknown, count: number, path: Path): number[] {
    if (Array.isArray(given) && given.length >= count && firstBeyond(given.slice(0, count)) < 0)
      return given.slice(0, count) as number[];
    throw this.error(path, `${show(given)}, must be ${count} finite numbers from -1e7 to 1e7`);
  }

  private text(given: unknown, path: Path): string {
    if (typeof given === 'string' && given !== '') return given;
    if (typeof given === 'number') return String(given);
    throw this.error(path, `${show(given)}, must be a name`);
  }

  private list(given: unknown, path: Path): readonly unknown[] {
    if (given === undefined || given === null) return [];
    if (Array.isArray(given)) return given;
    throw this.error(path, `${show(given)}, must be a list`);
  }

  private record(given: unknown, path: Path): Raw {
    if (isRecord(given)) return given;
    throw this.error(path, `${show(given)}, must be a mapping of keys to values`);
  }

  private error(path: Path, what: string, note = ''): Misread {
    return new Misread(path, what, note);
  }
}
