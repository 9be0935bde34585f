import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import type { Urdf } from '../../formats/robots/urdf.ts';
import { type FilledLimits, fillLimits, withLimits } from '../../formats/robots/writing/filledLimits.ts';
import { readJointLimits } from '../../formats/robots/writing/jointLimitsFile.ts';
import type { Observations } from './packages/observations.ts';
import { readInputText } from './readFiles.ts';

/** Returns the limits that a `joint_limits.yaml` adds to those of a robot: see `fillLimits`. */
export async function readFilledLimits(
  joints: readonly JointDescription[],
  file: string,
  observed: Observations,
): Promise<FilledLimits> {
  observed.file(file);
  return fillLimits(joints, await readJointLimits(await readInputText(file), file), file);
}

/** Returns a robot with the limits of a `joint_limits.yaml`, if one is given. */
export async function limited(urdf: Urdf, file: string | undefined, observed: Observations): Promise<Urdf> {
  if (file === undefined) return urdf;
  const { tree, warnings } = urdf;
  const filled = await readFilledLimits(tree.joints, file, observed);
  return {
    ...urdf,
    tree: { ...tree, joints: withLimits(tree.joints, filled) },
    warnings: [...warnings, ...filled.warnings],
  };
}
