import { existsSync } from 'node:fs';
import { planners } from '../../../core/planning/index.ts';
import type { RoadmapData } from '../../../core/planning/planner.ts';
import { InputError } from '../../../errors.ts';
import type { PlanMotionResult } from '../../../tasks/planning/planMotion.ts';
import type { NamedPlanOptions } from '../../../tasks/planning/planOptions.ts';
import { readRoadmap, roadmapText } from '../../../tasks/planning/roadmapFile.ts';
import type { Problem } from '../../../tasks/sceneRobot.ts';
import { readText } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import type { Io } from '../io.ts';

/** The file of `--roadmap`: read before planning if it exists, and written afterwards. */
export class RoadmapFile {
  /** Throws `InputError` if the planner builds no roadmap, and for suites, since a roadmap belongs to one scene. */
  constructor(
    private readonly file: string,
    private readonly settings: NamedPlanOptions,
    private readonly problems: readonly Problem[],
  ) {
    const makers = Object.entries(planners).flatMap(([name, { roadmap }]) => (roadmap ? [name] : []));
    if (!makers.includes(settings.planner))
      throw new InputError(
        `--roadmap: planner "${settings.planner}" builds no roadmap`,
        `Use one of: ${makers.map((name) => `--planner ${name}`).join(', ')}.`,
      );
    if (problems.length > 1)
      throw new InputError(
        '--roadmap: a suite has many scenes, a roadmap belongs to one',
        'Name one problem: SUITE#NAME.',
      );
    checkOutput(file);
  }

  /** Reads the roadmap of the problem; undefined if the file does not exist. */
  async read(io: Io): Promise<RoadmapData | undefined> {
    const { file, settings, problems } = this;
    if (!existsSync(file)) return undefined;
    const { roadmap, trusted } = readRoadmap(await readText(file), file, problems[0], settings);
    if (!trusted) io.warn([`${file}: made for another robot, scene or --edges: its edges are checked again`]);
    return roadmap;
  }

  /** Writes the roadmap of a plan; leaves the file unchanged if there was no search. */
  async write(io: Io, { roadmap }: PlanMotionResult): Promise<void> {
    if (roadmap) await io.save(this.file, roadmapText(roadmap, this.problems[0], this.settings));
  }
}
