import {
  type Certificate,
  type Configuration,
  configurationOf,
  hasMoving,
  type PageData,
  Replay,
  type RobotModel,
  type Trajectory,
} from 'elbowroom';
import { type Address, readAddress, writeAddress } from './address.ts';
import { Contents, type PathPart } from './contents.ts';
import { element } from './dom.ts';
import { Engine, latest } from './engine.ts';
import { JointPanel } from './jointPanel.ts';
import { MotionPlayer } from './motionPlayer.ts';
import { MotionReport } from './motionReport.ts';
import { ObstaclePanel } from './obstaclePanel.ts';
import type { Palette } from './palette.ts';
import { PlanPanel } from './planPanel.ts';
import type { StateRequest } from './questions.ts';
import { ShowPanel } from './showPanel.ts';
import { SidePanel } from './sidePanel.ts';
import { Stage } from './stage.ts';
import { Tags } from './tags.ts';
import { Timeline } from './timeline.ts';
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
  private readonly timeline = new Timeline((time) => this.player.seek(time));
  private readonly plan: PlanPanel;
  private readonly verdict = new VerdictPanel();
  private readonly layers = new ShowPanel(() => this.contents.show());
  private readonly report: MotionReport;
  private readonly side: SidePanel;
  private readonly judge: (state: StateRequest) => void;
  private problem: Problem;
  /** The scene over time, with the motion if there is one. */
  private replay: Replay;
  private time = 0;
  /** Positions of obstacles that the user has moved, metres. */
  private readonly moved: Record<string, readonly [number, number, number]> = {};
  /** Start and goal that the user has set instead of those of the scene. */
  private ends: { start?: readonly number[]; goal?: readonly number[] } = {};

  constructor(
    page: HTMLElement,
    private readonly data: PageData,
    private readonly palette: Palette,
  ) {
    this.problem = data.problem;
    this.replay = new Replay(this.problem);
    this.model = this.replay.robot;
    const seek = (time: number) => this.player.seek(time);
    this.report = new MotionReport(this.engine, this.model, seek);
    this.joints = new JointPanel(this.model, (q) => this.moveTo(q));
    const { scene } = this.problem;
    this.plan = new PlanPanel({ scene, onPlan: () => void this.planMotion(), onEnd: (end) => this.setEnd(end) });
    const frame = element('div', { class: 'stage' });
    this.side = new SidePanel(data, {
      joints: this.joints.root,
      plan: this.plan.root,
      motion: this.report.root,
      obstacles: this.obstaclePanel().root,
      layers: this.layers.root,
      onChoose: seek,
    });
    const transport = element('div', { class: 'transport' }, this.timeline.root, this.player.root);
    page.replaceChildren(frame, transport, this.side.root);
    this.stage = new Stage(frame, palette);
    this.contents = new Contents(this.stage, data, this.model, palette, (layer) => this.layers.isShown(layer));
    new Tags(frame, this.stage, this.contents, (layer) => this.layers.isShown(layer));
    frame.append(this.verdict.root);
    this.judge = latest(async (state: StateRequest) => {
      const answer = await this.engine.ask('state', state);
      this.verdict.show(answer);
      this.side.judge(this.replay.constraintsAt(state.time), answer.constraints);
      this.contents.judge(answer);
    });
    this.begin(readAddress());
  }

  /** Lists the obstacles that the user can move: not those with a motion of their own. */
  private obstaclePanel(): ObstaclePanel {
    const still = this.problem.scene.obstacles.filter(({ motion }) => motion === undefined);
    const panel: ObstaclePanel = new ObstaclePanel(still, {
      onMove: (name, xyz) => this.moveObstacle(name, xyz),
      onChoose: (name) => this.chooseObstacle(name, panel),
    });
    return panel;
  }

  /** Shows the initial view: the motion of the page data if there is one, or else the start of the scene. */
  private begin(address: Address): void {
    const { data } = this;
    const dof = this.model.dof;
    if (address.start?.length === dof) this.ends.start = address.start;
    if (address.goal?.length === dof) this.ends.goal = address.goal;
    this.plan.choose(address);
    for (const [name, xyz] of Object.entries(address.moved ?? {})) {
      if (this.contents.objects.obstacle(name)) this.placeObstacle(name, xyz);
    }
    const nearZero = ({ limits }: RobotModel['variables'][number]) => Math.min(limits.upper, Math.max(limits.lower, 0));
    const first = this.endOf('start') ?? Float64Array.from(this.model.variables, nearZero);
    this.contents.robot.pose(first);
    const { trajectory, certificate, stats, failure, coordination, settling } = data;
    if (!settling && !coordination) this.contents.setEnds(this.endOf('start'), this.endOf('goal'));
    if (settling) this.stage.frameFromAbove(this.contents.falling, this.contents.robot);
    else this.stage.frame(this.contents.robot, this.contents.finite);
    this.joints.show(first);
    if (stats && !address.plan) this.plan.choose(stats);
    if (trajectory !== undefined && !address.plan) {
      if (coordination) this.openSchedule(trajectory);
      else this.openMotion(trajectory, certificate, stats);
      return;
    }
    this.open();
    this.moveTo(first);
    if (address.plan) void this.planMotion();
    else if (failure !== undefined) void this.explain(stats?.iterations);
  }

  /** Opens the scene over time: the player shows what moves by itself if there is no motion. */
  private open(trajectory?: Trajectory): void {
    const { problem } = this;
    const coordination = trajectory && this.data.coordination;
    this.replay = new Replay(problem, trajectory, coordination);
    if (this.data.settling === undefined)
      void this.engine.ask('open', {
        problem,
        ...(trajectory && { trajectory }),
        ...(coordination && { coordination }),
      });
    this.time = this.replay.start;
    if (trajectory === undefined && this.replay.end > 0) this.player.open(this.replay.end, 's');
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
    this.showState(q, this.time);
  }

  private showTime(time: number): void {
    const q = this.joints.q;
    if (this.replay.curve) this.replay.position(q, time);
    this.showState(q, time);
    this.report.showTime(time);
    this.timeline.showTime(time);
    this.side.showTime(time);
  }

  private showState(q: Configuration, time: number): void {
    this.time = time;
    this.joints.show(q);
    this.contents.pose(q, this.replay, time);
    if (this.data.settling === undefined) this.judge({ q: [...q], time });
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
    const { scene } = this.problem;
    if (scene.steps !== undefined || hasMoving(scene) || (scene.constraints ?? []).length > 0) return;
    const { seed, planner } = this.plan.choice;
    this.side.openMotion();
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
    this.open(trajectory);
    const { replay } = this;
    this.contents.setTrees(undefined);
    this.contents.setMotion(replay, this.pathParts(trajectory));
    this.side.openMotion(trajectory);
    this.timeline.show(trajectory, replay.start, replay.end);
    this.report.show(trajectory, certificate, stats);
    this.player.open(replay.end, trajectory.points[0].time_from_start === undefined ? 'waypoints' : 's');
  }

  /** Shows robots on schedules. */
  private openSchedule(trajectory: Trajectory): void {
    this.open(trajectory);
    this.contents.setMotion(this.replay, this.pathParts({ ...trajectory, segments: [] }));
    this.side.openSchedule(this.replay);
    this.report.showSchedule();
    this.player.open(this.replay.end, 's');
  }

  /** Returns the parts of the tool path: the segments of a program, each in its colour, or the whole. */
  private pathParts({ segments = [] }: Trajectory): PathPart[] {
    const { replay, palette } = this;
    if (segments.length === 0) return [{ from: replay.start, to: replay.end, color: palette.path }];
    return segments.map(({ from, to }, i) => ({ from, to, color: palette.series[i % palette.series.length] }));
  }

  private closeMotion(): void {
    this.player.close();
    this.contents.setMotion(undefined);
    this.timeline.clear();
    this.side.closeMotion();
    this.report.clear();
    this.open();
  }

  /** Moves an obstacle and discards a motion that was planned in the previous scene. */
  private moveObstacle(name: string, xyz: readonly [number, number, number]): void {
    this.placeObstacle(name, xyz);
    if (this.replay.curve) this.closeMotion();
    else this.open();
    this.moveTo(this.joints.q);
  }

  private placeObstacle(name: string, xyz: readonly [number, number, number]): void {
    const { scene, robot } = this.problem;
    const obstacles = scene.obstacles.map((each) =>
      each.name === name ? { ...each, pose: { ...each.pose, xyz } } : each,
    );
    this.problem = { robot, scene: { ...scene, obstacles } };
    this.moved[name] = xyz;
  }

  private chooseObstacle(name: string | undefined, panel: ObstaclePanel): void {
    const { stage } = this;
    const figure = name === undefined ? undefined : this.contents.objects.obstacle(name);
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
