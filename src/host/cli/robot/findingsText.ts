import type { RobotFinding } from '../../../tasks/robots/examineRobot.ts';
import { printable } from '../printable.ts';

/** Findings of the same kind about several links, joints or pairs. */
interface Group {
  readonly findings: readonly RobotFinding[];
  /** `link`, `joint` or `pair`; undefined for a finding about something else. */
  readonly subject: string | undefined;
}

/**
 * Formats the findings about a robot: a count, a paragraph for each finding, in which repeated advice is one paragraph,
 * and a verdict with the exit code. One line if there is nothing to report.
 */
export function findingsText(name: string, findings: readonly RobotFinding[]): string {
  const problems = findings.filter(({ kind }) => kind === 'problem').length;
  const advice = findings.length - problems;
  const faults = problems === 0 ? 'no problem' : count(problems, 'problem');
  const head = `${printable(name)}: ${faults}, ${advice === 0 ? 'no advice' : count(advice, 'piece', ' of advice')}\n`;
  if (findings.length === 0) return head;
  const verdict =
    problems === 0
      ? 'verdict: no problem, the advice is optional (exit code 0)'
      : `verdict: ${faults} to fix before planning (exit code 1)`;
  return `${head}${groupsOf(findings).map(groupText).join('')}\n${verdict}\n`;
}

const count = (n: number, what: string, after = ''): string => `${n} ${what}${n === 1 ? '' : 's'}${after}`;

/** A finding names its subject first: `link "a": …`, `links "a" and "b" …`. */
const SUBJECT = /^(joint|link|links) ("[^"]*"(?: and "[^"]*")?):? (.*)$/s;
/** What differs between findings of one kind: quoted names, numbers, addresses of meshes. */
const VARIABLE = /"[^"]*"|\S*[\\/.]\w*\.(?:stl|dae|obj|ply)\S*|\S+\.(?:stl|dae|obj|ply)\b|-?\d[\d.e+-]*/gi;

function groupsOf(findings: readonly RobotFinding[]): Group[] {
  const groups = new Map<string, RobotFinding[]>();
  for (const [i, finding] of findings.entries()) {
    const parts = SUBJECT.exec(finding.what);
    const key = parts === null ? String(i) : `${finding.kind} ${parts[1]} ${parts[3].replace(VARIABLE, '#')}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((group) => ({ findings: group, subject: subjectOf(group[0]) }));
}

function subjectOf({ what }: RobotFinding): string | undefined {
  const subject = SUBJECT.exec(what)?.[1];
  return subject === 'links' ? 'pair' : subject;
}

function groupText({ findings, subject }: Group): string {
  const [{ kind, place, what, remedy }] = findings;
  if (findings.length === 1 || subject === undefined)
    return `\n${printable(`${kind}: ${place}: ${what}`)}\n  change: ${printable(remedy)}\n`;
  const parts = findings.map((finding) => SUBJECT.exec(finding.what)!);
  const [, , first, same] = parts[0];
  const isSame = parts.every(([, , , rest]) => rest === same);
  const lines = isSame
    ? [`${kind}: ${findings.length} ${subject}s: ${same}`, ...placesOf(findings, parts)]
    : [
        `${kind}: ${findings.length} ${subject}s:`,
        ...findings.map((finding, i) => `  ${finding.place}: ${parts[i][2]}: ${parts[i][3]}`),
      ];
  const change = findings.every((finding) => finding.remedy === remedy) ? 'change' : `change, for ${first}`;
  return `\n${[...lines, `  ${change}: ${remedy}`].map(printable).join('\n')}\n`;
}

/** Lists the names with their lines, a line of text for each file. */
function placesOf(findings: readonly RobotFinding[], parts: readonly RegExpExecArray[]): string[] {
  const files = new Map<string, string[]>();
  for (const [i, { place }] of findings.entries()) {
    const [, file, line] = /^(.*):(\d+)$/s.exec(place)!;
    files.set(file, [...(files.get(file) ?? []), `${parts[i][2]} (line ${line})`]);
  }
  return [...files].map(([file, names]) => `  ${file}: ${names.join(', ')}`);
}
