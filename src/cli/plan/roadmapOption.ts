import { existsSync } from 'node:fs';
import { InputError } from '../../errors.ts';
import { readText, writeWhole } from '../../node/files.ts';
import { checkOutput } from '../../node/outputTarget.ts';
import { planners } from '../../planning/index.ts';
import type { RoadmapData } from '../../planning/planner.ts';
import type { PlanAnswer, PlanOptions } from '../../tasks/planning/planMotion.ts';
import { readRoadmap, roadmapText } from '../../tasks/planning/roadmapFile.ts';
import type { Problem } from '../../tasks/sceneRobot.ts';
import type { Io } from '../io.ts';

/** The file of `--roadmap`: read before a plan, if it is there, and written after it. */
export class KeptRoadmap {
  /** Throws InputError where the planner makes no roadmap, and for suites: each scene has one of its own. */
  constructor(
    private readonly file: string,
    private readonly settings: PlanOptions,
    private readonly problems: readonly Problem[],
  ) {
    const makers = Object.keys(planners).filter((name) => planners[name].roadmap);
    if (!makers.includes(settings.planner))
      throw new InputError(
        `--roadmap: planner "${settings.planner}" makes no roadmap`,
        `Use one of: ${makers.map((name) => `--planner ${name}`).join(', ')}.`,
      );
    if (problems.length > 1)
      throw new InputError('--roadmap: a suite has many scenes, a roadmap is of one', 'Name one problem: SUITE#NAME.');
    checkOutput(file);
  }

  /** What is there, fit for the problem; undefined where there is no such file. */
  async read(io: Io): Promise<RoadmapData | undefined> {
    const { file, settings, problems } = this;
    if (!existsSync(file)) return undefined;
    const { roadmap, trusted } = readRoadmap(await readText(file), file, problems[0], settings);
    if (!trusted)
      io.warn([`${file}: not made for this robot, scene and --edges as they are: its motions are looked at again`]);
    return roadmap;
  }

  /** Leaves the file alone where no search was made. */
  async write({ roadmap }: PlanAnswer): Promise<void> {
    if (roadmap) await writeWhole(this.file, roadmapText(roadmap, this.problems[0], this.settings));
  }
}
