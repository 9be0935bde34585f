import {
  type Configuration,
  configurationOf,
  type PageData,
  type Pose,
  type RobotModel,
  type SceneEdit,
} from 'elbowroom';

type Problem = PageData['problem'];
export type End = 'start' | 'goal';

/** The scene of the page with the changes of the user: poses of obstacles, start and goal. */
export class ShownScene {
  problem: Problem;
  /** Poses of obstacles that the user has moved or turned. */
  moved: Record<string, Pose> = {};
  /** Start and goal that the user has set instead of those of the scene. */
  readonly ends: { start?: readonly number[]; goal?: readonly number[] } = {};
  private readonly first: Problem;

  constructor(
    problem: Problem,
    private readonly model: RobotModel,
  ) {
    this.problem = problem;
    this.first = problem;
  }

  /** Replaces the scene by an edited one. */
  replace(scene: Problem['scene']): void {
    this.problem = { ...this.problem, scene };
    const before = new Map(this.first.scene.obstacles.map(({ name, pose }) => [name, textOf(pose)]));
    const moved = scene.obstacles.filter(({ name, pose }) => before.has(name) && before.get(name) !== textOf(pose));
    this.moved = Object.fromEntries(moved.map(({ name, pose }) => [name, pose]));
    for (const end of ['start', 'goal'] as const) {
      if (end === 'goal' && !this.hasOneGoal) continue;
      const [now, then] = [scene, this.first.scene].map((one) => this.givenEnd(end, one));
      if (now && now.join() !== then?.join()) this.ends[end] = [...now];
      else delete this.ends[end];
    }
  }

  /** True if the goal of the user replaces all goals of the scene. */
  get hasOneGoal(): boolean {
    return this.problem.scene.goals.length === 1;
  }

  /** Returns the scene with the start and goal of the user. */
  get complete(): Problem['scene'] {
    const { start, goal } = this.ends;
    return {
      ...this.problem.scene,
      ...(start === undefined ? {} : { start }),
      ...(goal === undefined || !this.hasOneGoal ? {} : { goals: [{ kind: 'joints', joints: goal }] }),
    };
  }

  /** Returns the edits that write the start and goal of the user into the text of the scene. */
  get edits(): SceneEdit[] {
    return (['start', 'goal'] as const).flatMap((kind) => {
      const joints = this.ends[kind];
      return joints && this.isWritable(kind) ? [{ kind, joints }] : [];
    });
  }

  /** Of several goals of a scene, none is written: the goal of the user replaces all in the page only. */
  isWritable(end: End): boolean {
    return end === 'start' || this.hasOneGoal;
  }

  poseOf(name: string): Pose | undefined {
    return this.problem.scene.obstacles.find((one) => one.name === name)?.pose;
  }

  /** Returns the moved obstacles as numbers: x, y, z, and the quaternion of one that was turned. */
  get places(): Record<string, readonly number[]> {
    const turnOf = new Map(this.first.scene.obstacles.map(({ name, pose }) => [name, pose.quat_wxyz.join()]));
    return Object.fromEntries(
      Object.entries(this.moved).map(([name, { xyz, quat_wxyz }]) => [
        name,
        turnOf.get(name) === quat_wxyz.join() ? xyz : [...xyz, ...quat_wxyz],
      ]),
    );
  }

  /** Places an obstacle. */
  place(name: string, pose: Pose): void {
    const { scene } = this.problem;
    const obstacles = scene.obstacles.map((each) => (each.name === name ? { ...each, pose } : each));
    this.problem = { ...this.problem, scene: { ...scene, obstacles } };
    this.moved[name] = pose;
  }

  /**
   * Returns the joint values of the start or goal: set by the user, or those of the scene; undefined for a pose goal.
   */
  endOf(end: End): Configuration | undefined {
    const own = this.ends[end];
    if (own) return Float64Array.from(own);
    return this.givenEnd(end, this.problem.scene);
  }

  private givenEnd(end: End, scene: Problem['scene']): Configuration | undefined {
    const goal = scene.goals[0];
    const given = end === 'start' ? scene.start : goal?.kind === 'joints' ? goal.joints : undefined;
    return given === undefined ? undefined : configurationOf(this.model, given, end);
  }
}

const textOf = ({ xyz, quat_wxyz }: Pose) => [...xyz, ...quat_wxyz].join();
