// Pieces of URDF and SRDF.

export const limit = '<limit lower="-2" upper="2" velocity="1" effort="5"/>';
export const joint = (name: string, parent: string, child: string, inside = limit, type = 'revolute') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${inside}</joint>`;
export const collision = (geometry: string, origin = '') =>
  `<collision>${origin}<geometry>${geometry}</geometry></collision>`;
export const robot = (...parts: string[]) => `<?xml version="1.0"?>\n<robot name="r">\n${parts.join('\n')}\n</robot>`;
export const twoLinks = '<link name="a"/><link name="b"/>';
