import type { Configuration, PageData, Pose, PoseGoal, Replay, RobotModel, Trajectory } from 'elbowroom';
import type { PathLine, SplitClearance } from 'elbowroom/types';
import { AxesHelper, type Color, Group, type Line, type Object3D, type Raycaster, Vector3 } from 'three';
import type { Explanation, StateAnswer } from './engine/questions.ts';
import type { Layer } from './panels/showPanel.ts';
import { ConstraintFigures } from './stage/constraintFigures.ts';
import { goalFrame, goalPoseIn } from './stage/goalFrame.ts';
import { ObjectFigures } from './stage/objectFigures.ts';
import { OtherRobots } from './stage/otherRobots.ts';
import { type Palette, timeColor } from './stage/palette.ts';
import { RobotFigure } from './stage/robotFigure.ts';
import { boxesAround, cloud, line, path, type Stage } from './stage/stage.ts';

/** Number of poses drawn along a motion, and of points of its tool path. */
const GHOSTS = 7;
const PATH_POINTS = 160;
/** Least number of points of one segment of a program. */
const SEGMENT_POINTS = 24;

/** Distance of a click from a point of a cloud that selects it, metres. */
const CLOUD_REACH = 0.01;

/** A part of the tool path in one colour: seconds, or waypoints for a path. */
export interface PathPart {
  readonly from: number;
  readonly to: number;
  readonly color: Color;
}

/**
 * Returns the parts of the tool path: the segments of a program, each in its colour, or the whole.
 * @param others indices of the steps whose paths are drawn otherwise
 */
export function pathParts(
  { segments = [] }: Pick<Trajectory, 'segments'>,
  { start, end }: Replay,
  { path: whole, series }: Palette,
  others: ReadonlySet<number> = new Set(),
): PathPart[] {
  if (segments.length === 0) return [{ from: start, to: end, color: whole }];
  return segments.flatMap(({ from, to, step }, i) =>
    others.has(step) ? [] : [{ from, to, color: series[i % series.length] }],
  );
}

/** All objects of one problem on the stage. */
export class Contents {
  readonly root = new Group();
  readonly robot: RobotFigure;
  objects: ObjectFigures;
  readonly others: OtherRobots;
  private readonly constraints: ConstraintFigures;
  private problem: PageData['problem'];
  private readonly ghosts = new Group();
  private readonly ends = new Group();
  /** Axes of the goal poses of the scene that are shown, by the number of the goal. */
  private readonly goalAxes = new Map<number, Object3D>();
  private readonly trees = new Group();
  private readonly extras = new Group();
  private readonly toolPaths = new Group();
  /** The same path in the colours of time. */
  private readonly timePaths = new Group();
  /** Tool paths of the scene, colored by status. */
  private readonly spanPaths = new Group();
  /** Tool frame that the user moves. */
  readonly handle = new Group().add(new AxesHelper(0.12));
  private preview: RobotFigure | undefined;
  private toolProbe: RobotFigure | undefined;
  private clearanceLines: Line[] = [];
  /** Labels of the minimum distances. */
  private readonly labels = new Map<string, string>();
  /** Midpoints of the lines between witness points, and their labels. */
  nearest: readonly { readonly at: Vector3; readonly text: string }[] = [];

  constructor(
    private readonly stage: Stage,
    { problem, visuals = [], settling }: PageData,
    private readonly model: RobotModel,
    private readonly palette: Palette,
    private readonly isShown: (layer: Layer) => boolean,
  ) {
    this.problem = problem;
    const { scene } = problem;
    this.robot = new RobotFigure(model, { ...scene, attached: [] }, palette);
    this.robot.dress(visuals, palette);
    this.objects = new ObjectFigures(this.root, this.robot, scene, palette, settling !== undefined);
    this.others = new OtherRobots(scene.robots ?? [], palette);
    this.constraints = new ConstraintFigures(this.robot, model, scene.tcp, palette);
    this.root.add(this.robot, this.others, this.constraints, this.ghosts, this.ends, this.trees);
    this.root.add(this.extras, this.toolPaths, this.timePaths, this.spanPaths, this.handle);
    this.handle.visible = false;
    stage.scene.add(this.root);
    stage.scene.onBeforeRender = () => this.objects.merge();
    this.show();
  }

  /** Shows the obstacles of an edited scene. */
  setScene(problem: PageData['problem']): void {
    this.stage.release([...this.objects.all(), ...this.goalAxes.values(), ...this.constraints.children]);
    this.constraints.forget();
    for (const figure of this.objects.all()) figure.removeFromParent();
    this.objects.release();
    this.problem = problem;
    this.objects = new ObjectFigures(this.root, this.robot, problem.scene, this.palette, false);
  }

  /** Bounded obstacles, which the camera shows besides the robot, and other robots. */
  get finite(): Object3D[] {
    return [...this.objects.finite(this.problem.scene.obstacles), ...(this.others.size > 0 ? [this.others] : [])];
  }

  /** Returns the name of the obstacle that a ray meets first; undefined if it meets none, or a robot before it. */
  obstacleAt(ray: Raycaster): string | undefined {
    const obstacles = this.objects.finite(this.problem.scene.obstacles).filter(({ visible }) => visible);
    ray.params.Points.threshold = CLOUD_REACH;
    const [first] = ray.intersectObjects([this.robot, this.others, ...obstacles]);
    let met: Object3D | null = first?.object ?? null;
    while (met && !obstacles.includes(met)) met = met.parent;
    return met?.name;
  }

  /** Returns the axes of a goal pose, or the figure of a constraint of the scene, if it is on the stage. */
  frameFigure(kind: 'goals' | 'constraints', index: number): Object3D | undefined {
    if (kind === 'goals') return this.goalAxes.get(index);
    const given = this.problem.scene.constraints?.[index];
    return given && this.constraints.figureOf(given);
  }

  /** Returns the number of the goal pose whose axes a ray meets; undefined if it meets none. */
  goalAt(ray: Raycaster): number | undefined {
    ray.params.Line.threshold = CLOUD_REACH;
    return [...this.goalAxes].find(([, axes]) => this.ends.visible && ray.intersectObject(axes).length > 0)?.[0];
  }

  /** Objects that fall in a simulation. */
  get falling(): Object3D[] {
    const { obstacles } = this.problem.scene;
    return this.objects.finite(obstacles.filter(({ free }) => free !== undefined));
  }

  /** Shows the robot in a state and all else at a time, and clears the collision results of the previous state. */
  pose(q: Configuration, replay: Replay, time: number): void {
    this.robot.pose(q, replay.robotAt(time));
    const scene = replay.sceneAt(time);
    this.objects.arrange(scene);
    this.objects.move(scene.obstacles, time);
    this.others.pose(replay, time);
    this.constraints.pose(replay.constraintsAt(time));
    this.setClearance(undefined);
    this.show();
  }

  /**
   * Colours objects in collision and violated constraints red, and draws lines between the witness points of the
   * minimum distances to obstacles and to itself.
   * @param isDue whether the labels of the distances change, too
   */
  judge({ collisions, clearance, constraints }: StateAnswer, isDue = true): void {
    const hit = new Set(collisions.flat());
    for (const shown of [this.robot, this.others, this.objects]) shown.paint(hit, this.palette.collision);
    this.constraints.judge(constraints);
    if (isDue) this.labels.clear();
    this.setClearance(hit.size === 0 ? clearance : undefined);
    this.show();
  }

  /** Marks links until the next state is judged. */
  mark(links: readonly string[]): void {
    this.robot.paint(new Set(links), this.palette.goal);
    this.stage.invalidate();
  }

  private setClearance(clearance: SplitClearance | undefined): void {
    for (const old of this.clearanceLines) {
      this.extras.remove(old);
      old.geometry.dispose();
    }
    const found = (['obstacles', 'itself'] as const).flatMap((kind) => {
      const { points, distance } = clearance?.[kind] ?? {};
      if (!points || distance === undefined) return [];
      const [a, b] = points.map(([x, y, z]) => new Vector3(x, y, z));
      const text = this.labels.get(kind) ?? `${(1000 * distance).toFixed(1)} mm`;
      this.labels.set(kind, text);
      return [{ drawn: line([a, b], this.palette.clearance, true), at: a.add(b).multiplyScalar(0.5), text }];
    });
    this.clearanceLines = found.map(({ drawn }) => drawn);
    this.nearest = found;
    if (found.length > 0) this.extras.add(...this.clearanceLines);
  }

  /** Returns the pose of the tool center point at a goal pose; undefined if it moves against the link of the goal. */
  toolPoseAtGoal(goal: PoseGoal): Pose | undefined {
    const pose = goalPoseIn(goal, this.problem.scene);
    if (goal.link === undefined) return pose;
    this.toolProbe ??= this.probe();
    return this.toolProbe.toolPoseAt(goal.link, pose);
  }

  /** Returns the pose of the tool center point in a configuration; undefined if it is ambiguous. */
  toolPoseOf(q: Configuration): Pose | undefined {
    this.toolProbe ??= this.probe();
    this.toolProbe.pose(q);
    return this.toolProbe.toolPose();
  }

  /** Shows a configuration that the user can choose as a transparent robot; undefined removes it. */
  setPreview(q: readonly number[] | undefined, collides = false): void {
    if (q) {
      this.preview ??= this.ghost(Float64Array.from(q), this.palette.path, 0.3);
      this.root.add(this.preview);
      this.preview.pose(Float64Array.from(q));
      const names = [...this.model.links, ...this.problem.scene.attached].map(({ name }) => name);
      this.preview.paint(new Set(collides ? names : []), this.palette.collision);
    } else {
      this.preview?.removeFromParent();
      this.preview?.release();
      this.preview = undefined;
    }
    this.stage.invalidate();
  }

  /** Shows start and goal as transparent robots, and goal poses as axes. */
  setEnds(start: Configuration | undefined, goal: Configuration | undefined, scene = this.problem.scene): void {
    this.empty(this.ends);
    this.goalAxes.clear();
    for (const [i, one] of goal === undefined ? scene.goals.entries() : []) {
      if (one.kind !== 'pose') continue;
      const frame = goalFrame(one.pose, scene, this.palette.goal);
      this.ends.add(frame);
      this.goalAxes.set(i, frame.children[0]);
    }
    for (const [q, color] of [
      [start, this.palette.start],
      [goal, this.palette.goal],
    ] as const) {
      if (q) this.ends.add(this.ghost(q, color, 0.22));
    }
    this.show();
  }

  /**
   * Shows the tool path and poses along a motion; undefined removes them.
   * @param parts of the path, in their colours
   */
  setMotion(replay: Replay | undefined, parts: readonly PathPart[] = []): void {
    this.empty(this.ghosts);
    this.toolPaths.clear();
    this.timePaths.clear();
    if (replay) this.drawMotion(replay, parts);
    this.show();
  }

  private drawMotion(replay: Replay, parts: readonly PathPart[]): void {
    const q = new Float64Array(this.model.dof);
    const probe = this.probe();
    const span = replay.end - replay.start || 1;
    for (const { from, to, color } of parts) {
      const count = Math.max(SEGMENT_POINTS, Math.ceil((PATH_POINTS * (to - from)) / span));
      const at = (i: number) => from + ((to - from) * i) / (count - 1);
      const points = Array.from({ length: count }, (_, i) => {
        replay.position(q, at(i));
        probe.pose(q);
        return probe.toolPoint();
      });
      this.toolPaths.add(path(points, color));
      const share = (i: number) => (at(i) - replay.start) / span;
      this.timePaths.add(
        path(
          points,
          Array.from(points, (_, i) => timeColor(this.palette, share(i))),
        ),
      );
    }
    probe.release();
    for (let i = 0; i < this.others.size; i++) this.drawOther(replay, i);
    for (let i = 1; i < GHOSTS - 1; i++) {
      const time = replay.start + (replay.end - replay.start) * (i / (GHOSTS - 1));
      replay.position(q, time);
      this.ghosts.add(this.ghost(q, this.palette.path, 0.16, replay.sceneAt(time).attached, replay.robotAt(time)));
    }
  }

  /** Draws tool paths: green where they are reachable, yellow where slow, red where blocked; none removes them. */
  setSpans(lines: readonly PathLine[]): void {
    const { start, goal, collision } = this.palette;
    const colors = { reachable: start, slow: goal, blocked: collision };
    this.spanPaths.clear();
    for (const { status, points } of lines) {
      const vertices = Array.from({ length: points.length / 3 }, (_, k) => new Vector3().fromArray(points, 3 * k));
      if (vertices.length > 1) this.spanPaths.add(path(vertices, colors[status]));
    }
    this.show();
  }

  /** Draws the tool path of another robot. */
  private drawOther(replay: Replay, index: number): void {
    const points = Array.from({ length: PATH_POINTS }, (_, i) => {
      this.others.pose(replay, replay.start + ((replay.end - replay.start) * i) / (PATH_POINTS - 1));
      return this.others.toolPoint(index);
    });
    for (const paths of [this.toolPaths, this.timePaths]) paths.add(path(points, this.palette.otherLinks[1]));
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

  private ghost(
    q: Configuration,
    color: Palette['path'],
    opacity: number,
    attached = this.problem.scene.attached,
    model = this.model,
  ): RobotFigure {
    const tinted = { ...this.palette, links: [color], attached: color };
    const figure = new RobotFigure(this.model, { ...this.problem.scene, attached }, tinted, opacity);
    figure.pose(q, model);
    return figure;
  }

  /** Shows or hides each layer as selected. */
  show(): void {
    const { isShown, stage } = this;
    this.robot.showBodies(isShown('bodies'));
    this.robot.showLooks(isShown('visuals'));
    this.robot.showFrames(isShown('frames'));
    this.others.showBodies(isShown('bodies'));
    this.objects.show({
      obstacles: isShown('obstacles'),
      attached: isShown('bodies'),
      seeThrough: isShown('seeThrough'),
    });
    this.constraints.visible = isShown('constraints');
    this.ends.visible = isShown('ends');
    this.trees.visible = isShown('trees');
    this.ghosts.visible = isShown('ghosts');
    const isTimed = isShown('timeColors');
    this.toolPaths.visible = isShown('toolPath') && !isTimed;
    this.timePaths.visible = isShown('toolPath') && isTimed;
    this.spanPaths.visible = this.toolPaths.visible;
    for (const drawn of this.clearanceLines) drawn.visible = isShown('clearance');
    stage.grid.visible = isShown('grid');
    this.drawBoxes();
    stage.invalidate();
  }

  private drawBoxes(): void {
    for (const child of this.extras.children.filter((each) => each.name === 'boxes')) this.extras.remove(child);
    if (!this.isShown('boxes')) return;
    this.root.updateMatrixWorld(true);
    const bodies = [...this.robot.bodies(), ...this.objects.all()];
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
    this.stage.release([...this.objects.all(), this.handle]);
    this.stage.scene.remove(this.root);
    this.empty(this.ghosts);
    this.empty(this.ends);
    this.preview?.release();
    this.toolProbe?.release();
    this.robot.release();
    this.objects.release();
    this.others.release();
    this.constraints.release();
  }
}
