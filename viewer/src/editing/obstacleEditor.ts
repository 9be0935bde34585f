import type { Contents } from '../contents.ts';
import { element, refill } from '../dom.ts';
import { ObstaclePanel } from '../panels/obstaclePanel.ts';
import type { Stage } from '../stage/stage.ts';
import { EditPanel } from './editPanel.ts';
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
   * @param selected obstacle that keeps its handles, if the scene still has it
   * @param sizing whether the fields of its sizes are open
   */
  list(selected?: string, sizing = false): void {
    const panel = this.listed();
    this.panel = panel;
    const { document, shown } = this;
    const { scene } = shown.problem;
    this.tools =
      document &&
      new EditPanel(document, scene, {
        chosen: panel.chosen,
        onEdited: (name, isSizing) => this.continueWith(name, isSizing),
      });
    refill(this.root, panel.root, ...(this.tools ? [this.tools.root] : []));
    if (selected === undefined || !panel.has(selected)) return;
    panel.select(selected);
    this.choose(selected, panel);
    this.tools?.open(selected, sizing);
  }

  /** Selects the obstacle that an edit has made or changed, unless the edit was refused. */
  private continueWith(name: string, isSizing: boolean): void {
    if (!this.panel?.has(name) || (isSizing && this.selected !== name)) return;
    this.list(name, isSizing);
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
