import type { Configuration, Pose } from 'elbowroom';
import type { Contents } from '../contents.ts';
import { element } from '../dom.ts';
import { type Engine, latest } from '../engine/engine.ts';
import type { IkBranch, IkBranches } from '../engine/questions.ts';
import { fromRollPitchYaw, poseOf, rollPitchYaw } from '../stage/rollPitchYaw.ts';
import type { Stage } from '../stage/stage.ts';

/** What a chosen configuration becomes: the shown state, the start or the goal. */
export type Target = 'state' | 'start' | 'goal';

export interface TargetState {
  /** Its configuration; that of the shown state if it has none. */
  readonly q: Configuration;
  /** Pose of the tool frame, if it has no configuration but a pose. */
  readonly pose: Pose | undefined;
  /** Time of the collision checks. */
  readonly time: number;
}

export interface ToolEditorOptions {
  readonly engine: Engine;
  readonly stage: Stage;
  readonly contents: Contents;
  /** Programs have no goal. */
  readonly targets: readonly Target[];
  /** Returns where a target is. */
  readonly stateOf: (target: Target) => TargetState;
  /** Called with the configuration that the user has chosen. */
  readonly onChoose: (target: Target, q: readonly number[]) => void;
}

const LABELS: Readonly<Record<Target, string>> = { state: 'Shown state', start: 'Start', goal: 'Goal' };
const FIELDS = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'] as const;

/**
 * Moves the tool frame of the shown state, the start or the goal. Lists all solutions of inverse kinematics for its
 * pose with their collisions, and draws the nearest one; nothing changes until the user chooses one.
 */
export class ToolEditor {
  readonly root: HTMLElement;
  private readonly fields: readonly HTMLInputElement[];
  private readonly branches = element('ol', { class: 'branches', id: 'branches', 'aria-label': 'IK solutions' });
  private readonly status = element('p', { class: 'hint', role: 'status', id: 'tool-status' });
  private readonly buttons: ReadonlyMap<Target, HTMLButtonElement>;
  private target: Target | undefined;
  /** Counts poses and scenes, so that solutions for an earlier one are discarded. */
  private revision = 0;
  private near: readonly number[] = [];
  private readonly solve: (revision: number) => void;

  constructor(private readonly options: ToolEditorOptions) {
    const { stage, targets, contents } = options;
    this.buttons = new Map(
      targets.map((target) => {
        const onclick = () => (this.target === target ? this.close() : this.open(target));
        const button = element('button', { type: 'button', id: `tool-${target}`, onclick }, LABELS[target]);
        button.setAttribute('aria-pressed', 'false');
        return [target, button];
      }),
    );
    this.fields = FIELDS.map((name, i) =>
      element('input', {
        type: 'number',
        step: i < 3 ? '0.01' : '1',
        disabled: true,
        'aria-label': `tool ${name}`,
        onchange: () => this.readFields(),
      }),
    );
    const turn = element('input', {
      type: 'checkbox',
      id: 'tool-turn',
      onchange: () => stage.turnHandles(turn.checked),
    });
    this.root = element(
      'div',
      { class: 'edit tool' },
      element('p', { class: 'hint' }, 'Select what to move, drag its tool frame, then choose a solution.'),
      element('div', { class: 'tools' }, ...this.buttons.values()),
      element('div', { class: 'tools pose' }, ...this.fields.slice(0, 3), 'm'),
      element('div', { class: 'tools pose' }, ...this.fields.slice(3), '°'),
      element('label', { class: 'tools' }, turn, 'handles turn the frame'),
      this.status,
      this.branches,
    );
    this.solve = latest(async (revision: number) => {
      if (revision !== this.revision || !this.target) return;
      const { time } = options.stateOf(this.target);
      try {
        const answer = await options.engine.ask('ik', { pose: this.pose, near: this.near, time });
        if (revision === this.revision) this.list(answer);
      } catch (error) {
        if (revision !== this.revision) return;
        contents.setPreview(undefined);
        this.status.textContent = error instanceof Error ? error.message : String(error);
      }
    });
  }

  /** Solves again after the scene or the state has changed: the solutions shown were those of the previous one. */
  refresh(): void {
    if (this.target) this.open(this.target);
  }

  private open(target: Target): void {
    const { contents, stage, stateOf } = this.options;
    const { q, pose: given } = stateOf(target);
    const own = contents.toolPoseOf(q);
    const pose = own && (given ?? own);
    if (!pose) {
      this.close();
      this.status.textContent = 'The robot has several ends: state tcp in the scene to move its tool frame.';
      return;
    }
    this.target = target;
    this.near = [...q];
    const { handle } = contents;
    handle.position.set(...pose.xyz);
    const [w, x, y, z] = pose.quat_wxyz;
    handle.quaternion.set(x, y, z, w);
    handle.visible = true;
    handle.name = LABELS[target];
    for (const [one, button] of this.buttons) button.setAttribute('aria-pressed', String(one === target));
    for (const field of this.fields) field.disabled = false;
    stage.drag(handle, {
      onDrag: () => this.changed(),
      onDrop: () => {},
      onEnd: () => this.close(),
    });
    this.changed();
  }

  /** Removes the frame and its solutions. */
  close(): void {
    if (!this.target) return;
    const { contents, stage } = this.options;
    this.revision++;
    this.target = undefined;
    contents.handle.visible = false;
    contents.setPreview(undefined);
    this.branches.replaceChildren();
    this.status.textContent = '';
    for (const button of this.buttons.values()) button.setAttribute('aria-pressed', 'false');
    for (const field of this.fields) field.disabled = true;
    stage.release([contents.handle]);
  }

  private get pose(): Pose {
    const { position, quaternion } = this.options.contents.handle;
    return poseOf(position, quaternion);
  }

  private readFields(): void {
    const { handle } = this.options.contents;
    const values = this.fields.map((field) => field.valueAsNumber);
    if (!values.every(Number.isFinite)) return;
    handle.position.fromArray(values);
    handle.quaternion.copy(fromRollPitchYaw(values.slice(3)));
    this.changed();
  }

  /** Solves for the pose of the frame, and removes the solutions of the previous pose. */
  private changed(): void {
    const { contents, stage } = this.options;
    const { position, quaternion } = contents.handle;
    const values = [...position.toArray(), ...rollPitchYaw(quaternion)];
    for (const [i, field] of this.fields.entries()) field.value = String(Number(values[i].toFixed(i < 3 ? 4 : 2)));
    this.revision++;
    this.branches.replaceChildren();
    this.status.textContent = 'Solving …';
    stage.invalidate();
    this.solve(this.revision);
  }

  private list({ branches, reason }: IkBranches): void {
    const { contents, onChoose } = this.options;
    const [nearest] = branches;
    contents.setPreview(nearest?.q, nearest !== undefined && !isFree(nearest));
    const target = this.target ?? 'state';
    this.status.textContent =
      reason ?? `${branches.length} ${branches.length === 1 ? 'solution' : 'solutions'}, by distance (rad, m):`;
    this.branches.replaceChildren(
      ...branches.map((branch) => {
        const { q } = branch;
        const button = element(
          'button',
          {
            type: 'button',
            onclick: () => onChoose(target, q),
            onpointerenter: () => contents.setPreview(q, !isFree(branch)),
            onfocus: () => contents.setPreview(q, !isFree(branch)),
          },
          describe(branch),
        );
        if (!isFree(branch)) button.className = 'colliding';
        return element('li', {}, button);
      }),
    );
  }
}

const isFree = ({ collisions, constraints }: IkBranch) => collisions.length === 0 && constraints.length === 0;

function describe(branch: IkBranch): string {
  const { collisions, constraints, away } = branch;
  const distance = away.toFixed(2);
  if (collisions.length > 0) return `${distance}: ${collisions[0].join(' and ')} collide`;
  return constraints.length > 0 ? `${distance}: violates ${constraints.join(', ')}` : `${distance}: free`;
}
