import { describeEnd, describeExplanation } from '../../planning/explanation/explainFailure.ts';
import { describeObject } from '../../planning/explanation/removals.ts';
import type { FailedBranch, ProgramExplanation, ProgramRemoval, UnreachedBranch } from './explainProgram.ts';

/** Limit of lines about branches in a message. */
const BRANCH_LIMIT = 8;

/** Formats the explanation of a failed program in lines; does not repeat `PlanMotionResult.reason`. */
export function describeProgramExplanation(explanation: ProgramExplanation): string[] {
  const { ends, branches, move, without } = explanation;
  const failed = branches.length > 1 || move ? branches : []; // a single branch is described by the reason
  const groups = groupedByReason(failed);
  const more = groups.slice(BRANCH_LIMIT).flat().length;
  return [
    ...ends.flatMap(describeEnd),
    ...groups.slice(0, BRANCH_LIMIT).map(describeBranches),
    ...(more > 0 ? [`${more} more branch${more === 1 ? '' : 'es'}`] : []),
    ...(move ? describeMove(move) : []),
    ...without.map((removal) => describeRemoval(removal, explanation)),
  ];
}

/** Groups branches that fail for the same reason, in the order of the first one of each group. */
function groupedByReason(branches: readonly FailedBranch[]): readonly (readonly FailedBranch[])[] {
  const groups = new Map<string, FailedBranch[]>();
  for (const one of branches) groups.set(one.reason, [...(groups.get(one.reason) ?? []), one]);
  return [...groups.values()];
}

/** Returns `branches 1, 4 of 6: step 1 (line "insert"): ends at 14 %: …`. */
function describeBranches(group: readonly FailedBranch[]): string {
  const [{ of, reason }] = group;
  const numbers = group.flatMap(({ branch }) => (branch === null ? [] : [branch]));
  if (numbers.length === 0) return reason;
  return `branch${numbers.length > 1 ? 'es' : ''} ${numbers.join(', ')} of ${of}: ${reason}`;
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
