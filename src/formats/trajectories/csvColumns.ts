/** Which column holds what. */
export interface Columns {
  readonly titles: readonly string[];
  readonly jointNames: readonly string[];
  /** −1: a path. */
  readonly time: number;
  /** In the order of `jointNames`. */
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
  readonly accelerations?: readonly number[];
}

type Kind = 'time' | 'positions' | 'velocities' | 'accelerations' | 'effort';

const TIME = /^(t|time|times|time_s|time_from_start|timestamp|sec|secs|seconds)$/i;

/** Characters; longer ones are taken as they stand, for the search for a unit goes through them again and again. */
const LONGEST_TITLE = 200;

/** What people put before or after the name of a joint. */
const AFFIXES: readonly (readonly [Kind, RegExp])[] = [
  ['accelerations', /^(?:acc|accel|acceleration|qdd|ddq)[_.:/ ](.+)$|^(.+)[_.:/ ](?:acc|accel|acceleration|ddot)$/i],
  ['velocities', /^(?:vel|velocity|qd|dq)[_.:/ ](.+)$|^(.+)[_.:/ ](?:vel|velocity|dot)$/i],
  ['effort', /^(?:eff|effort|torque|tau)[_.:/ ](.+)$|^(.+)[_.:/ ](?:eff|effort|torque)$/i],
  ['positions', /^(?:pos|position|q)[_.:/ ](.+)$|^(.+)[_.:/ ](?:pos|position)$/i],
];

/** Units of each kind of column, all of them SI: `time [s]`, `shoulder (rad)`. */
const UNITS: Readonly<Record<Kind, RegExp>> = {
  time: /^(s|secs?|seconds?)$/i,
  positions: /^(rad|radians?|m|met(er|re)s?)$/i,
  velocities: /^(rad|m)(\/s| s\^?-1)$/i,
  accelerations: /^(rad|m)(\/s(\^|\*\*)?2|\/s²|\/s\/s| s\^?-2)$/i,
  effort: /^/,
};

/** `[s]` at the end of a title, with its brackets. */
const unitOf = (title: string) => (title.length > LONGEST_TITLE ? '' : (/[[(][^\])]*[\])]$/.exec(title)?.[0] ?? ''));

/**
 * Reads the header. A title is a joint's position unless it is the time, or says of a joint that has a position that it is something else.
 * @param joints the joints that there may be, where that is known: their names are taken as they are
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
      report(`column ${i + 1}, ${titles[i]}, stands there twice`);
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
  if (accelerations && !velocities) report('accelerations without velocities: controllers have no curve for that');
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

/** `time,NAME,…,vel_NAME,…` as written here: clear even where a joint's own name begins with `vel_`. */
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

/** The joint whose position a title would be: itself, or what its affix leaves. */
function positionName(title: string): string {
  const found = AFFIXES[3][1].exec(title);
  return found?.[1] ?? found?.[2] ?? title;
}

/** Where the joints are not known, every name may be one. */
const isKnown = (name: string, joints: readonly string[]) => joints.length === 0 || joints.includes(name);
