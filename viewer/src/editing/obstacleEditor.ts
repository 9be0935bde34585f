import type { Pose, SceneEdit } from 'elbowroom';
import type { Contents } from '../contents.ts';
import { element, refill } from '../dom.ts';
import { ObstaclePanel } from '../panels/obstaclePanel.ts';
import { poseOf, writtenAngles } from '../stage/rollPitchYaw.ts';
import type { Stage } from '../stage/stage.ts';
import { type EditedObstacle, EditPanel } from './editPanel.ts';
import type { SceneDocument } from './sceneDocument.ts';
import type { ShownScene } from './shownScene.ts';

/** The edit that writes the pose of an obstacle into the text of its scene; its orientation only if it was turned. */
export function placing(name: string, pose: Pose, before: Pose | undefined): SceneEdit {
  const isTurned = before?.quat_wxyz.join() !== pose.quat_wxyz.join();
  return { kind: 'place', name, xyz: pose.xyz, ...(isTurned ? { rpy: writtenAngles(pose) } : {}) };
}

/** Lists the obstacles, and moves or turns them by their fields or by handles on the stage. */
export class ObstacleEditor {
  readonly root = element('div', {});
  private readonly turning = element('input', {
    type: 'checkbox',
    id: 'obstacle-turn',
    onchange: () => this.stage?.stage.turnHandles(this.turning.checked),
  });
  private readonly turnLabel = element('label', { class: 'tools' }, this.turning, 'handles turn the obstacle');
  /** Stage and objects on it; set once they exist. */
  stage: { readonly stage: Stage; readonly contents: Contents } | undefined;

  private panel: ObstaclePanel | undefined;
  private tools: EditPanel | undefined;
  /** Obstacle of the edit that is under way: the next list selects it, unless the edit is refused. */
  private edited: EditedObstacle | undefined;

  constructor(
    private readonly shown: ShownScene,
    private readonly document: SceneDocument | undefined,
    /** Called after an obstacle was moved, to discard results of the previous scene. */
    private readonly onChange: () => void,
  ) {
    this.list();
  }

  /** Name of the obstacle that has handles. */
  get selected(): string | undefined {
    return this.panel?.chosen();
  }

  /**
   * Lists the obstacles, with the tools that edit them if the text of the scene is known.
   * @param selected obstacle that keeps its handles, if the scene still has it and no other one was edited
   */
  list(selected?: string): void {
    const panel = this.listed();
    this.panel = panel;
    const { document, shown } = this;
    const { scene } = shown.problem;
    this.tools =
      document &&
      new EditPanel(document, scene, {
        chosen: panel.chosen,
        onEdit: (edited) => {
          this.edited = edited;
        },
        onEdited: (edited) => {
          if (this.edited === edited) this.edited = undefined; // not that of a later edit
        },
      });
    const edited = this.editedIn(panel, selected);
    const name = edited?.name ?? selected;
    if (name !== undefined && panel.has(name)) {
      panel.select(name);
      this.choose(name, panel);
      this.tools?.open(name, edited?.isSizing);
    }
    refill(this.root, panel.root, this.turnLabel, ...(this.tools ? [this.tools.root] : []));
  }

  /** Returns the obstacle that an edit has made or changed; undefined if it was refused or another one is selected. */
  private editedIn(panel: ObstaclePanel, selected: string | undefined): EditedObstacle | undefined {
    const { edited, document } = this;
    if (!edited || document?.message !== '' || !panel.has(edited.name)) return undefined;
    return edited.isSizing && selected !== edited.name ? undefined : edited;
  }

  /** Lists the obstacles that the user can move: not those with a motion of their own. */
  private listed(): ObstaclePanel {
    const still = this.shown.problem.scene.obstacles.filter(({ motion }) => motion === undefined);
    const panel: ObstaclePanel = new ObstaclePanel(still, {
      kind: 'obstacle',
      hint: 'Select an obstacle, here or on the stage, to move or turn it; metres.',
      onMove: (name, pose) => {
        this.move(name, pose);
        void this.commit(name);
      },
      onChoose: (name) => {
        this.choose(name, panel);
        this.tools?.open(name);
      },
    });
    return panel;
  }

  private move(name: string, pose: Pose): void {
    this.shown.place(name, pose);
    this.onChange();
  }

  /** Writes the pose of an obstacle that was moved into the text of the scene. */
  private async commit(name: string): Promise<void> {
    const { document } = this;
    const pose = this.shown.moved[name];
    if (pose && document?.source.obstacles.includes(name))
      await document.apply(placing(name, pose, document.poseOf(name)));
  }

  /** Selects an obstacle that was clicked on the stage. */
  pick(name: string): void {
    const { panel } = this;
    if (!panel?.has(name)) return;
    panel.select(name);
    panel.reveal(name);
    this.choose(name, panel);
    this.tools?.open(name);
  }

  private choose(name: string | undefined, panel: ObstaclePanel): void {
    if (!this.stage) return;
    const { stage, contents } = this.stage;
    const figure = name === undefined ? undefined : contents.objects.obstacle(name);
    if (!figure) {
      stage.release(contents.objects.all());
      return;
    }
    stage.drag(figure, {
      onDrag: () => {
        const pose = poseOf(figure.position, figure.quaternion);
        panel.show(figure.name, pose);
        this.move(figure.name, pose);
      },
      onDrop: () => void this.commit(figure.name),
      onEnd: () => panel.deselect(figure.name),
    });
    stage.turnHandles(this.turning.checked);
  }
}
