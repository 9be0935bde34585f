import { configurationOf, createSceneRobot, type OtherRobot, type Replay, TrajectoryCurve } from 'elbowroom';
import { type Color, Group } from 'three';
import type { Palette } from './palette.ts';
import { RobotFigure } from './robotFigure.ts';

interface Shown {
  readonly name: string;
  readonly figure: RobotFigure;
  readonly curve: TrajectoryCurve | undefined;
  readonly q: Float64Array;
}

/** The other robots of a scene, on their trajectories or schedules. */
export class OtherRobots extends Group {
  private readonly robots: readonly Shown[];

  constructor(given: readonly OtherRobot[], palette: Palette) {
    super();
    this.robots = given.map((other): Shown => {
      const { name, robot, description, trajectory, q } = other;
      const model = createSceneRobot({ scene: { robot }, robot: description });
      const figure = new RobotFigure(model, { attached: [] }, { ...palette, links: palette.otherLinks });
      const state = q === undefined ? new Float64Array(model.dof) : configurationOf(model, q, name);
      figure.pose(state);
      this.add(figure);
      return { name, figure, curve: trajectory && new TrajectoryCurve(trajectory), q: state };
    });
  }

  /** Poses all robots at a time of the replay. */
  pose(replay: Replay, time: number): void {
    for (const [i, { figure, curve, q }] of this.robots.entries()) {
      if (!curve) continue;
      curve.position(q, replay.ownTime(i + 1, time));
      figure.pose(q);
    }
  }

  /** Colours the links of these names, which begin with the name of the robot. */
  paint(names: ReadonlySet<string>, color: Color): void {
    for (const { name, figure } of this.robots) figure.paint(names, color, `${name}/`);
  }

  /** Returns the position of the tool of a robot after the last `pose`. @param index in `robots` of the scene */
  toolPoint(index: number) {
    return this.robots[index].figure.toolPoint();
  }

  get size(): number {
    return this.robots.length;
  }

  showBodies(shown: boolean): void {
    for (const { figure } of this.robots) figure.showBodies(shown);
  }

  release(): void {
    for (const { figure } of this.robots) figure.release();
  }
}
