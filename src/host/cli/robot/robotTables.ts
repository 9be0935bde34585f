import type { JointSummary, LinkSummary, RobotSummary } from '../../../tasks/robots/describeRobot.ts';
import type { MeshFit } from '../../../tasks/robots/meshFit.ts';
import { printable } from '../printable.ts';
import { table } from '../table.ts';

/**
 * Formats a robot as tables: tree of links, joints, allowed pairs, names of the SRDF. `fatness` is the ratio of the
 * volume of a link's hulls to that of its meshes, `excess` the difference of the two.
 */
export function robotTables(summary: RobotSummary, fits: readonly MeshFit[]): string {
  const { name, root, dof, links, joints, allowed } = summary;
  const moving = joints.filter((joint) => joint.type !== 'fixed');
  const head = ['link', 'shapes', 'triangles', 'hull vertices', 'volume', 'fatness', 'excess'];
  return `${printable(name)}: ${links.length} links from "${printable(root)}", ${dof} independent joints

${table(head, treeRows(links, null, 0, fits))}

${table(['joint', 'type', 'lower', 'upper', 'velocity', 'mimics'], moving.map(jointRow))}

${table(
  [`allowed (${allowed.length} pairs)`, '', 'reason'],
  allowed.map((pair) => [...pair]),
)}
${namesOf(summary)}`;
}

/** Formats groups, states, end effectors and passive joints, one line each; empty if the SRDF names none. */
function namesOf({ groups, states, group_states, end_effectors, passive }: RobotSummary): string {
  const groupStates = Object.entries(group_states);
  const rows = [
    ...Object.entries(groups).map(([name, joints]) => [`group ${name}`, joints.join(', ')]),
    ...end_effectors.map(({ name, group, parent_link }) => [
      `end effector ${name}`,
      `group ${group}, on ${parent_link}`,
    ]),
    ...(states.length > 0 ? [['states', states.join(', ')]] : []),
    // with one group, its states are all states
    ...(groupStates.length > 1 ? groupStates.map(([group, names]) => [`states of ${group}`, names.join(', ')]) : []),
    ...(passive.length > 0 ? [['passive joints', passive.join(', ')]] : []),
  ];
  return rows.length === 0 ? '' : `\n${table(['names of the SRDF', ''], rows)}\n`;
}

/** Returns the rows of the links below `parent`, depth first and indented. */
function treeRows(
  links: readonly LinkSummary[],
  parent: string | null,
  depth: number,
  fits: readonly MeshFit[],
): string[][] {
  const below = links.filter((link) => link.parent === parent);
  return below.flatMap((link) => [linkRow(link, depth, fits), ...treeRows(links, link.name, depth + 1, fits)]);
}

function linkRow(link: LinkSummary, depth: number, fits: readonly MeshFit[]): string[] {
  const { name, collisions, triangles, hull_vertices, volume } = link;
  const indented = ' '.repeat(2 * depth) + name;
  if (collisions === 0) return [indented, '-', '', '', '', '', ''];
  const litres = (cubic: number) => `${(Math.round(1e5 * cubic) / 100 + 0).toFixed(2)} l`; // never -0.00
  if (triangles === 0) return [indented, String(collisions), '', '', litres(volume), '', ''];
  const own = fits.filter((fit) => fit.link === name);
  const solid = own.reduce(
    (sum, fit) => sum + (fit.fatness === undefined ? Number.NaN : fit.hullVolume / fit.fatness),
    0,
  );
  const exact = own.reduce((sum, fit) => sum + fit.hullVolume, 0);
  // simplified hulls contain the exact ones and have more volume
  const hulls = own.length === collisions ? volume : exact;
  const fit = Number.isNaN(solid) ? ['open', ''] : [(hulls / solid).toFixed(2), litres(hulls - solid)];
  return [indented, String(collisions), String(triangles), String(hull_vertices), litres(volume), ...fit];
}

function jointRow({ name, type, limits, mimic }: JointSummary): string[] {
  const length = type === 'prismatic' ? 'm' : 'rad';
  const shown = (value: number | null | undefined, unit: string) =>
    value == null ? '-' : `${Number(value.toFixed(4))} ${unit}`;
  const mimics = mimic ? `${mimic.multiplier} ${mimic.joint} + ${mimic.offset}` : '';
  return [
    name,
    type,
    shown(limits?.lower, length),
    shown(limits?.upper, length),
    shown(limits?.velocity, `${length}/s`),
    mimics,
  ];
}
