import {
  type Configuration,
  hasMoving,
  type PageData,
  type Pose,
  pathLines,
  Replay,
  type RobotModel,
  type Trajectory,
} from 'elbowroom';
import { type Address, readAddress, writeAddress } from './address.ts';
import { Comparison } from './comparison/comparison.ts';
import type { GivenPlan, KeptPlan } from './comparison/keptPlan.ts';
import { Contents, pathParts } from './contents.ts';
import { element } from './dom.ts';
import { FrameEditor } from './editing/frameEditor.ts';
import { ObstacleEditor, placing } from './editing/obstacleEditor.ts';
import { SceneDocument } from './editing/sceneDocument.ts';
import { type End, ShownScene } from './editing/shownScene.ts';
import type { StepContext } from './editing/stepForm.ts';
import { listenForUndo } from './editing/undoKeys.ts';
import { Engine, latest } from './engine/engine.ts';
import type { StateRequest } from './engine/questions.ts';
import { MotionPlayer } from './motion/motionPlayer.ts';
import { MotionReport } from './motion/motionReport.ts';
import { Pace } from './motion/pace.ts';
import { Timeline } from './motion/timeline.ts';
import { hasConstraints } from './panels/constraintPanel.ts';
import { JointPanel } from './panels/jointPanel.ts';
import { PlanPanel } from './panels/planPanel.ts';
import { RobotPanel } from './panels/robotPanel.ts';
import { ShowPanel } from './panels/showPanel.ts';
import { SidePanel } from './panels/sidePanel.ts';
import { VerdictPanel } from './panels/verdictPanel.ts';
import { RecordPanel } from './recording/recordPanel.ts';
import type { Palette } from './stage/palette.ts';
import { Stage } from './stage/stage.ts';
import { Tags } from './stage/tags.ts';
import { type Target, type TargetState, ToolEditor } from './tool/toolEditor.ts';

type Problem = PageData['problem'];

/** Status of a plan whose result was discarded; it stays until the next plan. */
const CHANGED = 'The scene was changed while planning. Plan again.';

/** View of one problem: its stage, its panels, and its worker thread. */
export class View {
  private readonly engine = new Engine();
  private readonly obstacles: ObstacleEditor;
  private readonly frames: FrameEditor | undefined;
  private readonly stage: Stage;
  private readonly contents: Contents;
  private readonly model: RobotModel;
  private readonly joints: JointPanel;
  private readonly player = new MotionPlayer((time) => this.showTime(time));
  private readonly timeline = new Timeline((time) => this.player.seek(time));
  private readonly plan: PlanPanel;
  private readonly verdict = new VerdictPanel();
  private readonly pace = new Pace();
  private readonly answerPace = new Pace();
  /** The colours of time along the path. */
  private readonly timeScale = element('div', { class: 'time-scale', title: 'Colours of the tool path', hidden: true });
  private readonly layers = new ShowPanel(() => this.showLayers());
  private readonly report: MotionReport;
  private readonly comparison: Comparison;
  private readonly side: SidePanel;
  private readonly tool: ToolEditor;
  private readonly judge: (state: StateRequest) => void;
  /** The scene with the changes of the user. */
  private readonly shown: ShownScene;
  /** The scene over time, with the motion if there is one. */
  private replay: Replay;
  private time = 0;
  /** Counts changes of the scene, so that results for an earlier one are discarded. */
  private revision = 0;
  private readonly document: SceneDocument | undefined;

  constructor(
    page: HTMLElement,
    private readonly data: PageData,
    private readonly palette: Palette,
  ) {
    this.replay = new Replay(data.problem);
    this.model = this.replay.robot;
    this.shown = new ShownScene(data.problem, this.model);
    const { scene } = data.problem;
    this.document = data.source && new SceneDocument(scene, data.source, (edited) => this.showScene(edited));
    const seek = (time: number) => this.player.seek(time);
    const padding = () => this.shown.problem.scene.padding;
    this.report = new MotionReport(this.engine, this.model, seek, hasConstraints(scene), padding, (profile) =>
      this.timeline.showLimits(profile),
    );
    this.joints = new JointPanel(this.model, (q) => this.moveByHand(q));
    this.plan = new PlanPanel({
      scene,
      onPlan: () => void this.planMotion(),
      onCancel: () => this.engine.cancel(),
      onEnd: (end) => this.setEnd(end),
    });
    const frame = element('div', { class: 'stage' });
    this.obstacles = new ObstacleEditor(this.shown, this.document, () => this.changeScene());
    this.frames = this.document && new FrameEditor(this.document, () => this.changeScene());
    this.frames?.list(scene);
    const toolPlace = element('div', {});
    const [plansPlace, recordPlace] = [element('div', {}), element('div', {})];
    this.side = new SidePanel(data, {
      tool: toolPlace,
      joints: this.joints.root,
      plan: this.plan.root,
      motion: this.report.root,
      plans: plansPlace,
      record: recordPlace,
      obstacles: this.obstacles.root,
      frames: this.frames?.isEmpty ? undefined : this.frames?.root,
      layers: this.layers.root,
      robot: data.inspection && new RobotPanel(this.model, data.inspection, (links) => this.contents.mark(links)),
      document: this.document,
      stepContext: () => this.stepContext(),
      onChoose: seek,
    });
    this.timeScale.style.background = `linear-gradient(to right, ${palette.time.map((one) => one.getStyle()).join()})`;
    const transport = element('div', { class: 'transport' }, this.timeline.root, this.timeScale, this.player.root);
    page.replaceChildren(frame, transport, this.side.root);
    this.stage = new Stage(frame, palette);
    this.contents = new Contents(this.stage, data, this.model, palette, (layer) => this.layers.isShown(layer));
    const drawn = { stage: this.stage, contents: this.contents };
    this.obstacles.stage = drawn;
    if (this.frames) this.frames.stage = drawn;
    this.stage.onClick = (ray) => {
      const goal = this.frames && this.contents.goalAt(ray);
      if (goal !== undefined) {
        this.side.openFrames();
        this.frames?.pickGoal(goal);
        return;
      }
      const name = this.contents.obstacleAt(ray);
      if (name === undefined) return;
      this.side.openObstacles();
      this.obstacles.pick(name);
    };
    new Tags(frame, this.stage, this.contents, (layer) => this.layers.isShown(layer));
    frame.append(this.verdict.root);
    this.comparison = new Comparison({
      engine: this.engine,
      stage: this.stage,
      model: this.model,
      palette,
      problem: () => this.shown.problem,
      onOpen: (plan) => this.showPlan(plan),
      onChoose: seek,
    });
    plansPlace.append(this.comparison.root);
    const recording = this.stage.isDrawn
      ? new RecordPanel({
          stage: this.stage,
          player: this.player,
          name: () => this.shown.problem.scene.name,
          showAt: (time) => this.showJudged(time),
        }).root
      : 'There is nothing to record without WebGL.';
    recordPlace.append(recording);
    this.tool = new ToolEditor({
      engine: this.engine,
      stage: this.stage,
      contents: this.contents,
      targets: data.inspection
        ? ['state']
        : scene.steps === undefined
          ? ['state', 'start', 'goal']
          : ['state', 'start'],
      stateOf: (target) => this.targetState(target),
      onChoose: (target, q) => this.choose(target, q),
    });
    toolPlace.append(this.tool.root);
    listenForUndo(this.document);
    this.judge = latest(async (state: StateRequest) => {
      const answer = await this.engine.ask('state', state);
      const { isPlaying } = this.player;
      const isDue = this.answerPace.isDue(isPlaying);
      this.verdict.announce(!isPlaying);
      this.verdict.show(answer, isDue);
      this.side.judge(this.replay.constraintsAt(state.time), answer.constraints);
      this.contents.judge(answer, isDue);
    });
    this.begin(readAddress());
  }

  /** Shows an edited scene. Whatever was shown for the previous one, proofs included, is discarded at once. */
  private showScene(scene: Problem['scene']): void {
    const { selected } = this.obstacles;
    const frame = this.frames?.selected;
    this.shown.replace(scene);
    this.contents.setScene(this.shown.problem);
    this.changeScene();
    this.obstacles.list(selected);
    this.side.setSteps(scene.steps);
    this.showEnds();
    this.frames?.list(scene, frame);
    this.keepAddress(false);
  }

  private showLayers(): void {
    this.timeScale.hidden =
      !this.layers.isShown('timeColors') || !this.replay.curve || !this.layers.isShown('toolPath');
    this.contents.show();
  }

  /** Discards the motion and all results of the previous scene. */
  private changeScene(): void {
    this.revision++;
    if (this.plan.status.textContent !== CHANGED) this.plan.status.textContent = '';
    this.contents.setTrees(undefined);
    this.comparison.clear();
    this.closeMotion();
    this.moveTo(this.joints.q);
    this.tool.refresh();
  }

  /** Shows the initial view: the motion of the page data if there is one, or else the start of the scene. */
  private begin(address: Address): void {
    const { data } = this;
    const dof = this.model.dof;
    if (address.start?.length === dof) this.shown.ends.start = address.start;
    if (address.goal?.length === dof) this.shown.ends.goal = address.goal;
    this.plan.choose(address);
    for (const [name, [x, y, z, ...turn]] of Object.entries(address.moved ?? {})) {
      const pose = this.shown.poseOf(name);
      const quat_wxyz = turn.length === 4 ? (turn as unknown as Pose['quat_wxyz']) : pose?.quat_wxyz;
      if (quat_wxyz && this.contents.objects.obstacle(name)) this.shown.place(name, { xyz: [x, y, z], quat_wxyz });
    }
    const own = this.document?.source.obstacles ?? [];
    const moves = Object.entries(this.shown.moved).flatMap(([name, pose]) =>
      own.includes(name) ? [placing(name, pose, this.document?.poseOf(name))] : [],
    );
    this.document?.begin(this.shown.complete, [...moves, ...this.shown.edits]);
    const nearZero = ({ limits }: RobotModel['variables'][number]) => Math.min(limits.upper, Math.max(limits.lower, 0));
    const first = this.shown.endOf('start') ?? Float64Array.from(this.model.variables, nearZero);
    this.contents.robot.pose(first);
    const { trajectory, certificate, stats, failure, coordination, settling } = data;
    if (!settling && !coordination) this.showEnds();
    if (settling) this.stage.frameFromAbove(this.contents.falling, this.contents.robot);
    else this.stage.frame(this.contents.robot.finite, this.contents.finite);
    this.joints.show(first);
    if (stats && !address.plan) this.plan.choose(stats);
    if (trajectory !== undefined && !address.plan) {
      if (coordination) this.openSchedule(trajectory);
      else this.openMotions([{ trajectory, certificate, stats, label: data.label }, ...(data.compared ?? [])]);
      return;
    }
    this.open();
    this.moveTo(first);
    if (address.plan) void this.planMotion();
    else if (failure !== undefined) void this.explain(stats);
  }

  /** Opens the scene over time: the player shows what moves by itself if there is no motion. */
  private open(trajectory?: Trajectory): void {
    const { problem } = this.shown;
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

  /** Names and the shown state, for the forms of steps. */
  private stepContext(): StepContext {
    const { obstacles, attached } = this.shown.problem.scene;
    return {
      objects: [...obstacles, ...attached].map(({ name }) => name),
      links: this.model.links.map(({ name }) => name),
      shown: () => ({ q: [...this.joints.q], pose: this.contents.toolPoseOf(this.joints.q) }),
    };
  }

  private showEnds(): void {
    this.contents.setEnds(this.shown.endOf('start'), this.shown.endOf('goal'), this.shown.problem.scene);
  }

  /**
   * Sets the start or the goal, in the text of the scene too. The motion and its proof were of another query, and are
   * discarded at once.
   */
  private setEnd(end: End, q: ArrayLike<number> = this.joints.q): void {
    const joints = Array.from(q);
    this.shown.ends[end] = joints;
    this.changeScene();
    this.showEnds();
    this.keepAddress(false);
    if (this.shown.isWritable(end)) void this.document?.apply({ kind: end, joints });
    else this.plan.status.textContent = 'The scene has several goals: this one is used here, but not written.';
  }

  private targetState(target: Target): TargetState {
    const { shown, joints, time, replay } = this;
    if (target === 'state') return { q: joints.q, pose: undefined, time };
    const own = shown.endOf(target);
    const [goal] = shown.problem.scene.goals;
    const isPose = own === undefined && target === 'goal' && goal?.kind === 'pose';
    return {
      q: own ?? joints.q,
      pose: isPose ? this.contents.toolPoseAtGoal(goal.pose) : undefined,
      time: target === 'start' ? replay.start : time,
    };
  }

  private choose(target: Target, q: readonly number[]): void {
    if (target === 'state') this.moveByHand(Float64Array.from(q));
    else this.setEnd(target, q);
  }

  private moveByHand(q: Configuration): void {
    this.moveTo(q);
    this.tool.refresh();
  }

  /** Shows a state at once; its collision check follows asynchronously. */
  private moveTo(q: Configuration): void {
    this.player.stop();
    this.showState(q, this.time);
  }

  private showTime(time: number): void {
    this.tool.close(); // its solutions were checked at another time
    const q = this.joints.q;
    if (this.replay.curve) this.replay.position(q, time);
    const isDue = this.pace.isDue(this.player.isPlaying);
    this.showState(q, time, isDue);
    this.report.showTime(time, isDue);
    this.comparison.showTime(time);
    this.timeline.showTime(time);
    this.side.showTime(time);
  }

  /** @param isDue whether the joint panel is updated, too */
  private showState(q: Configuration, time: number, isDue = true): void {
    this.time = time;
    if (isDue) this.joints.show(q);
    this.contents.pose(q, this.replay, time);
    if (this.data.settling === undefined) this.judge({ q: [...q], time });
  }

  /** Shows a time, and resolves when its collision check is shown, too. */
  private async showJudged(time: number): Promise<void> {
    this.player.seek(time);
    if (this.data.settling !== undefined) return;
    const answer = await this.engine.ask('state', { q: [...this.joints.q], time });
    this.contents.judge(answer);
  }

  private async planMotion(): Promise<void> {
    const options = this.plan.choice;
    const { revision } = this;
    this.plan.busy(true);
    try {
      const answer = await this.engine.ask('plan', {
        start: this.shown.ends.start,
        goal: this.shown.ends.goal,
        options,
      });
      if (revision !== this.revision) {
        this.plan.status.textContent = CHANGED;
        return;
      }
      this.plan.status.textContent = answer.trajectory ? 'Solved and certified.' : answer.reason;
      if (answer.trajectory) {
        this.openMotion({ trajectory: answer.trajectory, certificate: answer.certificate, stats: answer.stats });
        this.keepAddress(true);
      } else {
        this.closeMotion();
        await this.explain(answer.stats);
      }
    } catch (error) {
      this.plan.status.textContent = error instanceof Error ? error.message : String(error);
    } finally {
      this.plan.busy(false);
    }
  }

  /**
   * Explains why no path was found within these iterations, by text and by the trees of the search on the stage, or why
   * a tool path cannot be followed, by its spans.
   */
  private async explain({ iterations, spans }: Partial<NonNullable<PageData['stats']>> = {}): Promise<void> {
    const { scene } = this.shown.problem;
    if (spans) {
      this.layers.show('timeColors', false);
      this.contents.setSpans(pathLines(this.model, scene, spans));
      this.side.openMotion();
      this.report.explain(
        spans.map(({ from, to, status, reason }) => {
          return `Way points ${from} to ${to}: ${status}${reason === undefined ? '' : `; ${reason}`}`;
        }),
      );
      return;
    }
    if (scene.steps !== undefined || hasMoving(scene) || hasConstraints(scene)) return;
    const { seed, planner } = this.plan.choice;
    this.side.openMotion();
    this.report.say('Searching for obstacles that block the path …');
    const { start, goal } = this.shown.ends;
    const { revision } = this;
    this.layers.show('seeThrough', true);
    const { status, lines, trees } = await this.engine.ask('explain', {
      start,
      goal,
      options: { seed, planner, iterations },
    });
    if (revision !== this.revision) return;
    this.contents.setTrees(trees);
    const shown = this.shown.endOf(status.startsWith('goal') ? 'goal' : 'start');
    if (shown) this.moveTo(shown);
    this.report.explain(lines);
  }

  private keepAddress(plan: boolean): void {
    const { seed, planner } = this.plan.choice;
    writeAddress({
      scene: this.shown.problem.scene.name,
      seed,
      planner,
      ...this.shown.ends,
      plan,
      moved: this.shown.places,
    });
  }

  /** Opens the first of several motions, and keeps the others beside it. */
  private openMotions([first, ...others]: readonly GivenPlan[]): void {
    this.open(first.trajectory);
    for (const other of others) this.comparison.add(other);
    this.openMotion(first);
  }

  /** Opens a motion of the shown scene, and keeps it beside the previous ones. */
  private openMotion(given: GivenPlan): void {
    const before = this.comparison.size;
    const plan = this.comparison.add(given);
    if (this.comparison.size > Math.max(1, before)) {
      this.side.openPlans();
      this.layers.show('timeColors', false); // each plan has its colour
    } else if (before === 0) this.layers.show('timeColors', given.trajectory.segments === undefined);
    this.showPlan(plan);
  }

  private showPlan(plan: KeptPlan): void {
    const { trajectory, certificate, stats, color } = plan;
    this.open(trajectory);
    const { replay } = this;
    this.contents.setTrees(undefined);
    const isCompared = this.comparison.size > 1;
    const spans = isCompared ? [] : (stats?.spans ?? []);
    const parts = pathParts(trajectory, replay, this.palette, new Set(spans.map(({ step }) => step)));
    this.contents.setMotion(
      replay,
      isCompared ? parts.map((part) => ({ ...part, color: this.palette.series[color] })) : parts,
    );
    const end = Float64Array.from(trajectory.points.at(-1)!.positions);
    this.contents.setSpans(pathLines(this.model, this.shown.problem.scene, spans, end));
    this.side.openMotion(trajectory);
    this.timeline.show(trajectory, replay.start, replay.end);
    this.comparison.show(plan);
    this.showLayers();
    this.report.show(trajectory, certificate, stats, plan.measured);
    this.player.open(replay.end, trajectory.points[0].time_from_start === undefined ? 'waypoints' : 's');
  }

  /** Shows robots on schedules. */
  private openSchedule(trajectory: Trajectory): void {
    this.open(trajectory);
    this.contents.setMotion(this.replay, pathParts({}, this.replay, this.palette));
    this.side.openSchedule(this.replay);
    this.report.showSchedule();
    this.player.open(this.replay.end, 's');
  }

  private closeMotion(): void {
    this.player.close();
    this.contents.setMotion(undefined);
    this.contents.setSpans([]);
    this.comparison.close();
    this.timeline.clear();
    this.side.closeMotion();
    this.report.clear();
    this.open();
    this.showLayers();
  }
}
