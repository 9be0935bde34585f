import { ELBOW, type ToolCenterPoint } from '../../core/kinematics/toolCenterPoint.ts';
import type { PairClearance } from '../../core/scene/clearances.ts';
import type { PathConstraint } from '../../core/scene/constraints.ts';
import type { Path } from '../text/sourceText.ts';
import { orderedRange, readAngleLimit, readDirection } from './readConstraints.ts';
import type { RawClearance, RawSafety } from './safetySchema.ts';
import type { ValueReader } from './valueReader.ts';

type Triple = readonly [number, number, number];
type Plane = NonNullable<RawSafety['planes']>[number];

const IDENTITY = [1, 0, 0, 0] as const;

/** Units of limits on forces and times, which may follow their numbers. */
const UNITS = { momentum: /kg\s*\*?\s*m\s*\/\s*s\s*$/, power: /W\s*$/, stopping_time: /m?s\s*$/ } as const;

/**
 * Reads `safety` as path constraints: planes as regions of the points that they keep, each sphere of the tool about its
 * center. Their names are those of results.
 * @param tcp of the scene; the spheres are in the frame of its link
 */
export function readSafety(reader: ValueReader, given: RawSafety, tcp: ToolCenterPoint | undefined): PathConstraint[] {
  const path: Path = ['safety'];
  const spheres = (given.tool ?? []).map(({ xyz, radius }, i) => {
    const place = [...path, 'tool', i];
    const center = reader.numbers(xyz, 'length', [...place, 'xyz']) as unknown as Triple;
    const frame = { ...(tcp?.link !== undefined && { link: tcp.link }), pose: { xyz: center, quat_wxyz: IDENTITY } };
    return { frame, radius: reader.positive(radius, 'length', [...place, 'radius']) };
  });
  const out = (given.planes ?? []).flatMap((plane, i) => readPlane(reader, plane, spheres, [...path, 'planes', i]));
  const speed = (key: 'tcp_speed' | 'elbow_speed', raw: number | string, frame = {}): PathConstraint => ({
    type: 'speed',
    name: key,
    ...frame,
    most: reader.positive(raw, 'length', [...path, key], 1),
  });
  if (given.tool_direction !== undefined) {
    const { axis, towards, within } = given.tool_direction;
    const place = [...path, 'tool_direction'];
    out.push({
      type: 'tilt',
      name: 'tool_direction',
      axis: readDirection(reader, axis, [...place, 'axis']),
      towards: readDirection(reader, towards, [...place, 'towards']),
      within: readAngleLimit(reader, within, [...place, 'within']),
    });
  }
  if (given.tcp_speed !== undefined) out.push(speed('tcp_speed', given.tcp_speed));
  if (given.elbow_speed !== undefined) out.push(speed('elbow_speed', given.elbow_speed, { frame: ELBOW }));
  for (const [joint, raw] of Object.entries(given.joint_speed ?? {})) {
    const place = [...path, 'joint_speed', joint];
    const most = reader.jointNumber(raw, joint, place, 1);
    if (!(most > 0) && !reader.needsExpressions) reader.report(place, `${JSON.stringify(raw)}, must be greater than 0`);
    out.push({ type: 'joint_speed', name: `joint_speed:${joint}`, joint, most });
  }
  for (const [joint, raw] of Object.entries(given.joint_range ?? {})) {
    const place = [...path, 'joint_range', joint];
    const range = orderedRange(reader, raw, place, (value, at) => reader.jointNumber(value, joint, at));
    out.push({ type: 'joint', name: `joint_range:${joint}`, joint, range });
  }
  for (const type of ['momentum', 'power', 'stopping_time'] as const) {
    const raw = given[type];
    if (raw === undefined) continue;
    const number = typeof raw === 'string' ? raw.replace(UNITS[type], '') : raw;
    const factor = typeof raw === 'string' && /ms\s*$/.test(raw) ? 1e-3 : 1;
    const most = factor * reader.positive(number, 'ratio', [...path, type]);
    if (factor !== 1) reader.quantities.push({ path: [...path, type], value: most });
    out.push({ type, name: type, most });
  }
  if (given.stopping_distance !== undefined) {
    const most = reader.positive(given.stopping_distance, 'length', [...path, 'stopping_distance']);
    out.push({ type: 'stopping_distance', name: 'stopping_distance', most });
  }
  return out;
}

/** Returns a region for each point that a plane keeps: the half-space behind the plane, moved by the radius. */
function readPlane(
  reader: ValueReader,
  { name, point, normal, keep = ['tcp', 'elbow', 'tool'] }: Plane,
  spheres: readonly { readonly frame: ToolCenterPoint; readonly radius: number }[],
  path: Path,
): PathConstraint[] {
  const n = readDirection(reader, normal, [...path, 'normal']);
  const at = reader.numbers(point, 'length', [...path, 'point']);
  if (spheres.length === 0 && keep.every((one) => one === 'tool'))
    reader.report([...path, 'keep'], 'the tool has no spheres', 'State them: safety: {tool: [{xyz, radius}]}.');
  const region = (frame: { readonly frame?: ToolCenterPoint }, radius = 0): PathConstraint => ({
    type: 'region',
    name: `plane:${name}`,
    ...frame,
    shape: { type: 'halfspace', normal: n },
    pose: { xyz: at.map((x, i) => x - radius * n[i]) as unknown as Triple, quat_wxyz: IDENTITY },
  });
  return [
    ...(keep.includes('tcp') ? [region({})] : []),
    ...(keep.includes('elbow') ? [region({ frame: ELBOW })] : []),
    ...(keep.includes('tool') ? spheres.map(({ frame, radius }) => region({ frame }, radius)) : []),
  ];
}

/**
 * Least distance of the tool flange from the lower arm of all arms of the e-Series, metres, below which their
 * controller stops (C403A0): Universal_Robots_ROS2_Description#112, by an author of the manufacturer.
 */
const CLAMPING: PairClearance = { a: 'forearm_link', b: 'wrist_3_link', distance: 0.028 };

/** Reads `clearance`, and `robot.clamping`. */
export function readClearances(
  reader: ValueReader,
  given: RawClearance | undefined,
  clamping: boolean | undefined,
): PairClearance[] {
  const stated = (given ?? []).map(([a, b, raw], i) => {
    if (a === b) reader.report(['clearance', i, 1], `it is ${JSON.stringify(b)} twice`);
    return { a, b, distance: reader.positive(raw, 'length', ['clearance', i, 2]) };
  });
  return clamping ? [...stated, CLAMPING] : stated;
}
