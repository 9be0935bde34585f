import { InputError } from '../../../errors.ts';

/**
 * Throws `InputError` if a robot or one of its options is given beside `--scene`, which names its own robot.
 * @param robot the ROBOT operand
 */
export function refuseRobotOptions(
  command: string,
  robot: string | undefined,
  options: {
    readonly srdf: string | undefined;
    readonly geometry: string;
    readonly hullVertices: number | undefined;
    readonly package: Readonly<Record<string, string>>;
    readonly arg: Readonly<Record<string, string>>;
  },
): void {
  const { srdf, geometry, hullVertices } = options;
  const excluded = {
    ROBOT: robot,
    '--srdf': srdf,
    '--geometry': geometry === 'collision' ? undefined : geometry,
    '--hull-vertices': hullVertices,
    '--package': Object.keys(options.package)[0],
    '--arg': Object.keys(options.arg)[0],
  };
  const [other] = Object.entries(excluded).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other === undefined) return;
  throw new InputError(
    `${command}: ${other} and --scene are both given`,
    'The scene names its robot: omit the other option.',
  );
}
