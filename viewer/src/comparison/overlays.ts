import type { RobotModel, Scene } from 'elbowroom';
import { Group } from 'three';
import type { Palette } from '../stage/palette.ts';
import { RobotFigure } from '../stage/robotFigure.ts';
import { path } from '../stage/stage.ts';
import type { KeptPlan } from './keptPlan.ts';

const OPACITY = 0.3;
const POINTS = 160;

/** Plans beside the open one: the path of the tool center point, and the robot as a transparent figure. */
export class Overlays extends Group {
  private figures: { readonly plan: KeptPlan; readonly figure: RobotFigure }[] = [];

  constructor(
    private readonly model: RobotModel,
    private readonly palette: Palette,
  ) {
    super();
  }

  /** Draws these plans instead of the previous ones. */
  set(plans: readonly KeptPlan[], scene: Pick<Scene, 'attached' | 'tcp'>): void {
    this.release();
    this.figures = plans.map((plan) => {
      const color = this.palette.series[plan.color];
      const tinted = { ...this.palette, links: [color], attached: color };
      const figure = new RobotFigure(this.model, scene, tinted, OPACITY);
      const q = new Float64Array(this.model.dof);
      const { start, end } = plan.replay;
      const points = Array.from({ length: POINTS }, (_, i) => {
        plan.replay.position(q, start + ((end - start) * i) / (POINTS - 1));
        figure.pose(q);
        return figure.toolPoint();
      });
      this.add(path(points, color), figure);
      return { plan, figure };
    });
  }

  /** Poses the figures at a time; a plan that has ended rests at its end. */
  pose(time: number): void {
    const q = new Float64Array(this.model.dof);
    for (const { plan, figure } of this.figures) {
      plan.replay.position(q, Math.min(time, plan.replay.end));
      figure.pose(q, plan.replay.robotAt(time));
    }
  }

  release(): void {
    for (const { figure } of this.figures) figure.release();
    this.figures = [];
    this.clear();
  }
}
