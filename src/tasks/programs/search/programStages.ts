import type { CartesianStep, EventStep, MoveStep, Step, WaitStep } from '../../../core/scene/program.ts';

/** A free motion (none before the first one of a program), and the steps until the next. */
export interface Stage {
  readonly move: MoveStep | undefined;
  readonly rest: readonly (CartesianStep | WaitStep | EventStep)[];
}

/** Divides a program at its free motions: the start configuration of a stage determines its lines and arcs. */
export function stagesOf(steps: readonly Step[]): Stage[] {
  const stages: { move: MoveStep | undefined; rest: Exclude<Step, MoveStep>[] }[] = [{ move: undefined, rest: [] }];
  for (const step of steps) {
    if (step.kind === 'move') stages.push({ move: step, rest: [] });
    else stages[stages.length - 1].rest.push(step);
  }
  return stages;
}

/** Index of the first step of a stage; 0 for one without steps. */
export const firstStepOf = ({ move, rest }: Stage) => move?.index ?? rest[0]?.index ?? 0;
