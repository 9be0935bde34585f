import type { Pose, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { InputError } from '../../../errors.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import { parseSource, type SourceText } from '../../text/sourceText.ts';
import { withoutSeparator } from '../../trajectories/rosYaml.ts';
import { allowedPairs, type CollisionMatrix, readMatrix, uncheckedNote } from './collisionMatrix.ts';
import { frameOf, type PosedObject, readCollisionObject, refuseOctomap } from './collisionObjects.ts';
import { type ForeignConstraint, type ForeignGoal, type ForeignScene, namedBodies, within } from './foreignScene.ts';
import { type LinkFrame, readGoals, readPoseStamped } from './goalConstraints.ts';
import { MessageFrames, plain } from './messageFrames.ts';
import { isPlannedLink, type JointValues, linkPosesAt, plannedPart, readJointValues } from './messageRobot.ts';
import { Field } from './messageValues.ts';
import { ofPlannedJoints, readPathConstraints } from './pathConstraints.ts';
import { type MotionScales, readScales, refuseUnread, sceneKeys } from './requestFields.ts';
import { isRecord, MessageError, record } from './rosMessage.ts';

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
    const { objects, attached, named, group, values, goals, notes } = this;
    const all = [...objects, ...attached.map(({ object }) => object)];
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
    const message = new Field(requestIn(outermost));
    const data = record(message.value);
    if (isRecord(data.pose)) {
      this.goals = [readPoseStamped(message.mapping('header pose'), this.frames)];
      return;
    }
    if (!['world', 'robot_state', 'start_state', 'goal_constraints'].some((key) => key in data)) {
      throw new InputError(
        `${file}:1: this is not a planning scene: it has no world, and no robot_state, start_state or goal_constraints`,
      );
    }
    const { notes, frames } = this;
    refuseUnread(message.mapping(sceneKeys), notes);
    const constraints = message.at('goal_constraints');
    if (isPart && constraints.list().length > 0)
      throw constraints.error('goals here and in the request', 'Give one of them.');
    if (this.goals.length === 0 && !isPart) this.goals = [];
    this.scales = { ...this.scales, ...readScales(message, notes) };
    if (typeof data.name === 'string' && data.name !== '') this.named = { ...this.named, name: data.name };
    if (typeof data.robot_model_name === 'string' && data.robot_model_name !== '')
      this.named = { ...this.named, robot: data.robot_model_name };
    if (typeof data.group_name === 'string' && data.group_name !== '') this.group = data.group_name;
    if (data.robot_state !== undefined && data.start_state !== undefined)
      throw message
        .at('start_state')
        .error('robot_state is there, too', 'Write scene and request into files of their own.');
    const state = message.at(data.robot_state === undefined ? 'start_state' : 'robot_state').message('robot state');
    this.values = { ...this.values, ...readJointValues(state, this.robot) };
    this.linkPose = linkPosesAt(this.robot, () => this.values);
    frames.addScene(message, state.at('joint_state'));
    await this.readWorld(message.at('world').message('world'));
    await this.readAttached(state);
    const context = { frames, carrierOf: (name: Field) => this.carrierOf(name), notes };
    const goals = readGoals(constraints, context);
    if (goals.length > 0) this.goals = goals;
    const path = message.at('path_constraints');
    if (path.value !== undefined) this.constraints = readPathConstraints(path, this.robot, context);
    const matrix = message.at('allowed_collision_matrix');
    if (matrix.value !== undefined) this.matrix = readMatrix(matrix, notes);
  }

  private async readWorld(world: Field): Promise<void> {
    for (const object of world.at('collision_objects').list()) {
      const frame = this.frames.ofHeader(object.message('collision object'));
      const read = await readCollisionObject(object, frame, this.notes);
      this.requireNew(read.id, object);
      this.objects.push(read);
      this.frames.addObject(read);
    }
    refuseOctomap(world.at('octomap'));
  }

  private async readAttached(state: Field): Promise<void> {
    const list = state.at('attached_collision_objects').list();
    // A start state without `is_diff` replaces the attached objects of the scene, as in MoveIt.
    if (list.length > 0 && state.at('is_diff').value !== true) this.attached = [];
    for (const one of list) {
      const named = one.message('attached object').at('link_name');
      const link = plain(named.name());
      if (this.robot !== undefined && this.linkPose(link) === undefined)
        throw named.error(`${show(link)}, "${this.robot.name}" has no such link`);
      const touches = one
        .at('touch_links')
        .list()
        .map(({ value }) => String(value));
      const object = one.at('object').message('collision object');
      const frame = object.at('header').message('header').at('frame_id');
      const own = plain(String(frame.value ?? ''));
      if (own !== '' && own !== link)
        throw frame.error(`${show(own)}, must be the link that it is attached to: ${JSON.stringify(link)}`);
      const read = await readCollisionObject(object, IDENTITY_POSE, this.notes);
      this.requireNew(read.id, object);
      this.attached.push({ object: read, link, touches });
    }
  }

  private requireNew(id: string, object: Field): void {
    const all = [...this.objects, ...this.attached.map((held) => held.object)];
    if (all.some((other) => other.id === id))
      throw object.at('id').error(`${show(id)}, which another object has already`, 'Give each object its own id.');
  }

  /** Returns the link that carries a frame, and the pose of the frame there. */
  private carrierOf(field: Field): LinkFrame {
    const name = plain(field.name());
    if (this.robot !== undefined && this.linkPose(name) !== undefined) return { link: name, pose: IDENTITY_POSE };
    const [id, subframe] = /^(.*?)\/(.*)$/.exec(name)?.slice(1) ?? [name, undefined];
    const held = this.attached.find(({ object }) => object.id === id);
    if (held !== undefined) {
      const inner = subframe === undefined ? IDENTITY_POSE : held.object.subframes.get(subframe);
      if (inner !== undefined) return { link: held.link, pose: within(frameOf(held.object, field), inner) };
      const known = [...held.object.subframes.keys()].join(', ');
      throw field.error(`${show(name)}, ${JSON.stringify(id)} has the subframes: ${known || 'none'}`);
    }
    if (this.robot === undefined && subframe === undefined && !this.objects.some((one) => one.id === id))
      return { link: name, pose: IDENTITY_POSE };
    throw field.error(`${show(name)}, which is no link of the robot and no frame of an attached object`);
  }
}

/** Returns the motion request of a goal of MoveGroup or a service; anything else as it is. */
function requestIn(data: unknown): unknown {
  if (!isRecord(data)) return data;
  const key = ['request', 'motion_plan_request'].find((name) => isRecord(data[name]));
  if (key === undefined) return data;
  const changes = new Field(data).mapping(`${key} planning_options`).at('planning_options').at('planning_scene_diff');
  const [changed] =
    Object.entries(record(changes.value)).find(([name, value]) => name !== 'is_diff' && isFull(value)) ?? [];
  if (changed === undefined) return data[key];
  throw changes
    .at(changed)
    .error('changes of the scene in a request are not supported', 'Write them into the planning scene.');
}

/** Returns true for a value that is not a default of a message: not empty, at any depth. */
function isFull(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.values(value).some(isFull);
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}
