import type { Configuration, NearestPair, PageData, RobotModel } from 'elbowroom';
import { Group, type Line, type Object3D, Vector3 } from 'three';
import { Figure, place } from './figure.ts';
import type { Palette } from './palette.ts';
import type { Explanation } from './questions.ts';
import { RobotFigure } from './robotFigure.ts';
import type { Layer } from './showPanel.ts';
import { boxesAround, cloud, line, type Stage } from './stage.ts';

/** Number of poses drawn along a motion, and of points of its tool path. */
const GHOSTS = 7;
const PATH_POINTS = 160;

/** Writes the state of a motion at a fraction of its duration, from 0 to 1. */
export type MotionAt = (q: Configuration, share: number) => void;

/** All objects of one problem on the stage. */
export class Contents {
  readonly root = new Group();
  readonly robot: RobotFigure;
  private readonly problem: PageData['problem'];
  readonly obstacles = new Map<string, Figure>();
  private readonly ghosts = new Group();
  private readonly ends = new Group();
  private readonly trees = new Group();
  private readonly extras = new Group();
  private toolPath: Line | undefined;
  private clearanceLine: Line | undefined;
  /** Midpoint of the line between the witness points, and its label. */
  nearest: { readonly at: Vector3; readonly text: string } | undefined;

  constructor(
    private readonly stage: Stage,
    { problem, visuals = [] }: PageData,
    private readonly model: RobotModel,
    private readonly palette: Palette,
    private readonly isShown: (layer: Layer) => boolean,
  ) {
    this.problem = problem;
    const { scene } = problem;
    this.robot = new RobotFigure(model, scene, palette);
    this.robot.dress(visuals, palette);
    this.root.add(this.robot, this.ghosts, this.ends, this.trees, this.extras);
    for (const { name, parts, pose } of scene.obstacles) {
      const isGround = parts.some(({ shape }) => shape.type === 'halfspace');
      const figure = new Figure(name, parts, palette.obstacle, isGround ? 0.25 : 1);
      place(figure, pose);
      this.obstacles.set(name, figure);
      this.root.add(figure);
    }
    stage.scene.add(this.root);
    this.show();
  }

  /** Bounded obstacles, which the camera shows besides the robot. */
  get finite(): Object3D[] {
    return this.problem.scene.obstacles
      .filter(({ parts }) => parts.every(({ shape }) => shape.type !== 'halfspace'))
      .map(({ name }) => this.obstacles.get(name)!);
  }

  /** Poses the robot and clears the collision results of the previous state. */
  pose(q: Configuration): void {
    this.robot.pose(q);
    this.setClearance(undefined);
    this.show();
  }

  /** Colours objects in collision red, and draws a line between the witness points of the minimum distance. */
  judge(collisions: readonly (readonly [string, string])[], nearest: NearestPair): void {
    const hit = new Set(collisions.flat());
    this.robot.paint(hit, this.palette.collision);
    for (const [name, figure] of this.obstacles) figure.paint(hit.has(name) ? this.palette.collision : undefined);
    this.setClearance(hit.size === 0 ? nearest : undefined);
    this.show();
  }

  private setClearance(nearest: NearestPair | undefined): void {
    if (this.clearanceLine) this.extras.remove(this.clearanceLine);
    this.clearanceLine = undefined;
    this.nearest = undefined;
    if (!nearest?.points) return;
    const [a, b] = nearest.points.map(([x, y, z]) => new Vector3(x, y, z));
    this.clearanceLine = line([a, b], this.palette.clearance, true);
    this.extras.add(this.clearanceLine);
    this.nearest = { at: a.clone().add(b).multiplyScalar(0.5), text: `${(1000 * nearest.distance).toFixed(1)} mm` };
  }

  /** Shows start and goal as transparent robots. */
  setEnds(start: Configuration | undefined, goal: Configuration | undefined): void {
    this.empty(this.ends);
    for (const [q, color] of [
      [start, this.palette.start],
      [goal, this.palette.goal],
    ] as const) {
      if (q) this.ends.add(this.ghost(q, color, 0.22));
    }
    this.show();
  }

  /** Shows the tool path and poses along a motion; undefined removes them. */
  setMotion(motion: MotionAt | undefined): void {
    this.empty(this.ghosts);
    if (this.toolPath) this.extras.remove(this.toolPath);
    this.toolPath = undefined;
    if (motion) this.drawMotion(motion);
    this.show();
  }

  private drawMotion(motion: MotionAt): void {
    const q = new Float64Array(this.model.dof);
    const probe = this.probe();
    const points = Array.from({ length: PATH_POINTS }, (_, i) => {
      motion(q, i / (PATH_POINTS - 1));
      probe.pose(q);
      return probe.toolPoint();
    });
    probe.release();
    this.toolPath = line(points, this.palette.path);
    this.extras.add(this.toolPath);
    for (let i = 1; i < GHOSTS - 1; i++) {
      motion(q, i / (GHOSTS - 1));
      this.ghosts.add(this.ghost(q, this.palette.path, 0.16));
    }
  }

  /** Shows the tool positions of the states of each tree as points; undefined removes them. */
  setTrees(trees: Explanation['trees'] | undefined): void {
    this.empty(this.trees);
    if (trees) this.drawTrees(trees);
    this.show();
  }

  private drawTrees(trees: Explanation['trees']): void {
    const probe = this.probe();
    for (const [end, nodes] of Object.entries(trees) as ['start' | 'goal', readonly (readonly number[])[]][]) {
      const points = nodes.map((q) => {
        probe.pose(Float64Array.from(q));
        return probe.toolPoint();
      });
      this.trees.add(cloud(points, this.palette[end]));
    }
    probe.release();
  }

  /** Creates a robot that is not shown, for positions of the tool center point. */
  private probe(): RobotFigure {
    return new RobotFigure(this.model, { ...this.problem.scene, attached: [] }, this.palette);
  }

  private ghost(q: Configuration, color: Palette['path'], opacity: number): RobotFigure {
    const figure = new RobotFigure(
      this.model,
      this.problem.scene,
      { ...this.palette, links: [color], attached: color },
      opacity,
    );
    figure.pose(q);
    return figure;
  }

  /** Shows or hides each layer as selected. */
  show(): void {
    const { isShown, stage } = this;
    this.robot.showBodies(isShown('bodies'));
    this.robot.showLooks(isShown('visuals'));
    this.robot.showPills(isShown('pills'), this.palette.goal);
    this.robot.showFrames(isShown('frames'));
    for (const figure of this.obstacles.values()) {
      figure.visible = isShown('obstacles');
      figure.fade(isShown('seeThrough'));
    }
    this.ends.visible = isShown('ends');
    this.trees.visible = isShown('trees');
    this.ghosts.visible = isShown('ghosts');
    if (this.toolPath) this.toolPath.visible = isShown('toolPath');
    if (this.clearanceLine) this.clearanceLine.visible = isShown('clearance');
    stage.grid.visible = isShown('grid');
    this.drawBoxes();
    stage.invalidate();
  }

  private drawBoxes(): void {
    for (const child of this.extras.children.filter((each) => each.name === 'boxes')) this.extras.remove(child);
    if (!this.isShown('boxes')) return;
    this.root.updateMatrixWorld(true);
    const bodies = [...this.robot.bodies(), ...this.obstacles.values()];
    const boxes = boxesAround(bodies, this.palette.path);
    boxes.name = 'boxes';
    this.extras.add(boxes);
  }

  private empty(group: Group): void {
    for (const figure of [...group.children]) {
      if (figure instanceof RobotFigure) figure.release();
      group.remove(figure);
    }
  }

  release(): void {
    this.stage.handles.detach();
    this.stage.scene.remove(this.root);
    this.empty(this.ghosts);
    this.empty(this.ends);
    this.robot.release();
    for (const figure of this.obstacles.values()) figure.release();
  }
}
