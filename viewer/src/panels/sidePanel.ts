import type { PageData, PathConstraint, Replay, Step, Trajectory } from 'elbowroom';
import { writeAddress } from '../address.ts';
import { element, refill, section } from '../dom.ts';
import type { SceneDocument } from '../editing/sceneDocument.ts';
import type { StepContext } from '../editing/stepForm.ts';
import { ConstraintPanel } from './constraintPanel.ts';
import { CoordinationPanel } from './coordinationPanel.ts';
import { FallPanel } from './fallPanel.ts';
import type { RobotPanel } from './robotPanel.ts';
import { StepPanel } from './stepPanel.ts';

/** Contents of the sections that do not depend on the kind of the page. */
export interface SideParts {
  readonly tool: HTMLElement;
  readonly joints: HTMLElement;
  readonly plan: HTMLElement;
  readonly motion: HTMLElement;
  readonly plans: HTMLElement;
  readonly record: HTMLElement;
  readonly obstacles: HTMLElement;
  /** Goal poses and constraints; undefined if there are none that can be edited. */
  readonly frames: HTMLElement | undefined;
  readonly layers: HTMLElement;
  /** Diagnostics, limits and allowed pairs of a robot without a scene. */
  readonly robot: RobotPanel | undefined;
  /** The text of the scene, if it can be edited. */
  readonly document: SceneDocument | undefined;
  /** Returns what the forms of steps offer. */
  readonly stepContext: () => StepContext;
  /** Called when the user selects a time. */
  readonly onChoose: (time: number) => void;
}

/**
 * The column beside the stage. Replays of `settle` and `coordinate` have no joints to drag and nothing to plan, a robot
 * without a scene has its diagnostics instead; programs have their steps, scenes with constraints their list.
 */
export class SidePanel {
  readonly root: HTMLElement;
  private readonly motionSection: HTMLDetailsElement;
  private readonly plansSection: HTMLDetailsElement;
  private readonly obstaclesSection: HTMLDetailsElement;
  private readonly framesSection: HTMLDetailsElement | undefined;
  private steps: StepPanel | undefined;
  private readonly stepPlace = element('div', {});
  private readonly constraints: ConstraintPanel;
  private readonly fall: FallPanel | undefined;
  private readonly diagramPlace = element('div', {});
  private diagram: CoordinationPanel | undefined;

  constructor(
    private readonly data: PageData,
    private readonly parts: SideParts,
  ) {
    const { problem, settling, coordination, failure } = data;
    const { scene, robot } = problem;
    const { tool, joints, plan, motion, plans, record, obstacles, layers, robot: inspected, onChoose } = parts;
    const isReplay = settling !== undefined || coordination !== undefined;
    this.motionSection = section(coordination ? 'Clearance' : 'Motion', coordination !== undefined, motion);
    this.plansSection = section('Compare plans', false, plans);
    this.obstaclesSection = section('Obstacles', false, obstacles);
    this.framesSection = parts.frames && section('Goal poses and constraints', false, parts.frames);
    this.setSteps(scene.steps);
    this.constraints = new ConstraintPanel(scene, robot);
    this.fall = settling && new FallPanel(settling, onChoose);
    const sections = [
      ...(this.fall ? [section('Fall', true, this.fall.root)] : []),
      ...(coordination ? [section('Coordination', true, this.diagramPlace)] : []),
      ...(this.steps ? [section('Steps', true, this.stepPlace)] : []),
      ...(isReplay
        ? []
        : [
            section('Joints', this.steps === undefined, joints),
            section('Tool frame', false, tool),
            ...(inspected ? [] : [section('Plan', true, plan)]),
          ]),
      ...(inspected
        ? [
            section('Diagnostics', true, inspected.findings),
            section('Joint limits', false, inspected.limits),
            section('Pairs that may touch', false, inspected.pairs),
          ]
        : []),
      ...(this.constraints.isEmpty ? [] : [section('Constraints', true, this.constraints.root)]),
      ...(settling || inspected ? [] : [this.motionSection]),
      ...(isReplay || inspected ? [] : [this.plansSection, this.obstaclesSection]),
      ...(this.framesSection && !isReplay && !inspected ? [this.framesSection] : []),
      section('Record', false, record),
      section('Show', false, layers),
    ];
    this.root = element(
      'aside',
      { class: 'side' },
      element('header', {}, this.title(), element('p', {}, scene.description ?? robot.name)),
      ...(failure ? [element('p', { class: 'failure', role: 'alert' }, failure)] : []),
      ...sections,
    );
  }

  /** Lists the steps of an edited program. */
  setSteps(steps: readonly Step[] | undefined): void {
    const { onChoose, document, stepContext } = this.parts;
    const editing = document && { document, context: stepContext() };
    this.steps = steps && new StepPanel(steps, onChoose, editing);
    refill(this.stepPlace, ...(this.steps ? [this.steps.root] : []));
  }

  /** Opens the section of the motion, with the times of its steps. */
  openMotion(trajectory?: Trajectory): void {
    this.motionSection.open = true;
    if (trajectory) this.steps?.show(trajectory);
  }

  /** Opens the list of obstacles. */
  openObstacles(): void {
    this.obstaclesSection.open = true;
  }

  /** Opens the list of goal poses and constraints. */
  openFrames(): void {
    if (this.framesSection) this.framesSection.open = true;
  }

  /** Opens the section that compares plans. */
  openPlans(): void {
    this.plansSection.open = true;
  }

  /** Shows the diagrams of a schedule. */
  openSchedule(replay: Replay): void {
    const { coordination } = this.data;
    if (!coordination) return;
    this.diagram = new CoordinationPanel(coordination, replay, this.parts.onChoose);
    this.diagramPlace.replaceChildren(this.diagram.root);
  }

  closeMotion(): void {
    this.steps?.clear();
  }

  showTime(time: number): void {
    this.steps?.showTime(time);
    this.fall?.showTime(time);
    this.diagram?.showTime(time);
  }

  /** Shows which of the constraints that apply are violated. */
  judge(applied: readonly PathConstraint[], violated: readonly string[]): void {
    this.constraints.show(applied, violated);
  }

  /** Returns the heading: the name of the scene, or a selection if there are several. */
  private title(): HTMLElement {
    const { title, scenes = [] } = this.data;
    if (scenes.length < 2) return element('h1', {}, title);
    const choice = element('select', {
      'aria-label': 'Scene',
      onchange: () => {
        writeAddress({ scene: choice.value });
        location.reload();
      },
    });
    for (const name of scenes) choice.append(element('option', { value: name, selected: name === title }, name));
    return element('h1', {}, choice);
  }
}
