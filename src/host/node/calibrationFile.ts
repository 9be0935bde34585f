import type { JointDescription } from '../../core/kinematics/robotModel.ts';
import { type Calibration, readCalibration } from '../../formats/robots/calibration/calibration.ts';
import type { Urdf } from '../../formats/robots/urdf.ts';
import { quaternionFromRpy } from '../../formats/text/xmlNumbers.ts';
import type { Observations } from './packages/observations.ts';
import { readInputText } from './readFiles.ts';

/** Reads the calibration of the arm of a robot: see `readCalibration`. */
export async function readCalibrationFile(
  joints: readonly JointDescription[],
  file: string,
  observed: Observations,
): Promise<Calibration> {
  observed.file(file);
  return readCalibration(await readInputText(file), file, joints);
}

/** Returns a robot whose joints have the origins of a calibration, if one is given. */
export async function calibrated(urdf: Urdf, file: string | undefined, observed: Observations): Promise<Urdf> {
  if (file === undefined) return urdf;
  const { tree } = urdf;
  const { hash, origins } = await readCalibrationFile(tree.joints, file, observed);
  const joints = tree.joints.map((joint) => {
    const { xyz, rpy } = origins.get(joint.name) ?? {};
    return xyz && rpy ? { ...joint, origin: { xyz, quat_wxyz: quaternionFromRpy(rpy) } } : joint;
  });
  return { ...urdf, tree: { ...tree, joints }, calibration: hash };
}
