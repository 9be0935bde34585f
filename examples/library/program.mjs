// Plans a program of steps, checks it, and verifies its certificate with the independent checker.
import { checkProgram, createSceneRobot, planProgram, verifyProgram } from 'elbowroom';
import { loadScene } from 'elbowroom/node';

const { scene, robot } = await loadScene('pick-and-place');
const { trajectory, certificate, reason } = planProgram({ scene, robot }, { certificate: true });
if (!trajectory) throw new Error(reason);
for (const { step, kind, name = kind, from, to } of trajectory.segments)
  console.log(`step ${step}: ${name}, ${from.toFixed(2)} s to ${to.toFixed(2)} s`);
const model = createSceneRobot({ scene, robot });
const { valid } = checkProgram(model, scene, trajectory, { checker: 'growth-distance' });
console.log(`valid: ${valid}, proved: ${verifyProgram(certificate, model, scene, trajectory).proved}`);
