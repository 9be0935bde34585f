import type { Obstacle, Scene } from 'elbowroom';
import type { Color, Group, Object3D } from 'three';
import { placeAt } from '../motion/motionPose.ts';
import { Figure, place } from './figure.ts';
import type { Palette } from './palette.ts';
import { RestingFigures } from './restingFigures.ts';
import type { RobotFigure } from './robotFigure.ts';

/** Opacity of a half-space. */
const GROUND_OPACITY = 0.25;

/**
 * Obstacles and attached objects of a scene. In a program they change: an object that is attached becomes a child of
 * its link, and one that is detached an obstacle.
 */
export class ObjectFigures {
  private readonly obstacles = new Map<string, Figure>();
  private readonly attached = new Map<string, Figure>();
  private carried = new Set<Figure>();
  private arranged: Scene | undefined;
  private readonly resting: readonly RestingFigures[];
  /** Colour of each obstacle; of one that was attached, of its place among all. */
  private readonly colors = new Map<string, Color>();

  constructor(
    private readonly root: Group,
    private readonly robot: RobotFigure,
    scene: Scene,
    private readonly palette: Palette,
    /** True: free objects fall; they have colours of their own, and are shown from their first time on. */
    private readonly isFall: boolean,
  ) {
    let free = 0;
    const tints = palette.obstacles;
    for (const [i, { name }] of [...scene.obstacles, ...scene.attached].entries())
      this.colors.set(name, tints[i % tints.length]);
    for (const { name, parts, free: fallsFreely } of scene.obstacles) {
      const isGround = parts.some(({ shape }) => shape.type === 'halfspace');
      const color = isFall && fallsFreely ? palette.series[free++ % palette.series.length] : this.colors.get(name)!;
      this.obstacles.set(name, new Figure(name, parts, color, isGround ? GROUND_OPACITY : 1));
    }
    for (const { name, parts } of scene.attached) this.attached.set(name, new Figure(name, parts, palette.attached));
    this.arrange(scene);
    const still = scene.obstacles.flatMap(({ name, motion }) => (motion ? [] : (this.obstacles.get(name) ?? [])));
    this.resting = tints.map(
      (color) =>
        new RestingFigures(
          still.filter((figure) => figure.isPlain(color)),
          root,
          color,
        ),
    );
    root.add(...this.resting);
  }

  /** Merges the drawing of obstacles at rest. Called before each frame. */
  merge(): void {
    for (const resting of this.resting) resting.update();
  }

  /** Puts all objects where they are in a scene. */
  arrange(scene: Scene): void {
    if (scene === this.arranged) return;
    this.arranged = scene;
    this.carried = new Set();
    for (const { name, pose } of scene.obstacles) {
      const figure = this.obstacles.get(name) ?? this.attached.get(name);
      if (!figure) continue;
      this.root.add(figure);
      place(figure, pose);
      if (!this.isFall) figure.recolor(this.colors.get(name) ?? this.palette.obstacles[0]);
    }
    for (const { name, pose, link } of scene.attached) {
      const figure = this.attached.get(name) ?? this.obstacles.get(name);
      if (!figure) continue;
      this.robot.hold(figure, link);
      place(figure, pose);
      figure.recolor(this.palette.attached);
      this.carried.add(figure);
    }
  }

  /** Puts moving obstacles where they are at a time. */
  move(obstacles: readonly Obstacle[], time: number): void {
    for (const { name, motion } of obstacles) {
      const figure = motion && this.obstacles.get(name);
      if (!figure) continue;
      placeAt(figure, motion, time);
      figure.isThere = !this.isFall || time >= motion.times[0];
    }
  }

  /** Returns the figure of an obstacle of the scene as it begins. */
  obstacle(name: string): Figure | undefined {
    return this.obstacles.get(name);
  }

  /** All objects. */
  all(): Figure[] {
    return [...this.obstacles.values(), ...this.attached.values()];
  }

  /** Objects that are drawn with bounds. */
  finite(obstacles: readonly Obstacle[]): Object3D[] {
    return obstacles
      .filter(({ parts }) => parts.every(({ shape }) => shape.type !== 'halfspace'))
      .flatMap(({ name }) => this.obstacles.get(name) ?? []);
  }

  paint(names: ReadonlySet<string>, color: Color): void {
    for (const figure of this.all()) figure.paint(names.has(figure.name) ? color : undefined);
  }

  show(shown: { readonly obstacles: boolean; readonly attached: boolean; readonly seeThrough: boolean }): void {
    for (const figure of this.all()) {
      const isCarried = this.carried.has(figure);
      figure.visible = figure.isThere && (isCarried ? shown.attached : shown.obstacles);
      figure.fade(shown.seeThrough && !isCarried);
    }
  }

  release(): void {
    for (const resting of this.resting) resting.release();
    for (const figure of this.all()) figure.release();
  }
}
