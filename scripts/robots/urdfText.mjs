// Pieces of a URDF made of plain shapes.

/** A robot of links and joints, in the order given. `source`: the script, for the comment at the head. */
export function robotText(name, source, links, joints) {
  return `<?xml version="1.0"?>
<!-- Made by ${source}; README.md says where each number is from. -->
<robot name="${name}">
${links.join('\n')}

${joints.join('\n')}
</robot>
`;
}

/** A link and its collision shapes. */
export function link(name, ...shapes) {
  return shapes.length === 0 ? `  <link name="${name}"/>` : `  <link name="${name}">\n${shapes.join('\n')}\n  </link>`;
}

/** Edges along x, y, z, and the middle; metres. */
export const box = (size, at) => shape(`<box size="${size.join(' ')}"/>`, at);

export const sphere = (radius, at) => shape(`<sphere radius="${radius}"/>`, at);

/** Between two points that differ along one axis only; a capsule's caps reach beyond them. */
export const cylinder = (radius, from, to) => along('cylinder', radius, from, to);
export const capsule = (radius, from, to) => along('capsule', radius, from, to);

function along(kind, radius, from, to) {
  const way = to.map((x, i) => x - from[i]);
  const axis = way.findIndex((x) => Math.abs(x) > 1e-9);
  const rpy = [
    [0, Math.PI / 2, 0],
    [Math.PI / 2, 0, 0],
    [0, 0, 0],
  ][axis];
  const middle = to.map((x, i) => exact((x + from[i]) / 2));
  return shape(`<${kind} radius="${radius}" length="${exact(Math.abs(way[axis]))}"/>`, middle, rpy);
}

function shape(geometry, at, rpy = [0, 0, 0]) {
  return `    <collision>
      <origin xyz="${at.map(exact).join(' ')}" rpy="${rpy.join(' ')}"/>
      <geometry>${geometry}</geometry>
    </collision>`;
}

/** `limit`: lower, upper, velocity, acceleration, effort; none for fixed joints. `mimic`: the joint that it follows. */
export function joint(name, type, parent, child, { xyz = [0, 0, 0], rpy = [0, 0, 0], axis = [0, 0, 1], limit, mimic }) {
  const limits = limit && Object.entries(limit).map(([key, value]) => `${key}="${value}"`);
  return [
    `  <joint name="${name}" type="${type}">`,
    `    <parent link="${parent}"/>`,
    `    <child link="${child}"/>`,
    `    <origin xyz="${xyz.map(exact).join(' ')}" rpy="${rpy.join(' ')}"/>`,
    ...(type === 'fixed' ? [] : [`    <axis xyz="${axis.join(' ')}"/>`]),
    ...(limits ? [`    <limit ${limits.join(' ')}/>`] : []),
    ...(mimic ? [`    <mimic joint="${mimic}"/>`] : []),
    '  </joint>',
  ].join('\n');
}

export const degrees = (angle) => (angle * Math.PI) / 180;

/** Without the last bits of sums of decimals. */
const exact = (x) => Math.round(x * 1e9) / 1e9 + 0;
