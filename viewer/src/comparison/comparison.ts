import type { PageData, RobotModel } from 'elbowroom';
import type { Engine } from '../engine/engine.ts';
import type { Palette } from '../stage/palette.ts';
import { RobotFigure } from '../stage/robotFigure.ts';
import type { Stage } from '../stage/stage.ts';
import { type GivenPlan, type KeptPlan, keepPlan } from './keptPlan.ts';
import { Overlays } from './overlays.ts';
import { PlansPanel } from './plansPanel.ts';

/** Plans that are kept; the oldest that is not open is removed for another one. One colour each. */
const MOST = 8;

export interface ComparisonOptions {
  readonly engine: Engine;
  readonly stage: Stage;
  readonly model: RobotModel;
  readonly palette: Palette;
  readonly problem: () => PageData['problem'];
  /** Called with the plan that the user opens. */
  readonly onOpen: (plan: KeptPlan) => void;
  /** Called when the user selects a time. */
  readonly onChoose: (time: number) => void;
}

/** Keeps the plans of a scene, draws them beside the open one, and compares their figures. */
export class Comparison {
  private plans: KeptPlan[] = [];
  private open: KeptPlan | undefined;
  private readonly overlays: Overlays;
  private readonly panel: PlansPanel;
  private time = 0;

  constructor(private readonly options: ComparisonOptions) {
    const { model, palette, stage, onOpen, onChoose } = options;
    this.overlays = new Overlays(model, palette);
    stage.scene.add(this.overlays);
    this.panel = new PlansPanel({
      onOpen,
      onChoose,
      onDraw: () => this.draw(),
      onRemove: (plan) => {
        this.plans = this.plans.filter((one) => one !== plan);
        this.draw();
      },
    });
  }

  get root(): HTMLElement {
    return this.panel.root;
  }

  get size(): number {
    return this.plans.length;
  }

  /** Keeps a plan, unless it is kept already. */
  add(given: GivenPlan): KeptPlan {
    const { model, palette, problem } = this.options;
    const { scene } = problem();
    const probe = new RobotFigure(model, { ...scene, attached: [] }, palette);
    const used = new Set(this.plans.map(({ color }) => color));
    if (this.plans.length >= MOST) {
      const oldest = this.plans.find((one) => one !== this.open)!;
      this.plans = this.plans.filter((one) => one !== oldest);
      used.delete(oldest.color);
    }
    const color = [...Array(MOST).keys()].find((index) => !used.has(index))!;
    const plan = keepPlan(given, problem(), probe, color);
    probe.release();
    const known = this.plans.find(({ hash }) => hash === plan.hash);
    if (known) return known;
    this.plans.push(plan);
    plan.measured = this.options.engine.ask('clearance', given.trajectory);
    void this.measure(plan);
    this.draw();
    return plan;
  }

  /** Shows a plan as the open one. */
  show(plan: KeptPlan): void {
    this.open = plan;
    this.draw();
  }

  /** Shows that no plan is open. */
  close(): void {
    this.open = undefined;
    this.draw();
  }

  /** Removes all plans: those of a scene that has been changed. */
  clear(): void {
    this.plans = [];
    this.close();
  }

  showTime(time: number): void {
    this.time = time;
    this.overlays.pose(time);
    this.panel.showTime(time);
  }

  /** Computes the clearance of a plan, and verifies its certificate. */
  private async measure(plan: KeptPlan): Promise<void> {
    plan.clearance = await plan.measured.catch(() => undefined);
    this.list();
    for (const other of this.plans) if (other.proof.startsWith('verifying')) await this.verify(other);
  }

  private async verify(plan: KeptPlan): Promise<void> {
    const { certificate, trajectory } = plan;
    if (!certificate || this.plans.length < 2) return;
    try {
      const { proved } = await this.options.engine.ask('verify', { certificate, trajectory });
      plan.proof = proved ? 'proved' : 'not proved';
    } catch {
      plan.proof = 'not proved';
    }
    this.list();
  }

  private list(): void {
    this.panel.show(this.plans, this.open);
    this.panel.showTime(this.time);
  }

  private draw(): void {
    const others = this.plans.filter((plan) => plan !== this.open && plan.isOverlaid);
    this.overlays.set(this.open ? others : [], this.options.problem().scene);
    this.overlays.pose(this.time);
    this.list();
    this.options.stage.invalidate();
  }
}
