/** Header of a table of poses of the tool center point: see `tcpCsv`. */
export const TCP_HEADER = 'time [s],x [m],y [m],z [m],qw,qx,qy,qz';

/** Column indices of the quantities in a table. */
export interface Columns {
  readonly titles: readonly string[];
  readonly jointNames: readonly string[];
  /** Column of the time; −1 if there is none (a path). */
  readonly time: number;
  /** Columns in the order of `jointNames`, as are the two below. */
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
  readonly accelerations?: readonly number[];
}

type Kind = 'time' | 'positions' | 'velocities' | 'accelerations' | 'effort';

const TIME = /^(t|time|times|time_s|time_from_start|timestamp|sec|secs|seconds)$/i;

/**
 * Characters. Longer titles are not searched for a unit: the time of that search grows quadratically with the length.
 */
const MAX_TITLE_LENGTH = 200;

/** Prefixes and suffixes of joint names in the titles of columns. */
const AFFIXES: readonly (readonly [Kind, RegExp])[] = [
  ['accelerations', /^(?:acc|accel|acceleration|qdd|ddq)[_.:/ ](.+)$|^(.+)[_.:/ ](?:acc|accel|acceleration|ddot)$/i],
  ['velocities', /^(?:vel|velocity|qd|dq)[_.:/ ](.+)$|^(.+)[_.:/ ](?:vel|velocity|dot)$/i],
  ['effort', /^(?:eff|effort|torque|tau)[_.:/ ](.+)$|^(.+)[_.:/ ](?:eff|effort|torque)$/i],
  ['positions', /^(?:pos|position|q)[_.:/ ](.+)$|^(.+)[_.:/ ](?:pos|position)$/i],
];

/** Accepted units of each kind of column: SI units and radians, such as `time [s]`, `shoulder (rad)`. */
const UNITS: Readonly<Record<Kind, RegExp>> = {
  time: /^(s|secs?|seconds?)$/i,
  positions: /^(rad|radians?|m|met(er|re)s?)$/i,
  velocities: /^(rad|m)(\/s| s\^?-1)$/i,
  accelerations: /^(rad|m)(\/s(\^|\*\*)?2|\/s²|\/s\/s| s\^?-2)$/i,
  effort: /^/,
};

/** Returns the unit at the end of a title with its brackets, such as `[s]`; empty if there is none. */
const unitOf = (title: string) => (title.length > MAX_TITLE_LENGTH ? '' : (/[[(][^\])]*[\])]$/.exec(title)?.[0] ?? ''));

/**
 * Determines the columns from the titles of a header. A title names a joint position unless it is the time, or an affix
 * marks it as another quantity of a joint that has a position column.
 * @param joints names of the possible joints, which are not searched for affixes and units; empty if unknown
 * @param report receives each problem
 */
export function columnsOf(
  given: readonly string[],
  joints: readonly string[],
  report: (what: string) => void,
): Columns {
  const units = given.map((title) => (joints.includes(title) ? '' : unitOf(title)));
  const titles = given.map((title, i) =>
    units[i] === '' ? title : title.slice(0, title.length - units[i].length).trimEnd(),
  );
  const kinds = isOwnHeader(titles) ? ownKinds(titles) : titles.map((title) => kindOf(title, titles, joints));
  const indices = (kind: Kind) => kinds.flatMap((column, i) => (column.kind === kind ? [i] : []));
  const jointNames = indices('positions').map((i) => kinds[i].joint);
  for (const [i, { kind, joint }] of kinds.entries()) {
    if (units[i] !== '' && !UNITS[kind].test(units[i].slice(1, -1)))
      report(`column ${i + 1}, ${given[i]}, is not in seconds and radians or metres`);
    else if (titles[i] === '') report(`column ${i + 1} has no name`);
    else if (kinds.findIndex((other) => other.kind === kind && other.joint === joint) !== i)
      report(`column ${i + 1}, ${titles[i]}, is listed twice`);
  }
  if (jointNames.length === 0) report('no column of positions');
  const time = indices('time')[0] ?? -1;

  const inOrder = (kind: Kind) => {
    if (indices(kind).length === 0) return undefined;
    const columns = jointNames.map((name) =>
      kinds.findIndex((column) => column.kind === kind && column.joint === name),
    );
    const missing = jointNames.filter((_, j) => columns[j] < 0);
    if (missing.length > 0) report(`${kind} of ${missing.join(', ')} are missing`);
    if (time < 0) report(`${kind} without a time`);
    return columns;
  };
  const velocities = inOrder('velocities');
  const accelerations = inOrder('accelerations');
  if (accelerations && !velocities) report('accelerations without velocities: controllers do not interpolate these');
  const positions = indices('positions');
  return {
    titles,
    jointNames,
    time,
    positions,
    ...(velocities && { velocities }),
    ...(accelerations && { accelerations }),
  };
}

interface Column {
  readonly kind: Kind;
  readonly joint: string;
}

/**
 * Checks for the header that `csv` writes, `time,NAME,…,vel_NAME,…`. It is unambiguous even if a joint's name begins
 * with `vel_`.
 */
function isOwnHeader(titles: readonly string[]): boolean {
  const dof = (titles.length - 1) / 2;
  return (
    titles[0] === 'time' && dof >= 1 && titles.slice(1 + dof).every((title, j) => title === `vel_${titles[1 + j]}`)
  );
}

function ownKinds(titles: readonly string[]): Column[] {
  const dof = (titles.length - 1) / 2;
  return titles.map((title, i) => {
    if (i === 0) return { kind: 'time', joint: '' };
    return i <= dof ? { kind: 'positions', joint: title } : { kind: 'velocities', joint: titles[i - dof] };
  });
}

function kindOf(title: string, titles: readonly string[], joints: readonly string[]): Column {
  if (joints.includes(title)) return { kind: 'positions', joint: title };
  if (TIME.test(title)) return { kind: 'time', joint: '' };
  for (const [kind, pattern] of AFFIXES) {
    const found = pattern.exec(title);
    const joint = found?.[1] ?? found?.[2];
    if (joint === undefined) continue;
    const hasPosition = titles.some((other) => other !== title && positionName(other) === joint);
    if (kind === 'positions' ? positionName(title) === joint && isKnown(joint, joints) : hasPosition)
      return { kind, joint };
  }
  return { kind: 'positions', joint: title };
}

/** Returns the joint that a title names if it is read as a position: the title without its position affix. */
function positionName(title: string): string {
  const found = AFFIXES[3][1].exec(title);
  return found?.[1] ?? found?.[2] ?? title;
}

/** Checks whether a name may be a joint; true for every name if the joints are unknown. */
const isKnown = (name: string, joints: readonly string[]) => joints.length === 0 || joints.includes(name);
