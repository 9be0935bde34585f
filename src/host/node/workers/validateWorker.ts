import { workerData } from 'node:worker_threads';
import { createSceneRobot } from '../../../tasks/sceneRobot.ts';
import { ValidationLines } from '../../../tasks/validation/validationLines.ts';
import type { ValidationReply, ValidationTask, ValidationThreadData } from '../validationThreads.ts';

let lines: ValidationLines | undefined;

/** Validates a block of lines of a list. */
export default function validate({ text, place, name }: ValidationTask): ValidationReply {
  const { robot, scene, options } = workerData as ValidationThreadData;
  lines ??= new ValidationLines(createSceneRobot({ scene, robot }), scene, options, name);
  const { read, unreadable, invalid } = lines;
  lines.resumeAt(place);
  const answers = lines.to(text.split('\n'));
  return {
    answers,
    read: lines.read - read,
    unreadable: lines.unreadable - unreadable,
    invalid: lines.invalid - invalid,
  };
}
