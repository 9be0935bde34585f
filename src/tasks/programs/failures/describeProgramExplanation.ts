import { describeEnd, describeExplanation } from '../../planning/explanation/explainFailure.ts';
import { describeObject } from '../../planning/explanation/removals.ts';
import type { ProgramExplanation, ProgramRemoval, UnreachedBranch } from './explainProgram.ts';

/** Limit of branches listed in a message. */
const BRANCH_LIMIT = 8;

/** Formats the explanation of a failed program in lines; does not repeat `PlanMotionResult.reason`. */
export function describeProgramExplanation(explanation: ProgramExplanation): string[] {
  const { ends, branches, move, without } = explanation;
  const failed = branches.length > 1 || move ? branches : []; // a single branch is described by the reason
  const more = failed.length - BRANCH_LIMIT;
  return [
    ...ends.flatMap(describeEnd),
    ...failed
      .slice(0, BRANCH_LIMIT)
      .map(({ branch, of, reason }) => (branch === null ? reason : `branch ${branch} of ${of}: ${reason}`)),
    ...(more > 0 ? [`${more} more branches`] : []),
    ...(move ? describeMove(move) : []),
    ...without.map((removal) => describeRemoval(removal, explanation)),
  ];
}

function describeMove({ branch, of, reason, explanation }: UnreachedBranch): string[] {
  return [`branch ${branch} of ${of}: ${reason}`, ...describeExplanation(explanation).map((line) => `  ${line}`)];
}

function describeRemoval(removal: ProgramRemoval, whole: ProgramExplanation): string {
  const { status, duration, reason } = removal;
  const how = describeObject(removal);
  if (status === 'solved') return `${how} the program is planned (${Number(duration!.toPrecision(4))} s of motion)`;
  return reason === whole.reason ? `${how} it fails in the same way` : `${how} it fails, too: ${reason}`;
}
