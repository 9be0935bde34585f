import type { Pose, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import { type Path, parseSource, type SourceText } from '../../text/sourceText.ts';
import { withoutSeparator } from '../../trajectories/rosYaml.ts';
import { allowedPairs, type CollisionMatrix, readMatrix, uncheckedNote } from './collisionMatrix.ts';
import { frameOf, type PosedObject, readCollisionObject, readOctomap } from './collisionObjects.ts';
import {
  type ForeignConstraint,
  type ForeignGoal,
  type ForeignObject,
  type ForeignScene,
  namedBodies,
  within,
} from './foreignScene.ts';
import { type LinkFrame, readGoals, readPoseStamped } from './goalConstraints.ts';
import { MessageFrames, plain } from './messageFrames.ts';
import { isPlannedLink, type JointValues, linkPosesAt, plannedPart, readJointValues } from './messageRobot.ts';
import { listOf, messageOf, nameOf, requireKeys } from './messageValues.ts';
import { ofPlannedJoints, readPathConstraints } from './pathConstraints.ts';
import { type MotionScales, readScales, refuseUnread, sceneKeys } from './requestFields.ts';
import { isRecord, MessageError, type Raw, record } from './rosMessage.ts';

/** Inputs of `readPlanningScene` besides the scene. */
export interface PlanningSceneInput {
  /** Motion request, or goal pose (PoseStamped), in a file of its own. */
  readonly request?: { readonly text: string; readonly file: string } | undefined;
  /** The robot; undefined if it is unknown. */
  readonly robot?: RobotDescription | undefined;
}

/**
 * Reads a MoveIt planning scene in YAML, as ROS prints messages and as the problem sets of MotionBenchMaker store them:
 * collision objects, attached objects, the robot state, and the allowed collision matrix. A motion request
 * (`start_state`, `goal_constraints`) gives start and goals. Contents that cannot be represented are refused; fields
 * that do not affect results are skipped.
 */
export async function readPlanningScene(
  text: string,
  file: string,
  { request, robot }: PlanningSceneInput = {},
): Promise<ForeignScene> {
  const reader = new SceneMessages(robot);
  await reader.read(text, file, request !== undefined);
  if (request !== undefined) await reader.read(request.text, request.file, false);
  return reader.scene();
}

interface Holder {
  readonly object: PosedObject;
  readonly link: string;
  readonly touches: readonly string[];
}

/** Reads the messages of a scene, one after the other. */
class SceneMessages {
  private readonly notes = new Set<string>();
  private readonly objects: PosedObject[] = [];
  private octomap: ForeignObject | undefined;
  private attached: Holder[] = [];
  private values: JointValues = {};
  private goals: readonly ForeignGoal[] = [];
  private constraints: readonly ForeignConstraint[] = [];
  private scales: MotionScales = {};
  private group: string | undefined;
  private named: Pick<ForeignScene, 'name' | 'robot'> = {};
  private matrix: CollisionMatrix = { names: [], allowed: [] };
  private linkPose: (link: string) => Pose | undefined = () => undefined;
  private readonly frames = new MessageFrames(
    (link) => this.linkPose(link),
    (link) => isPlannedLink(this.robot, this.group, link),
  );

  constructor(private readonly robot: RobotDescription | undefined) {}

  /** @param isPart true if a motion request with the goals follows */
  async read(text: string, file: string, isPart: boolean): Promise<void> {
    const source = await parseSource(withoutSeparator(text), file, '1.1');
    try {
      await this.readMessage(source, isPart);
    } catch (cause) {
      throw cause instanceof MessageError ? await source.errors([cause]) : cause;
    }
  }

  scene(): ForeignScene {
    const { objects, attached, octomap, named, group, values, goals, notes } = this;
    const all = [...objects, ...(octomap === undefined ? [] : [octomap]), ...attached.map(({ object }) => object)];
    const standing = all.length - attached.length;
    const bodies = namedBodies(all);
    const carried = bodies.slice(standing).flatMap((own, i) =>
      own.map((body, k) => {
        const { link, touches } = attached[i];
        return { ...body, link, touches: [...touches, ...own.slice(0, k).map(({ name }) => name)] };
      }),
    );
    const namesOf = new Map(all.map(({ id }, i) => [id, bodies[i].map(({ name }) => name)]));
    const planned = plannedPart(this.robot, group, values, goals, notes);
    const constraints = ofPlannedJoints(this.constraints, planned.fixed ?? {}, notes);
    const unchecked = this.robot && uncheckedNote(this.matrix, this.robot);
    if (unchecked !== undefined) notes.add(unchecked);
    return {
      ...named,
      ...planned,
      ...this.scales,
      ...(constraints.length === 0 ? {} : { constraints }),
      obstacles: bodies.slice(0, standing).flat(),
      attached: carried,
      allow: allowedPairs(this.matrix, namesOf),
      notes: [...notes],
    };
  }

  private async readMessage({ data: outermost, file }: SourceText, isPart: boolean): Promise<void> {
    const data = requestIn(outermost);
    if (isRecord(data) && isRecord(data.pose)) return this.readGoalPose(data);
    if (!isRecord(data) || !['world', 'robot_state', 'start_state', 'goal_constraints'].some((key) => key in data)) {
      throw new InputError(
        `${file}:1: this is not a planning scene: it has no world, and no robot_state, start_state or goal_constraints`,
      );
    }
    requireKeys(data, sceneKeys, []);
    refuseUnread(data, this.notes);
    if (isPart && listOf(data.goal_constraints, ['goal_constraints']).length > 0)
      throw new MessageError(['goal_constraints'], 'goals here and in the request', 'Give one of them.');
    if (this.goals.length === 0 && !isPart) this.goals = [];
    this.scales = { ...this.scales, ...readScales(data, this.notes) };
    if (typeof data.name === 'string' && data.name !== '') this.named = { ...this.named, name: data.name };
    if (typeof data.robot_model_name === 'string' && data.robot_model_name !== '')
      this.named = { ...this.named, robot: data.robot_model_name };
    if (typeof data.group_name === 'string' && data.group_name !== '') this.group = data.group_name;
    if (data.robot_state !== undefined && data.start_state !== undefined)
      throw new MessageError(
        ['start_state'],
        'robot_state is there, too',
        'Write scene and request into files of their own.',
      );
    const at = data.robot_state === undefined ? ['start_state'] : ['robot_state'];
    const state = messageOf(data.robot_state ?? data.start_state, 'robot state', at);
    this.values = { ...this.values, ...readJointValues(state, at, this.robot) };
    this.linkPose = linkPosesAt(this.robot, () => this.values);
    this.frames.addScene(data, record(state.joint_state));
    await this.readWorld(data.world);
    await this.readAttached(state, at);
    const frames = this.frames;
    const carrierOf = (name: string, path: Path) => this.carrierOf(plain(name), path);
    const goals = readGoals(data.goal_constraints, { frames, carrierOf, notes: this.notes });
    if (goals.length > 0) this.goals = goals;
    if (data.path_constraints !== undefined)
      this.constraints = readPathConstraints(data.path_constraints, this.robot, {
        frames,
        carrierOf,
        notes: this.notes,
      });
    if (data.allowed_collision_matrix !== undefined)
      this.matrix = readMatrix(data.allowed_collision_matrix, this.notes);
  }

  private readGoalPose(data: Raw): void {
    requireKeys(data, 'header pose', []);
    this.goals = [readPoseStamped(data, this.frames)];
  }

  private async readWorld(given: unknown): Promise<void> {
    const world = messageOf(given, 'world', ['world']);
    const path = ['world', 'collision_objects'];
    for (const [i, one] of listOf(world.collision_objects, path).entries()) {
      const at = [...path, i];
      const object = messageOf(one, 'collision object', at);
      const read = await readCollisionObject(object, at, this.frames.ofHeader(object.header, at), this.notes);
      this.requireNew(read.id, at);
      this.objects.push(read);
      this.frames.addObject(read);
    }
    const at = ['world', 'octomap'];
    this.octomap =
      readOctomap(world.octomap, at, (header) => this.frames.ofHeader(header, at), this.notes) ?? this.octomap;
  }

  private async readAttached(state: Raw, place: Path): Promise<void> {
    const path = [...place, 'attached_collision_objects'];
    const list = listOf(state.attached_collision_objects, path);
    // A start state without `is_diff` replaces the attached objects of the scene, as in MoveIt.
    if (list.length > 0 && state.is_diff !== true) this.attached = [];
    for (const [i, given] of list.entries()) {
      const at = [...path, i];
      const one = messageOf(given, 'attached object', at);
      const link = plain(nameOf(one.link_name, [...at, 'link_name']));
      if (this.robot !== undefined && this.linkPose(link) === undefined)
        throw new MessageError([...at, 'link_name'], `${show(link)}, "${this.robot.name}" has no such link`, '');
      const touches = listOf(one.touch_links, [...at, 'touch_links']).map(String);
      const object = messageOf(one.object, 'collision object', [...at, 'object']);
      const own = plain(String(record(messageOf(object.header, 'header', [...at, 'object', 'header'])).frame_id ?? ''));
      if (own !== '' && own !== link)
        throw new MessageError(
          [...at, 'object', 'header', 'frame_id'],
          `${show(own)}, must be the link that it is attached to: ${JSON.stringify(link)}`,
          '',
        );
      const read = await readCollisionObject(object, [...at, 'object'], IDENTITY_POSE, this.notes);
      this.requireNew(read.id, [...at, 'object']);
      this.attached.push({ object: read, link, touches });
    }
  }

  private requireNew(id: string, path: Path): void {
    const all = [...this.objects, ...this.attached.map(({ object }) => object)];
    if (all.some((other) => other.id === id))
      throw new MessageError(
        [...path, 'id'],
        `${show(id)}, which another object has already`,
        'Give each object its own id.',
      );
  }

  /** Returns the link that carries a frame, and the pose of the frame there. */
  private carrierOf(name: string, path: Path): LinkFrame {
    if (this.robot !== undefined && this.linkPose(name) !== undefined) return { link: name, pose: IDENTITY_POSE };
    const [id, subframe] = /^(.*?)\/(.*)$/.exec(name)?.slice(1) ?? [name, undefined];
    const held = this.attached.find(({ object }) => object.id === id);
    if (held !== undefined) {
      const inner = subframe === undefined ? IDENTITY_POSE : held.object.subframes.get(subframe);
      if (inner !== undefined) return { link: held.link, pose: within(frameOf(held.object, path), inner) };
      const known = [...held.object.subframes.keys()].join(', ');
      throw new MessageError(path, `${show(name)}, ${JSON.stringify(id)} has the subframes: ${known || 'none'}`, '');
    }
    if (this.robot === undefined && subframe === undefined && !this.objects.some((one) => one.id === id))
      return { link: name, pose: IDENTITY_POSE };
    throw new MessageError(path, `${show(name)}, which is no link of the robot and no frame of an attached object`, '');
  }
}

/** Returns the motion request of a goal of MoveGroup or a service; anything else as it is. */
function requestIn(data: unknown): unknown {
  if (!isRecord(data)) return data;
  const key = ['request', 'motion_plan_request'].find((name) => isRecord(data[name]));
  if (key === undefined) return data;
  requireKeys(data, `${key} planning_options`, []);
  const { planning_scene_diff } = record(data.planning_options);
  const changes = Object.entries(record(planning_scene_diff)).find(
    ([name, value]) => name !== 'is_diff' && isFull(value),
  );
  if (changes === undefined) return data[key];
  const path = ['planning_options', 'planning_scene_diff', changes[0]];
  throw new MessageError(
    path,
    'changes of the scene in a request are not supported',
    'Write them into the planning scene.',
  );
}

/** Returns true for a value that is not a default of a message: not empty, at any depth. */
function isFull(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.values(value).some(isFull);
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}
