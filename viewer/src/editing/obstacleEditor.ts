import type { Contents } from '../contents.ts';
import { element, refill } from '../dom.ts';
import { ObstaclePanel } from '../panels/obstaclePanel.ts';
import type { Stage } from '../stage/stage.ts';
import { type EditedObstacle, EditPanel } from './editPanel.ts';
import type { SceneDocument } from './sceneDocument.ts';
import type { ShownScene } from './shownScene.ts';

type Point = readonly [number, number, number];

/** Lists the obstacles, and moves them by their fields or by handles on the stage. */
export class ObstacleEditor {
  readonly root = element('div', {});
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
    refill(this.root, panel.root, ...(this.tools ? [this.tools.root] : []));
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
      onMove: (name, xyz) => {
        this.move(name, xyz);
        void this.commit(name);
      },
      onChoose: (name) => {
        this.choose(name, panel);
        this.tools?.open(name);
      },
    });
    return panel;
  }

  private move(name: string, xyz: Point): void {
    this.shown.place(name, xyz);
    this.onChange();
  }

  /** Writes the position of an obstacle that was moved into the text of the scene. */
  private async commit(name: string): Promise<void> {
    const { document } = this;
    const xyz = this.shown.moved[name];
    if (xyz && document?.source.obstacles.includes(name)) await document.apply({ kind: 'place', name, xyz });
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
        const { x, y, z } = figure.position;
        panel.show(figure.name, [x, y, z]);
        this.move(figure.name, [x, y, z]);
      },
      onDrop: () => void this.commit(figure.name),
      onEnd: () => panel.deselect(figure.name),
    });
  }
}
