import type { Certificate } from '../../core/certificate/certificate.ts';
import type { MoveCertificate } from '../../core/certificate/moves/moveCertificate.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Obstacle, Scene } from '../../core/scene/scene.ts';
import { escaped } from '../../formats/picture/labels.ts';
import { uncheckedList } from '../checking/uncheckedCount.ts';
import type { VerifyReport } from './verifyReport.ts';

/** What a sheet of evidence is about. */
export interface Evidence {
  readonly certificate: Certificate | MoveCertificate;
  readonly robot: RobotModel;
  readonly scene: Scene;
  /** Result of `verify`. */
  readonly report: VerifyReport;
  /** SHA-256 of scene, robot and trajectory, by name. */
  readonly hashes: Readonly<Record<string, string>>;
  /** SHA-256 of each file that the scene was made from. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that verify the certificate again. */
  readonly commands: readonly string[];
  /** Versions of the programs, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** What the proof assumes (docs/proof.md, docs/evidence.md) of a trajectory, of a program of moves, and of both. */
const FOLLOWED =
  'The joints follow the trajectory exactly, as the curve of its controller; deviations are within the padding.';
const FOLLOWED_MOVES =
  'The controller executes each move and blend on a path that docs/urscript.md states for it; deviations are within ' +
  'the padding.';
const ASSUMPTIONS = [
  'Links, attached objects and obstacles lie within the convex parts of this scene: cables, hoses and tools included.',
  'Obstacles do not move, or exactly as the scene states; attached objects do not move relative to their link.',
  'The robot is the tree of rigid links of its file, and stands where the scene states.',
];

const NOT_PROVED =
  'Limits of joints, speeds and torques (elbowroom check), pairs that are not checked (below), times before the ' +
  'start and after the end, people.';

/** Returns the sheet as HTML without scripts, which prints on A4. */
export function evidenceSheet(evidence: Evidence): string {
  const { certificate, robot, scene, report, hashes, files, commands, versions } = evidence;
  const verdict = report.proved ? 'proved collision-free' : 'NOT PROVED';
  const isOfMoves = 'set' in certificate;
  const figures = [
    isOfMoves
      ? ['Motions', 'all that docs/urscript.md states for the moves of the program']
      : ['Duration', `${certificate.duration} (seconds; waypoints for a path)`],
    ['Padding', `${scene.padding} m`],
    ['Proved lower bound on the distance of every checked pair', `${report.least_gap ?? '–'} m`],
    ['Pairs of convex parts', `${report.pairs}, with ${report.spans} separating planes`],
    ['Pairs that are not checked', `${report.unchecked.pairs}`],
  ];
  const sections = [
    `<p class="${report.proved ? 'yes' : 'no'}">${verdict}</p>`,
    ...(report.problems.length > 0 ? [list(report.problems)] : []),
    table([], figures),
    heading('Assumed'),
    list([isOfMoves ? FOLLOWED_MOVES : FOLLOWED, ...ASSUMPTIONS]),
    heading('Not proved'),
    `<p>${escaped(NOT_PROVED)} <b>elbowroom is not a safety function.</b></p>`,
    heading(`Robot ${robot.name}`),
    table(['joint', 'type', 'least', 'most', 'velocity', 'acceleration', 'jerk'], jointRows(robot)),
    heading('Objects'),
    table(['name', 'parts', 'position or link'], objectRows(scene)),
    heading('Pairs that are not checked'),
    table(['pair', 'reason'], uncheckedRows(robot, scene)),
    heading('Verify again'),
    `<pre>${escaped(commands.join('\n'))}</pre>`,
    heading('SHA-256'),
    `<div class="hashes">${table([], [...Object.entries(hashes), ...Object.entries(files)])}</div>`,
    heading('Versions'),
    table([], Object.entries(versions)),
  ];
  const title = `Evidence: ${scene.name}`;
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${STYLE}</style></head><body><h1>${escaped(title)}</h1>\n${sections.join('\n')}\n</body></html>\n`;
}

const STYLE = `
@page { size: A4; margin: 16mm 14mm }
html { font: 9pt/1.35 system-ui, sans-serif; max-width: 182mm; margin: 6mm auto }
h1 { font-size: 15pt; margin: 0 0 2mm } h2 { font-size: 10.5pt; margin: 4mm 0 1mm; break-after: avoid }
table { border-collapse: collapse; width: 100% } tr { break-inside: avoid }
th, td { text-align: left; padding: .4mm 2mm .4mm 0; border-bottom: .2mm solid #ccc }
th, td { vertical-align: top; overflow-wrap: anywhere }
thead { display: table-header-group } pre { white-space: pre-wrap; margin: 0 } ul { margin: 0; padding-left: 5mm }
.yes, .no { font-size: 12pt; font-weight: 600; padding: 1.5mm 3mm; color: #fff; background: #1a6b3c } .no { background: #a01515 }
.yes, .no { print-color-adjust: exact; -webkit-print-color-adjust: exact; margin: 0 0 2mm }
.hashes td { font: 7.5pt/1.3 ui-monospace, monospace; white-space: nowrap }`;

const heading = (text: string) => `<h2>${escaped(text)}</h2>`;

const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const header = head.length === 0 ? '' : `<thead>${cells(head, 'th')}</thead>`;
  return `<table>${header}<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
}

const jointRows = ({ variables, fixed }: RobotModel): string[][] => [
  ...variables.map(({ name, type, limits, accelerationAssumed }) => {
    const { lower, upper, velocity, acceleration, jerk } = limits;
    const assumed = accelerationAssumed ? ' (assumed)' : '';
    return [name, type, lower, upper, velocity, `${rounded(acceleration)}${assumed}`, jerk].map((value) =>
      typeof value === 'number' ? rounded(value) : value,
    );
  }),
  ...Object.entries(fixed).map(([name, value]) => [name, 'kept', rounded(value), rounded(value), '0', '0', '0']),
];

const rounded = (value: number) =>
  Math.abs(value) === Number.POSITIVE_INFINITY ? '–' : String(Number(value.toPrecision(6)));

function objectRows({ obstacles, attached, robots = [] }: Scene): string[][] {
  const shapes = ({ parts }: Pick<Obstacle, 'parts'>) =>
    parts.length === 1 ? String(parts[0].shape.type) : `${parts.length} convex parts`;
  const at = ({ pose, motion }: Obstacle) =>
    `${pose.xyz.map(rounded).join(', ')}${motion === undefined ? '' : ', moves'}`;
  return [
    ...obstacles.map((one) => [one.name, shapes(one), at(one)]),
    ...attached.map((one) => [one.name, shapes(one), `on ${one.link}`]),
    ...robots.map(({ name, description }) => [name, `robot ${description.name}`, 'another robot']),
  ];
}

/** Pairs by reason, and for each pair of `allow` its place in the scene. */
function uncheckedRows(robot: RobotModel, scene: Scene): string[][] {
  const lines = new Map(scene.allow.map(([a, b], i) => [[a, b].sort().join('\n'), `allow[${i}] of the scene`]));
  const reason = (a: string, b: string, stated: string) => {
    if (stated === 'allow') return lines.get([a, b].sort().join('\n')) ?? 'allow of a step';
    if (stated === 'Adjacent') return 'Adjacent: joined by a joint';
    if (stated === 'attached') return 'attached: the object and the link that carries it';
    if (stated === 'touches') return 'touches of the attached object';
    return stated === 'no geometry' ? stated : `SRDF: ${stated}`;
  };
  return uncheckedList(robot, scene)
    .list()
    .map(([a, b, stated]) => [`${a} – ${b}`, reason(a, b, stated)]);
}
