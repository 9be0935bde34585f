import type { Pose } from '../../../core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../core/scene/scene.ts';
import { show } from '../../text/schemaDiagnostics.ts';
import { frameOf, type PosedObject } from './collisionObjects.ts';
import { within } from './foreignScene.ts';
import type { Field } from './messageValues.ts';

/** Usual names of the frame of the world and of the root of a robot. */
const USUAL_PLANNING_FRAMES = /^(world|map|odom|odom_combined|base|base_link|base_footprint|torso|.*_link0)$/;

/**
 * Frames in which poses of messages are given: the planning frame, in which the root of the robot is placed, and all
 * frames whose pose in it the messages state. A frame whose pose is unknown is refused.
 */
export class MessageFrames {
  /** Poses in the planning frame, by name. */
  private readonly known = new Map<string, Pose>();
  /** Poses of the frames of objects; undefined if it is ambiguous. */
  private readonly objects = new Map<string, { readonly id: string; readonly pose: Pose | undefined }>();
  /** Planning frame that the messages name. */
  private planning: string | undefined;
  /** Frame that is assumed to be the planning frame because of its name. */
  private assumed: string | undefined;

  /**
   * @param linkPose pose of a link of the robot at its start, if the robot is known and has this link
   * @param isPlanned returns true for links that the planned joints move
   */
  constructor(
    private readonly linkPose: (link: string) => Pose | undefined,
    private readonly isPlanned: (link: string) => boolean,
  ) {}

  /**
   * Adds the planning frame and the fixed frames that a planning scene or a robot state names. As MoveIt writes and
   * reads them, the child of each transform is the planning frame, and the transform is the pose of the frame of the
   * header in it: the reverse of what TransformStamped means elsewhere.
   */
  addScene(scene: Field, joints: Field): void {
    const transforms = scene.at('fixed_frame_transforms').list();
    const stated = nameIn(joints.at('header'));
    if (stated !== '' && transforms.length === 0 && this.planning === undefined) this.addPlanningFrame(stated);
    for (const [i, given] of transforms.entries()) {
      const child = given.message('transform').at('child_frame_id');
      const planning = plain(child.name());
      if (i === 0) this.addPlanningFrame(planning);
      const transform = given.at('transform').or({});
      const pose = transform.pose();
      if (pose === undefined)
        throw transform.error('a quaternion of length 0', 'No rotation is {x: 0, y: 0, z: 0, w: 1}.');
      if (planning !== this.planning)
        throw child.error(
          `${show(planning)}, must be the planning frame: ${JSON.stringify(this.planning)}`,
          'As MoveIt writes them, the header names the other frame, and the transform is its pose.',
        );
      const name = nameIn(given.at('header'));
      if (!this.known.has(name)) this.known.set(name, within(this.known.get(planning)!, pose));
    }
  }

  /** Adds the frame of an object, and its subframes as `object/subframe`. */
  addObject({ id, pose, subframes }: Pick<PosedObject, 'id' | 'pose' | 'subframes'>): void {
    this.objects.set(id, { id, pose });
    for (const [name, inner] of subframes) this.objects.set(`${id}/${name}`, { id, pose: pose && within(pose, inner) });
  }

  /** Returns the pose of the frame that the header of a message names, in the planning frame. */
  ofHeader(message: Field): Pose {
    const header = message.at('header').message('header');
    return this.poseOf(nameIn(header), header.at('frame_id'));
  }

  /**
   * As `ofHeader`, for a goal. Throws for a link that the planned joints move: MoveIt interprets such a goal relative
   * to the pose of the link at the goal.
   */
  ofGoalHeader(message: Field): Pose {
    const header = message.at('header');
    const name = nameIn(header);
    if (!this.known.has(name) && this.isPlanned(name))
      throw header
        .at('frame_id')
        .error(`${show(name)}, a link that the planned joints move`, 'Give the goal in a frame that is at rest.');
    return this.ofHeader(message);
  }

  private poseOf(name: string, field: Field): Pose {
    if (name === '') return IDENTITY_POSE;
    const known = this.known.get(name) ?? this.linkPose(name);
    if (known !== undefined) return known;
    const ofObject = this.objects.get(name);
    if (ofObject !== undefined) return frameOf(ofObject, field);
    if (USUAL_PLANNING_FRAMES.test(name) && (this.assumed ?? name) === name) {
      this.assumed = name;
      return IDENTITY_POSE;
    }
    const note =
      this.assumed === undefined
        ? 'State its pose in fixed_frame_transforms, or the robot that has this link with --robot.'
        : `Poses are given in "${this.assumed}", too: state one in the other in fixed_frame_transforms.`;
    throw field.error(`${show(name)}, a frame whose pose is unknown`, note);
  }

  private addPlanningFrame(name: string): void {
    this.planning = name;
    if (!this.known.has(name)) this.known.set(name, this.linkPose(name) ?? IDENTITY_POSE);
  }
}

/** Returns the frame that a header names; empty: the planning frame. */
function nameIn(header: Field): string {
  const { value } = header.at('frame_id');
  return typeof value === 'string' ? plain(value) : '';
}

/** Returns the name without the slash that old ROS versions put before it. */
export const plain = (name: string): string => name.replace(/^\//, '');
