import {
  type Configuration,
  forwardKinematics,
  framePose,
  InputError,
  type Pose,
  type RobotModel,
  RobotState,
  type Scene,
  tcpOf,
} from 'elbowroom';
import type { LinkFrame, Visual } from 'elbowroom/types';
import {
  AxesHelper,
  Color,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SRGBColorSpace,
  Vector3,
} from 'three';
import { bodyGeometry, triangleGeometry } from './bodyGeometry.ts';
import { Figure, place, setMatrix } from './figure.ts';
import type { Palette } from './palette.ts';

/** Values of all joints (rad, m) in which frames without a joint between them have the same relative pose. */
const RIGID_STATES = [0, 0.3];
/** Largest difference of elements of such poses: rounding; metres for positions. */
const RIGID = 1e-9;

/** Robot on the stage with its attached objects, posed by the forward kinematics of the library. */
export class RobotFigure extends Group {
  /** One group per link, in the order of the model; attached objects are children of their link. */
  private readonly frames: readonly Group[];
  private readonly figures = new Map<string, Figure>();
  private readonly axes: readonly AxesHelper[];
  /** Tool center point; undefined if it is ambiguous. */
  private readonly tcp: LinkFrame | undefined;
  /** Axes of the tool center point, if the scene states one; not of transparent robots. */
  private readonly tcpAxes: AxesHelper | undefined;
  private readonly visualGroups: Group[] = [];
  private state: RobotState;
  /** The links without planes: what the first camera fits. */
  readonly finite: readonly Group[];

  constructor(
    readonly model: RobotModel,
    scene: Pick<Scene, 'attached' | 'tcp'>,
    palette: Palette,
    opacity = 1,
  ) {
    super();
    this.state = new RobotState(model);
    this.frames = model.links.map(() => new Group());
    this.finite = this.frames.filter((_, i) => {
      const { collisions = [] } = model.description.links.find(({ name }) => name === model.links[i].name) ?? {};
      return collisions.every(({ shape }) => shape.type !== 'halfspace');
    });
    for (const [i, { name }] of model.links.entries()) {
      const link = model.description.links.find((described) => described.name === name);
      this.frames[i].matrixAutoUpdate = false;
      this.add(this.frames[i]);
      const parts = (link?.collisions ?? []).map(({ shape, pose }) => ({ shape, at: pose }));
      if (parts.length > 0) this.hang(new Figure(name, parts, palette.links[i % palette.links.length], opacity), i);
    }
    for (const body of scene.attached) {
      const figure = new Figure(body.name, body.parts, palette.attached, opacity);
      place(figure, body.pose);
      this.hang(
        figure,
        model.links.findIndex((link) => link.name === body.link),
      );
    }
    this.axes = this.frames.map(() => new AxesHelper(0.12));
    for (const [i, axes] of this.axes.entries()) this.frames[i].add(axes);
    this.tcp = tcpIfUnique(model, scene);
    if (this.tcp && scene.tcp && opacity === 1) {
      this.tcpAxes = new AxesHelper(0.08);
      const placed = new Group().add(this.tcpAxes);
      place(placed, scene.tcp.pose);
      this.frames[this.tcp.link].add(placed);
    }
    this.showFrames(false);
  }

  /** Adds the visual geometry. */
  dress(visuals: readonly Visual[], palette: Palette): void {
    for (const { link, pose, shape, triangles, color } of visuals) {
      const frame = this.frames[this.model.links.findIndex(({ name }) => name === link)];
      const geometry = triangles === undefined ? shape && bodyGeometry(shape) : triangleGeometry(triangles);
      if (!frame || !geometry) continue;
      const shown = color ? new Color().setRGB(...color, SRGBColorSpace) : palette.visual;
      const visual = new Mesh(geometry, new MeshStandardMaterial({ color: shown, roughness: 0.6 }));
      const placed = new Group().add(visual);
      place(placed, pose);
      frame.add(placed);
      this.visualGroups.push(placed);
    }
  }

  showLooks(shown: boolean): void {
    for (const visual of this.visualGroups) visual.visible = shown;
    // If both are shown, the collision geometry is transparent, so that the visual geometry inside is visible.
    for (const figure of this.figures.values()) figure.fade(shown && this.visualGroups.length > 0);
  }

  /** Makes an object a child of a link. */
  hold(figure: Figure, link: string): void {
    this.frames[this.model.links.findIndex(({ name }) => name === link)].add(figure);
  }

  private hang(figure: Figure, link: number): void {
    this.frames[link].add(figure);
    this.figures.set(figure.name, figure);
  }

  /** @param model the same robot, if joints that are not planned have other values */
  pose(q: Configuration, model = this.model): void {
    if (model !== this.state.model) this.state = new RobotState(model);
    forwardKinematics(this.state, q);
    for (const [i, frame] of this.frames.entries()) {
      setMatrix(frame.matrix, this.state.T_world_link[i]);
      frame.matrixWorldNeedsUpdate = true;
    }
  }

  /**
   * Returns the position of the tool center point after the last `pose`; if it is ambiguous, the origin of the link
   * that is deepest in the kinematic tree.
   */
  toolPoint(): Vector3 {
    if (this.tcp) return new Vector3(...framePose(this.state, this.tcp).xyz);
    const T = this.state.T_world_link[this.model.links.length - 1];
    return new Vector3(T[3], T[7], T[11]);
  }

  /** Returns the pose of the tool center point after the last `pose`; undefined if it is ambiguous. */
  toolPose(): Pose | undefined {
    return this.tcp && framePose(this.state, this.tcp);
  }

  /**
   * Returns the pose of the tool center point where a link has this pose; undefined if a joint moves one against the
   * other, or if the point is ambiguous. Poses the robot.
   */
  toolPoseAt(link: string, pose: Pose): Pose | undefined {
    const index = this.model.links.findIndex(({ name }) => name === link);
    if (index < 0 || !this.tcp) return undefined;
    const [T_link_tool, other] = RIGID_STATES.map((value) => {
      this.pose(new Float64Array(this.model.dof).fill(value));
      return this.frames[index].matrix.clone().invert().multiply(matrixOf(this.toolPose()!));
    });
    if (T_link_tool.elements.some((value, i) => Math.abs(value - other.elements[i]) > RIGID)) return undefined;
    const [position, quaternion] = [new Vector3(), new Quaternion()];
    matrixOf(pose).multiply(T_link_tool).decompose(position, quaternion, new Vector3());
    const { w, x, y, z } = quaternion;
    return { xyz: position.toArray(), quat_wxyz: [w, x, y, z] };
  }

  /** Returns the pose of a frame in the world after the last `pose`. */
  poseOf(frame: LinkFrame): Pose {
    return framePose(this.state, frame);
  }

  /** Colours the links and objects with these names. @param prefix of the names of its links in the scene */
  paint(names: ReadonlySet<string>, color: Color, prefix = ''): void {
    for (const [name, figure] of this.figures) figure.paint(names.has(prefix + name) ? color : undefined);
  }

  bodies(): Iterable<Figure> {
    return this.figures.values();
  }

  showFrames(shown: boolean): void {
    for (const axes of this.axes) axes.visible = shown;
  }

  showBodies(shown: boolean): void {
    for (const figure of this.figures.values()) figure.visible = shown;
  }

  release(): void {
    for (const figure of this.figures.values()) figure.release();
    for (const axes of this.axes) axes.dispose();
    this.tcpAxes?.dispose();
  }
}

function matrixOf({ xyz, quat_wxyz: [w, x, y, z] }: Pose): Matrix4 {
  return new Matrix4().compose(new Vector3(...xyz), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

/** Returns the tool center point of the scene; undefined if none is stated and the robot has several ends. */
function tcpIfUnique(model: RobotModel, { tcp }: Pick<Scene, 'tcp'>): LinkFrame | undefined {
  try {
    return tcpOf(model, tcp);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
