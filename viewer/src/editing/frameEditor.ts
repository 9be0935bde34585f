import type { PathConstraint, Pose, Scene, SceneEdit } from 'elbowroom';
import { Quaternion, Vector3 } from 'three';
import type { Contents } from '../contents.ts';
import { element, refill } from '../dom.ts';
import { ObstaclePanel, type Placed } from '../panels/obstaclePanel.ts';
import { constraintPose } from '../stage/constraintFigures.ts';
import { poseOf, writtenAngles } from '../stage/rollPitchYaw.ts';
import type { Stage } from '../stage/stage.ts';
import type { SceneDocument } from './sceneDocument.ts';

/** A goal pose or a constraint of the scene that has a frame. */
interface Frame extends Placed {
  readonly of: 'goals' | 'constraints';
  readonly index: number;
  readonly type: 'goal' | 'tilt' | 'orientation' | 'region';
}

/** Decimals of positions in the scene file, metres. */
const DECIMALS = 6;

/** Returns the goal poses of a scene, and its first constraints, if they have a frame. */
function framesOf({ goals, constraints = [] }: Scene, count: number): Frame[] {
  const poses = goals.flatMap((goal, index): Frame[] => {
    const name = goals.length === 1 ? 'goal' : `goal ${index + 1}`;
    return goal.kind === 'pose' ? [{ of: 'goals', index, type: 'goal', name, pose: goal.pose }] : [];
  });
  return [...poses, ...constraints.slice(0, count).flatMap((one, index) => constraintFrame(one, index))];
}

function constraintFrame(given: PathConstraint, index: number): Frame[] {
  const { type } = given;
  if (type !== 'tilt' && type !== 'orientation' && type !== 'region') return [];
  const name = `${index + 1}: ${given.name ?? type}`;
  return [{ of: 'constraints', index, type, name, pose: constraintPose(given), turnsOnly: type !== 'region' }];
}

/** Returns the edit that writes a pose of a frame into the text of its scene; its orientation only if it was turned. */
function placing({ of, index, type, pose: before }: Frame, pose: Pose): SceneEdit {
  const kind = of === 'goals' ? 'place-goal' : 'place-constraint';
  const [w, x, y, z] = pose.quat_wxyz;
  const rounded = (values: readonly number[], digits: number) => values.map((one) => Number(one.toFixed(digits)));
  if (type === 'tilt') {
    const towards = new Vector3(0, 0, 1).applyQuaternion(new Quaternion(x, y, z, w)).toArray();
    return { kind, index, towards: rounded(towards, 9) };
  }
  const isTurned = before.quat_wxyz.join() !== pose.quat_wxyz.join();
  return {
    kind,
    index,
    ...(type === 'orientation' ? {} : { xyz: rounded(pose.xyz, DECIMALS) }),
    ...(isTurned ? { rpy: writtenAngles(pose) } : {}),
  };
}

/** Lists goal poses and constraints, and moves or turns their frames by fields or by handles on the stage. */
export class FrameEditor {
  readonly root = element('div', {});
  /** Stage and objects on it; set once they exist. */
  stage: { readonly stage: Stage; readonly contents: Contents } | undefined;
  private readonly turning = element('input', {
    type: 'checkbox',
    id: 'frame-turn',
    onchange: () => this.turnHandles(),
  });
  private readonly turnLabel = element('label', { class: 'tools' }, this.turning, 'handles turn the frame');
  private frames: readonly Frame[] = [];
  private panel: ObstaclePanel | undefined;

  constructor(
    private readonly document: SceneDocument,
    /** Called while a frame is moved, to discard results of the previous scene. */
    private readonly onChange: () => void,
  ) {}

  /** Name of the frame that has handles. */
  get selected(): string | undefined {
    return this.panel?.chosen();
  }

  get isEmpty(): boolean {
    return this.frames.length === 0;
  }

  /**
   * Lists the frames of the scene.
   * @param selected frame that keeps its handles
   */
  list(scene: Scene, selected?: string): void {
    this.frames = framesOf(scene, this.document.source.constraints);
    const panel = new ObstaclePanel(this.frames, {
      kind: 'frame',
      hint: 'Select a goal pose or constraint to move or turn it; metres, in the frame that the scene states it in.',
      onMove: (name, pose) => this.commit(name, pose),
      onChoose: (name) => this.choose(name),
    });
    this.panel = panel;
    refill(this.root, panel.root, this.turnLabel);
    if (selected !== undefined) this.pick(selected);
  }

  /** Selects a frame. */
  pick(name: string): void {
    if (!this.panel?.has(name)) return;
    this.panel.select(name);
    this.choose(name);
  }

  /** Selects a goal pose that was clicked on the stage. */
  pickGoal(index: number): void {
    const frame = this.frames.find((one) => one.of === 'goals' && one.index === index);
    if (!frame) return;
    this.pick(frame.name);
    this.panel?.reveal(frame.name);
  }

  private commit(name: string, pose: Pose): void {
    const frame = this.frames.find((one) => one.name === name)!;
    this.onChange();
    void this.document.apply(placing(frame, pose));
  }

  private choose(name: string | undefined): void {
    if (!this.stage) return;
    const { stage, contents } = this.stage;
    const figures = this.frames.map(({ of, index }) => contents.frameFigure(of, index));
    const chosen = this.frames.findIndex((one) => one.name === name);
    const figure = figures[chosen];
    if (!figure) {
      stage.release(figures.filter((one) => one !== undefined));
      return;
    }
    const frame = this.frames[chosen];
    const { panel } = this;
    const pose = () => poseOf(figure.position, figure.quaternion);
    stage.drag(figure, {
      onDrag: () => {
        panel?.show(frame.name, pose());
        this.onChange();
      },
      onDrop: () => this.commit(frame.name, pose()),
      onEnd: () => panel?.deselect(frame.name),
    });
    this.turnHandles();
  }

  private turnHandles(): void {
    const frame = this.frames.find(({ name }) => name === this.selected);
    if (frame) this.stage?.stage.turnHandles(this.turning.checked || frame.turnsOnly === true);
  }
}
