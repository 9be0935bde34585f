/** Kind of warnings that a scene may accept. */
interface WarningKind {
  /** What such a warning states. */
  readonly meaning: string;
  /** Matches the fixed parts of the messages of this kind. */
  readonly pattern: RegExp;
}

/** Code of a kind of warnings, as `accept_warnings` of a scene lists it. */
export type WarningCode =
  | 'no-collision-geometry'
  | 'no-visual-geometry'
  | 'no-velocity-limit'
  | 'no-acceleration-limit'
  | 'joint-limits'
  | 'out-of-limits'
  | 'joint-selection'
  | 'degrees'
  | 'millimetres'
  | 'mesh'
  | 'visual-mesh'
  | 'hull-vertices'
  | 'package'
  | 'shared-base'
  | 'unchecked-pairs';

/**
 * Kinds of warnings about a scene, its robots and their files, by code. A warning without a code, such as one about a
 * hash that does not match, cannot be accepted.
 */
export const warningCodes: Readonly<Record<WarningCode, WarningKind>> = {
  'no-collision-geometry': {
    meaning: 'a link, or all moving links, have no collision geometry',
    pattern: /has visual but no collision geometry: |no link that a planned joint moves has collision geometry /,
  },
  'no-visual-geometry': {
    meaning: 'a link has no visual geometry, so that its collision geometry is used',
    pattern: /has no visual geometry: its collision geometry is used/,
  },
  'no-velocity-limit': {
    meaning: 'no velocity limit is stated for a joint, or an implausible one',
    pattern: /: no velocity limit is stated for | turn without limits, as wheels do|, more than any arm reaches/,
  },
  'no-acceleration-limit': {
    meaning: 'no acceleration limit is stated for a joint, so that one is assumed',
    pattern: /: no acceleration limit is stated for /,
  },
  'joint-limits': {
    meaning: 'limits of a joint are ignored, cut, 0, a single value, or narrowed by a mimic joint',
    pattern:
      /is continuous: its (range|limits) |negative: taken as not stated|limit is 0: |: it cannot move|, 0 is taken: |the bound on joint values|without limited="true"|are narrowed to those of /,
  },
  'out-of-limits': {
    meaning: 'a joint is kept at a value out of its limits',
    pattern: / is kept at .* out of its limits /,
  },
  'joint-selection': {
    meaning: 'all joints of a robot with several groups are planned, or joints of its base are not',
    pattern: /independent joints are planned \(|its base stays with /,
  },
  degrees: {
    meaning: 'an angle without unit is probably in degrees',
    pattern: /is read as radians, which is more than a full turn/,
  },
  millimetres: {
    meaning: 'a length or speed is probably in millimetres',
    pattern: /sizes are metres, not millimetres|m long; in millimetres\?|faster than any arm|is read as metres, /,
  },
  mesh: {
    meaning: 'a part of a mesh or point cloud, or its viewpoint, is left out',
    pattern:
      /triangles have no area|lines and splines are left out|mesh is taken undeformed|only visual scene is taken|every <geometry> is taken once|points are not finite and left out|VIEWPOINT .* is not applied/,
  },
  'visual-mesh': {
    meaning: 'a visual mesh cannot be read; it is only drawn',
    pattern: /\(visual geometry: not needed for collision checking\)/,
  },
  'hull-vertices': {
    meaning: 'hulls with fewer vertices, as the scene states, are larger',
    pattern: /hulls of at most \d+ vertices: /,
  },
  package: {
    meaning: 'a package of a mesh address is ambiguous, unknown or misspelled',
    pattern: /several folders are package |with two slashes|is not known: \$\(find |in the sources of its package/,
  },
  'shared-base': {
    meaning: 'two robots have the same base',
    pattern: /is exactly that of .*; state its pose/,
  },
  'unchecked-pairs': {
    meaning: 'links on two arms are allowed to collide, so that no contact of them is found',
    pattern: / of links on two arms that are not checked/,
  },
};

/** Returns the code of a warning; undefined if it cannot be accepted. */
export function warningCode(warning: string): WarningCode | undefined {
  const codes = Object.keys(warningCodes) as WarningCode[];
  return codes.find((code) => warningCodes[code].pattern.test(warning));
}

/** Returns the warnings that a scene does not accept, in order. */
export function unacceptedWarnings(
  warnings: readonly string[],
  { acceptedWarnings = [] }: { readonly acceptedWarnings?: readonly WarningCode[] },
): string[] {
  if (acceptedWarnings.length === 0) return [...warnings];
  return warnings.filter((warning) => {
    const code = warningCode(warning);
    return code === undefined || !acceptedWarnings.includes(code);
  });
}
