import * as z from 'zod';
import { keys } from '../../scenes/schemaParts.ts';
import { CALIBRATION_HASH } from '../urdfElements.ts';

const origin = keys({
  x: z.number(),
  y: z.number(),
  z: z.number(),
  roll: z.number(),
  pitch: z.number(),
  yaw: z.number(),
});

/** The file of a calibration, as the driver of Universal Robots writes it. */
export const calibrationSchema = keys({
  kinematics: keys({
    shoulder: origin,
    upper_arm: origin,
    forearm: origin,
    wrist_1: origin,
    wrist_2: origin,
    wrist_3: origin,
    hash: z.string().regex(CALIBRATION_HASH, 'must be calib_ and digits, as the driver writes it'),
  }),
});
