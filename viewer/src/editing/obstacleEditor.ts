import type { Contents } from '../contents.ts';
import { element } from '../dom.ts';
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

  constructor(
    private readonly shown: ShownScene,
    private readonly document: SceneDocument | undefined,
    /** Called after an obstacle was moved, to discard results of the previous scene. */
    private readonly onChange: () => void,
  ) {
    this.list();
  }

  /** Lists the obstacles, with the tools that edit them if the text of the scene is known. */
  list(): void {
    const panel = this.panel();
    const { document, shown } = this;
    this.root.replaceChildren(
      panel.root,
      ...(document ? [new EditPanel(document, shown.problem.scene, panel.chosen).root] : []),
    );
  }

  /** Lists the obstacles that the user can move: not those with a motion of their own. */
  private panel(): ObstaclePanel {
    const still = this.shown.problem.scene.obstacles.filter(({ motion }) => motion === undefined);
    const panel: ObstaclePanel = new ObstaclePanel(still, {
      onMove: (name, xyz) => {
        this.move(name, xyz);
        void this.commit(name);
      },
      onChoose: (name) => this.choose(name, panel),
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
