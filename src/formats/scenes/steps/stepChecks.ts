import type { PathConstraint } from '../../../core/scene/constraints.ts';
import type { Goal } from '../../../core/scene/goals.ts';
import { isMotionStep, type LineTarget, type Step } from '../../../core/scene/program.ts';
import type { Path } from '../../text/sourceText.ts';

/** Checks of names against the robot, which report errors with their place. */
export interface NameChecks {
  name(name: string, choices: readonly string[], kind: string, path: Path): void;
  link(name: string | undefined, path: Path): void;
  goal(goal: Goal, path: Path, objects: StepObjects): void;
  constraints(constraints: readonly PathConstraint[], path: Path): void;
}

/** Names of the obstacles and attached objects of a scene. */
export interface StepObjects {
  readonly obstacles: readonly string[];
  readonly attached: readonly string[];
  /** Names of the obstacles that have a motion. */
  readonly moving?: readonly string[];
}

/**
 * Checks the names in the steps of a program: of links, and of the objects that exist, or are attached, at each step.
 * @param links of the robot, then of other robots
 */
export function checkSteps(
  check: NameChecks,
  steps: readonly Step[],
  links: readonly string[],
  initial: StepObjects,
): void {
  let { obstacles, attached, moving = [] } = initial;
  for (const step of steps) {
    const path: Path = ['steps', step.index];
    const known = [...links, ...obstacles, ...attached];
    if (isMotionStep(step)) check.constraints(step.constraints, path);
    if (step.kind === 'move')
      for (const [i, goal] of step.goals.entries())
        check.goal(goal, [...path, 'move', ...(step.goals.length > 1 ? [i] : [])], { obstacles, attached, moving });
    else if (step.kind === 'path') checkPathFrame(check, step.frame, { obstacles, attached, moving }, path);
    else if (isMotionStep(step)) checkFrames(check, step.kind === 'line' ? step.targets : [], path);
    else if (step.kind === 'attach') {
      const kind = attached.includes(step.object)
        ? 'obstacle then: it is attached'
        : links.includes(step.object)
          ? 'obstacle: it is a link of the robot, and only obstacles of the scene can be attached'
          : 'obstacle then';
      check.name(step.object, obstacles, kind, [...path, 'attach']);
      check.link(step.link, [...path, 'link']);
      for (const [i, other] of step.touches.entries()) check.name(other, known, 'body', [...path, 'touches', i]);
      obstacles = obstacles.filter((name) => name !== step.object);
      moving = moving.filter((name) => name !== step.object);
      attached = [...attached, step.object];
    } else if (step.kind === 'detach') {
      const kind = obstacles.includes(step.object)
        ? 'attached object then: it is an obstacle, attach it before'
        : 'attached object then';
      check.name(step.object, attached, kind, [...path, 'detach']);
      attached = attached.filter((name) => name !== step.object);
      obstacles = [...obstacles, step.object];
    } else if (step.kind === 'allow' || step.kind === 'forbid') {
      for (const [i, pair] of step.pairs.entries())
        for (const [k, name] of pair.entries()) check.name(name, known, 'body', [...path, step.kind, i, k]);
    }
  }
}

function checkPathFrame(check: NameChecks, frame: string, { obstacles, moving = [] }: StepObjects, path: Path): void {
  if (frame === 'world') return;
  const place = [...path, 'path', 'frame'];
  const still = obstacles.filter((name) => !moving.includes(name));
  if (!obstacles.includes(frame)) check.link(frame, place);
  else check.name(frame, still, 'obstacle that does not move by itself', place);
}

function checkFrames(check: NameChecks, targets: readonly LineTarget[], path: Path): void {
  for (const target of targets)
    if (target.kind === 'by' && target.frame !== 'world' && target.frame !== 'tcp')
      check.link(target.frame, [...path, 'line', 'frame']);
}
