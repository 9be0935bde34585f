import {
  type Certificate,
  type Configuration,
  configurationOf,
  createSceneRobot,
  type PageData,
  type RobotModel,
  type Trajectory,
  TrajectoryCurve,
} from 'elbowroom';
import { type Address, readAddress, writeAddress } from './address.ts';
import { Contents } from './contents.ts';
import { element, section } from './dom.ts';
import { Engine, latest } from './engine.ts';
import { JointPanel } from './jointPanel.ts';
import { MotionPlayer } from './motionPlayer.ts';
import { MotionReport } from './motionReport.ts';
import { ObstaclePanel } from './obstaclePanel.ts';
import type { Palette } from './palette.ts';
import { PlanPanel } from './planPanel.ts';

import { ShowPanel } from './showPanel.ts';
import { Stage } from './stage.ts';
import { Tags } from './tags.ts';
import { VerdictPanel } from './verdictPanel.ts';

type Problem = PageData['problem'];

/** View of one problem: its stage, its panels, and its worker thread. */
export class View {
  private readonly engine = new Engine();
  private readonly stage: Stage;
  private readonly contents: Contents;
  private readonly model: RobotModel;
  private readonly joints: JointPanel;
  private readonly player = new MotionPlayer((time) => this.showTime(time));
  private readonly plan = new PlanPanel({ onPlan: () => void this.planMotion(), onEnd: (end) => this.setEnd(end) });
  private readonly verdict = new VerdictPanel();
  private readonly layers = new ShowPanel(() => this.contents.show());
  private readonly report: MotionReport;
  private readonly motionSection: HTMLDetailsElement;
  private readonly judge: (q: Configuration) => void;
  private problem: Problem;
  private curve: TrajectoryCurve | undefined;
  /** Positions of obstacles that the user has moved, metres. */
  private readonly moved: Record<string, readonly [number, number, number]> = {};
  /** Start and goal that the user has set instead of those of the scene. */
  private ends: { start?: readonly number[]; goal?: readonly number[] } = {};

  constructor(
    page: HTMLElement,
    private readonly data: PageData,
    palette: Palette,
  ) {
    this.problem = data.problem;
    this.model = createSceneRobot(this.problem);
    this.report = new MotionReport(this.engine, this.model, (time) => this.player.seek(time));
    this.motionSection = section('Motion', false, this.report.root);
    this.joints = new JointPanel(this.model, (q) => this.moveTo(q));
    const frame = element('div', { class: 'stage' });
    page.replaceChildren(frame, this.player.root, this.sidePanel());
    this.stage = new Stage(frame, palette);
    this.contents = new Contents(this.stage, data, this.model, palette, (layer) => this.layers.isShown(layer));
    new Tags(frame, this.stage, this.contents, (layer) => this.layers.isShown(layer));
    frame.append(this.verdict.root);
    this.judge = latest(async (q: Configuration) => {
      const answer = await this.engine.ask('state', [...q]);
      this.verdict.show(answer);
      this.contents.judge(answer.collisions, answer.nearest);
    });
    void this.engine.ask('open', this.problem);
    this.begin(readAddress());
  }

  private sidePanel(): HTMLElement {
    const { scene } = this.problem;
    const obstacles = new ObstaclePanel(scene.obstacles, {
      onMove: (name, xyz) => this.moveObstacle(name, xyz),
      onChoose: (name) => this.chooseObstacle(name, obstacles),
    });
    return element(
      'aside',
      { class: 'side' },
      element('header', {}, this.title(), element('p', {}, scene.description ?? this.problem.robot.name)),
      ...(this.data.failure ? [element('p', { class: 'failure', role: 'alert' }, this.data.failure)] : []),
      section('Joints', true, this.joints.root),
      section('Plan', true, this.plan.root),
      this.motionSection,
      section('Obstacles', false, obstacles.root),
      section('Show', false, this.layers.root),
    );
  }

  /** Returns the heading: the name of the scene, or a selection if there are several. */
  private title(): HTMLElement {
    const { title, scenes = [] } = this.data;
    if (scenes.length < 2) return element('h1', {}, title);
    const choice = element('select', {
      'aria-label': 'Scene',
      onchange: () => {
        writeAddress({ scene: choice.value });
        location.reload();
      },
    });
    for (const name of scenes) choice.append(element('option', { value: name, selected: name === title }, name));
    return element('h1', {}, choice);
  }

  /** Shows the initial view: the motion of the page data if there is one, or else the start of the scene. */
  private begin(address: Address): void {
    const dof = this.model.dof;
    if (address.start?.length === dof) this.ends.start = address.start;
    if (address.goal?.length === dof) this.ends.goal = address.goal;
    this.plan.choose(address);
    for (const [name, xyz] of Object.entries(address.moved ?? {})) {
      if (this.contents.obstacles.has(name)) this.moveObstacle(name, xyz);
    }
    const nearZero = ({ limits }: RobotModel['variables'][number]) => Math.min(limits.upper, Math.max(limits.lower, 0));
    const first = this.endOf('start') ?? Float64Array.from(this.model.variables, nearZero);
    this.contents.robot.pose(first);
    this.contents.setEnds(this.endOf('start'), this.endOf('goal'));
    this.stage.frame(this.contents.robot, this.contents.finite);
    this.moveTo(first);
    const { trajectory, certificate, stats, failure } = this.data;
    if (stats && !address.plan) this.plan.choose(stats);
    if (trajectory !== undefined && !address.plan) {
      this.openMotion(trajectory, certificate, stats);
    } else if (address.plan) void this.planMotion();
    else if (failure !== undefined) void this.explain(stats?.iterations);
  }

  /**
   * Returns the joint values of the start or goal: set by the user, or those of the scene; undefined for a pose goal.
   */
  private endOf(end: 'start' | 'goal'): Configuration | undefined {
    const own = this.ends[end];
    if (own) return Float64Array.from(own);
    const { scene } = this.problem;
    const goal = scene.goals[0];
    const given = end === 'start' ? scene.start : goal?.kind === 'joints' ? goal.joints : undefined;
    return given === undefined ? undefined : configurationOf(this.model, given, end);
  }

  private setEnd(end: 'start' | 'goal'): void {
    this.ends[end] = [...this.joints.q];
    this.contents.setEnds(this.endOf('start'), this.endOf('goal'));
    this.keepAddress(false);
  }

  /** Shows a state at once; its collision check follows asynchronously. */
  private moveTo(q: Configuration): void {
    this.player.stop();
    this.joints.show(q);
    this.contents.pose(q);
    this.judge(Float64Array.from(q));
  }

  private showTime(time: number): void {
    if (!this.curve) return;
    const q = this.joints.q;
    this.curve.position(q, time);
    this.joints.show(q);
    this.contents.pose(q);
    this.judge(Float64Array.from(q));
    this.report.showTime(time);
  }

  private async planMotion(): Promise<void> {
    const { seed, planner } = this.plan.choice;
    this.plan.busy(true);
    try {
      const answer = await this.engine.ask('plan', {
        start: this.ends.start,
        goal: this.ends.goal,
        options: { seed, planner },
      });
      this.plan.status.textContent = answer.trajectory ? 'Solved and certified.' : answer.reason;
      if (answer.trajectory) {
        this.openMotion(answer.trajectory, answer.certificate, answer.stats);
        this.keepAddress(true);
      } else {
        this.closeMotion();
        await this.explain(answer.stats.iterations);
      }
    } catch (error) {
      this.plan.status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      this.plan.busy(false);
    }
  }

  /** Explains why no path was found within these iterations: as text, and by the trees of the search on the stage. */
  private async explain(iterations: number | undefined): Promise<void> {
    const { seed, planner } = this.plan.choice;
    this.motionSection.open = true;
    this.report.say('Searching for obstacles that block the path …');
    const { start, goal } = this.ends;
    this.layers.show('seeThrough', true);
    const { status, lines, trees } = await this.engine.ask('explain', {
      start,
      goal,
      options: { seed, planner, iterations },
    });
    this.contents.setTrees(trees);
    const shown = this.endOf(status.startsWith('goal') ? 'goal' : 'start');
    if (shown) this.moveTo(shown);
    this.report.explain(lines);
  }

  private keepAddress(plan: boolean): void {
    writeAddress({ scene: this.problem.scene.name, ...this.plan.choice, ...this.ends, plan, moved: this.moved });
  }

  private openMotion(trajectory: Trajectory, certificate: Certificate | undefined, stats: PageData['stats']): void {
    const curve = new TrajectoryCurve(trajectory);
    this.curve = curve;
    this.contents.setTrees(undefined);
    this.contents.setMotion((q, share) => curve.position(q, curve.start + share * (curve.end - curve.start)));
    this.motionSection.open = true;
    this.report.show(trajectory, certificate, stats);
    this.player.open(curve.end, trajectory.points[0].time_from_start === undefined ? 'waypoints' : 's');
  }

  private closeMotion(): void {
    this.curve = undefined;
    this.player.close();
    this.contents.setMotion(undefined);
    this.report.clear();
  }

  /** Moves an obstacle and discards a motion that was planned in the previous scene. */
  private moveObstacle(name: string, xyz: readonly [number, number, number]): void {
    const { scene, robot } = this.problem;
    const obstacles = scene.obstacles.map((each) =>
      each.name === name ? { ...each, pose: { ...each.pose, xyz } } : each,
    );
    this.problem = { robot, scene: { ...scene, obstacles } };
    this.moved[name] = xyz;
    this.contents.obstacles.get(name)?.position.set(...xyz);
    void this.engine.ask('open', this.problem);
    if (this.curve) this.closeMotion();
    this.moveTo(this.joints.q);
  }

  private chooseObstacle(name: string | undefined, panel: ObstaclePanel): void {
    const { stage } = this;
    const figure = name === undefined ? undefined : this.contents.obstacles.get(name);
    if (figure) stage.handles.attach(figure);
    else stage.handles.detach();
    stage.onDrag = () => {
      if (!figure) return;
      const { x, y, z } = figure.position;
      panel.show(figure.name, [x, y, z]);
      this.moveObstacle(figure.name, [x, y, z]);
    };
    stage.invalidate();
  }
}
