import { pairs, text } from './options.ts';

/** How a robot is found: options of every command with a ROBOT operand. */
export const robotOptions = {
  srdf: text('FILE', 'allowed pairs, named states and groups of a robot given as URDF'),
  package: pairs('NAME=DIR', 'where the files of package://NAME/ are'),
};

/** The operand itself. */
export const robotOperand = { name: 'ROBOT', meaning: 'name of a built-in robot, or path of a URDF' };

/** What `loadRobot` takes of these options. */
export function robotSources(options: { srdf: string | undefined; package: Readonly<Record<string, string>> }) {
  return { packages: options.package, ...(options.srdf === undefined ? {} : { srdf: options.srdf }) };
}
