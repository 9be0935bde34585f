import { workerData } from 'node:worker_threads';
import { linesOf, type ValidationReply, type ValidationTask } from '../validationThreads.ts';

const lines = linesOf(workerData);

/** Validates a block of lines of a list. */
export default function validate({ text, place }: ValidationTask): ValidationReply {
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
