import type { RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { Random } from '../../core/math/random.ts';
import { InformedSpace } from '../../core/planning/informed/informedSet.ts';
import type { LazyProblem, LazyVerdict } from '../../core/planning/lazy/lazyPath.ts';
import type { EdgeLibrary } from '../../core/planning/library.ts';
import type { JointSpace, PlannerDefinition, PlanResult, RoadmapData } from '../../core/planning/planner.ts';
import {
  alongCurves,
  applyShortcuts,
  certifyShortcuts,
  pathLength,
  type ShortcutOptions,
  shortcutDefaults,
  shortcutPath,
  thoroughShortcuts,
} from '../../core/planning/shortcut.ts';
import type { CountingMotions } from './edgeValidation.ts';
import { nearerGoals } from './improvePath.ts';
import { type PlanHooks, type PlanOptions, plannerOptions } from './planOptions.ts';
import type { Improvement } from './planStats.ts';
import type { StartAndGoals } from './startAndGoals.ts';
import { PlanningBudget, type Stopwatch, type TimeLimit } from './stopwatch.ts';

type Path = readonly Configuration[];

/** Inputs that all searches of one planning query share. */
export interface SearchSetting {
  readonly planner: PlannerDefinition;
  readonly space: RobotJointSpace;
  readonly options: PlanOptions;
  readonly hooks: PlanHooks;
  readonly limit: TimeLimit;
  readonly watch: Pick<Stopwatch<'planning' | 'shortcut'>, 'start'>;
}

/** The searches and shortcuts of one planning query, and their totals. */
export class PathSearch {
  /** Nodes of all trees or roadmaps, and iterations of all searches. */
  nodes = 0;
  iterations = 0;
  /** Roadmap of the last search, which the next one extends. */
  roadmap: RoadmapData | undefined;
  /** Library that the planner may use. */
  library: EdgeLibrary | undefined;
  /** Improved paths of the main searches. */
  readonly improvements: Improvement[] = [];

  /** The last path that a search shortcut itself, its length before, and the effort. */
  private finished: { readonly path: Path; readonly before: number; readonly effort: ShortcutOptions } | undefined;
  /** Time at which the first main search started. */
  private startTime: number | undefined;

  constructor(private readonly setting: SearchSetting) {}

  /** True if the planner itself searches for shorter paths. */
  get improves(): boolean {
    return this.setting.planner.improves === true;
  }

  /**
   * Runs the planner once.
   * @param main hooks of a main search, which receive its improved paths and may end it; undefined for a path
   *   improvement
   * @param finish shortcuts and certifies the paths found
   */
  run(
    { start, goals }: StartAndGoals,
    motions: CountingMotions,
    stream: number,
    iterations: number,
    main?: PlanHooks,
    space: JointSpace = this.setting.space,
    finish?: LazyProblem['finish'],
  ): PlanResult {
    const { planner, options, hooks, limit, watch } = this.setting;
    const { roadmap, library } = this;
    const race = main?.race;
    watch.start('planning');
    if (main) this.startTime ??= this.now();
    main?.searching?.();
    const most = Math.min(options.iterations ?? planner.iterations, iterations);
    const before = this.iterations;
    const lost = race && ((count: number) => before + count > race.mostIterations());
    const budget = new PlanningBudget(most, limit.isImprovementOver, { ...hooks, lost });
    const onBetter = (length: number, count: number) => {
      limit.keepReserve();
      this.improvements.push({ length, iterations: before + count });
      main?.better?.(length, before + count, this.elapsed());
    };
    const problem = { space, motions, start, goals, roadmap, library, onBetter: main && onBetter, finish };
    const found = planner.plan(problem, plannerOptions(planner, options), new Random(options.seed, stream), budget);
    this.roadmap = found.roadmap;
    this.nodes += found.nodes;
    this.iterations += found.iterations;
    if (main?.found && found.status === 'solved') {
      const length = this.finishOf(found.path)?.before ?? pathLength(found.path, space);
      main.found(length, this.iterations, this.elapsed());
    }
    return { ...found, path: alongCurves(found.path, space) ?? found.path };
  }

  private now(): number {
    return this.setting.hooks.clock?.() ?? 0;
  }

  /** Time since the first main search started, ms. */
  private elapsed(): number {
    return this.now() - (this.startTime ?? 0);
  }

  /**
   * Searches the informed set within `iterations` for a path to one of the goals that is shorter than `length`.
   * @param stream stream of random numbers of the search, distinct for each use
   * @param shortcutStream the same of its shortcuts
   */
  runShorter(
    ends: StartAndGoals,
    length: number,
    iterations: number,
    motions: CountingMotions,
    stream: number,
    shortcutStream: number,
  ): Path | undefined {
    const space = new InformedSpace(ends, this.setting.space, length);
    const finish = this.finisher(shortcutStream, ends, length);
    const found = this.run(ends, motions, stream, iterations, undefined, space, finish);
    return found.status === 'solved' ? this.shortcut(found.path, motions, shortcutStream) : undefined;
  }

  /**
   * Returns the function that shortcuts and certifies the paths that the planner finds; undefined if shortcutting is
   * disabled, or if edges are curves on constraints. Paths that no other search can shorten are shortcut thoroughly at
   * once, so that the edges between are not certified.
   * @param stream stream of random numbers, distinct for each use
   * @param most longer paths are discarded
   */
  finisher(stream: number, ends: StartAndGoals, most = Number.POSITIVE_INFINITY): LazyProblem['finish'] {
    const { options, space, limit, watch } = this.setting;
    if (!options.shortcut || space.constraints) return undefined;
    return (path) => {
      watch.start('shortcut');
      const random = new Random(options.seed, stream);
      const interrupt = limit.beforeProof();
      path.removeStates(interrupt);
      const before = path.length;
      applyShortcuts(path, space, random, shortcutDefaults, interrupt);
      const isThorough = nearerGoals(ends, space, path.length).length === 0;
      let verdict: LazyVerdict = 'discarded';
      if (path.invalid >= 0 || path.length < most)
        verdict = isThorough ? certifyShortcuts(path, space, random, thoroughShortcuts, interrupt) : path.certify();
      if (verdict === 'certified')
        this.finished = { path: path.states, before, effort: isThorough ? thoroughShortcuts : shortcutDefaults };
      watch.start('planning');
      return verdict;
    };
  }

  private finishOf(path: Path) {
    return this.finished && isEqual(this.finished.path, path) ? this.finished : undefined;
  }

  /**
   * Shortcuts the path, unless shortcutting is disabled or a search has shortcut it with as much effort.
   * @param stream stream of random numbers, distinct for each use
   */
  shortcut(path: Path, motions: CountingMotions, stream: number, effort = shortcutDefaults): Path {
    const { options, space, limit, watch } = this.setting;
    watch.start('shortcut');
    const known = this.finishOf(path)?.effort;
    if (!options.shortcut || known === effort || known === thoroughShortcuts) return path;
    const random = new Random(options.seed, stream);
    return shortcutPath(path, space, motions, random, effort, limit.isImprovementOver);
  }
}

/** Returns true if two paths have equal states. Planners of the caller's own return copies. */
function isEqual(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((q, i) => q === b[i] || q.every((value, j) => value === b[i][j]));
}
