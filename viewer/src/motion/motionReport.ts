import { type Certificate, type PageData, type RobotModel, type Trajectory, trajectoryHash } from 'elbowroom';
import type { LimitProfile, SplitClearance, UncheckedPairs } from 'elbowroom/types';
import { element } from '../dom.ts';
import type { Engine } from '../engine/engine.ts';
import { ClearancePanel } from '../panels/clearancePanel.ts';
import { clearanceChart, figures, forceCharts, jointCharts, limitTimes, marginCharts } from '../panels/reportPanel.ts';

/**
 * Report of a motion: its statistics, the verification of its certificate, its curves over time; or why there is none.
 */
export class MotionReport {
  readonly root = element('div', { class: 'report' }, 'No motion yet.');
  private charts: { showTime(time: number, isDue?: boolean): void }[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly robot: RobotModel,
    /** Called when the user selects a time. */
    private readonly onChoose: (time: number) => void,
    /** True if the scene or a step has constraints, which are proved with the certificate. */
    private readonly isConstrained: boolean,
    /** Padding of the scene, metres. */
    private readonly padding: () => number,
    /** Called with what the motion uses of its limits, once it is known. */
    private readonly onLimits: (profile: LimitProfile) => void,
  ) {}

  show(
    trajectory: Trajectory,
    certificate: Certificate | undefined,
    stats: PageData['stats'],
    measured: Promise<readonly SplitClearance[]>,
  ): void {
    const waiting = certificate ? 'Verifying the certificate …' : 'The motion has no certificate.';
    const proof = element('p', { class: 'proof', role: 'status', id: 'proof' }, waiting);
    const clearance = element('div', {});
    const margins = element('div', { id: 'margins' });
    const forces = element('div', { id: 'limits' });
    const joints = jointCharts(trajectory, this.robot, this.onChoose);
    this.charts = joints;
    const curves = joints.map((chart) => chart.root);
    this.root.replaceChildren(
      figures(stats, trajectory, this.robot, trajectoryHash(trajectory)),
      proof,
      clearance,
      margins,
      forces,
      ...curves,
    );
    void this.measure(measured, clearance);
    void this.showMargins(trajectory, margins);
    void this.showLimits(trajectory, forces);
    if (certificate) void this.verify(certificate, trajectory, proof);
  }

  /** @param isDue whether texts are updated, too */
  showTime(time: number, isDue: boolean): void {
    for (const chart of this.charts) chart.showTime(time, isDue);
  }

  clear(): void {
    this.charts = [];
    this.root.replaceChildren('No motion.');
  }

  say(text: string): void {
    this.root.replaceChildren(element('p', { class: 'hint', role: 'status' }, text));
  }

  explain(lines: readonly string[]): void {
    const reasons = lines.map((line) => element('li', {}, line));
    this.root.replaceChildren(element('ul', { class: 'reasons', id: 'reasons' }, ...reasons));
  }

  /** Shows the clearance over the time of a schedule, which has no trajectory of its own. */
  showSchedule(): void {
    const clearance = element('div', {});
    this.charts = [];
    this.root.replaceChildren(clearance);
    void this.measureSchedule(clearance);
  }

  private async measure(measured: Promise<readonly SplitClearance[]>, place: HTMLElement): Promise<void> {
    const panel = new ClearancePanel(await measured, this.padding(), this.onChoose);
    if (!place.isConnected) return; // another motion has been opened
    this.charts.push(panel);
    place.replaceChildren(panel.root);
  }

  private async measureSchedule(place: HTMLElement): Promise<void> {
    const samples = await this.engine.ask('profile', null);
    const chart = clearanceChart('Clearance between robots', samples, this.onChoose);
    const least = samples.reduce((best, sample) => (sample.distance < best.distance ? sample : best));
    this.charts.push(chart);
    place.replaceChildren(chart.root);
    if (least.pair) {
      const text =
        `Minimum of ${samples.length} samples: ${(1000 * least.distance).toFixed(1)} mm between ` +
        `${least.pair.join(' and ')} at ${least.time.toFixed(2)}.`;
      place.append(element('p', { class: 'hint' }, text));
    }
  }

  private async showMargins(trajectory: Trajectory, place: HTMLElement): Promise<void> {
    const charts = marginCharts(await this.engine.ask('margins', trajectory), this.onChoose);
    this.charts.push(...charts);
    place.replaceChildren(...charts.map((chart) => chart.root));
  }

  private async showLimits(trajectory: Trajectory, place: HTMLElement): Promise<void> {
    const profile = await this.engine.ask('limits', trajectory);
    if (!place.isConnected) return; // another motion has been opened
    const charts = forceCharts(profile, this.onChoose);
    this.charts.push(...charts);
    place.replaceChildren(limitTimes(profile), ...charts.map((chart) => chart.root));
    this.onLimits(profile);
  }

  private async verify(certificate: Certificate, trajectory: Trajectory, place: HTMLElement): Promise<void> {
    try {
      const {
        proved,
        problems,
        spans,
        least_gap: leastGap,
        unchecked,
      } = await this.engine.ask('verify', { certificate, trajectory });
      const apart = leastGap === null ? '' : `; every pair stays at least ${(1000 * leastGap).toPrecision(3)} mm apart`;
      const constrained = this.isConstrained ? ' The constraints are proved, too.' : '';
      const said = proved
        ? [
            element('strong', { class: 'good' }, 'Proved collision-free'),
            ` over continuous time, by ${spans} planes verified in this page${apart}.${constrained} `,
            uncheckedText(unchecked),
          ]
        : [element('strong', { class: 'bad' }, 'Not proved'), `: ${problems.join('; ')}.`];
      place.replaceChildren(...said);
    } catch (error) {
      place.replaceChildren(
        element('strong', { class: 'bad' }, 'Not proved'),
        `: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}

/** Returns a sentence on the pairs that are not checked, by reason; those on two arms by name. */
function uncheckedText({ pairs, reasons, on_arms: onArms = [] }: UncheckedPairs): string {
  if (pairs === 0) return 'Every pair is checked.';
  const list = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  const named = onArms.map((pair) => pair.join(' and ')).join(', ');
  const arms = named === '' ? '' : ` Contacts of links on two arms are not found: ${named}.`;
  return `${pairs} pairs are not checked (${list.join(', ')}).${arms}`;
}
