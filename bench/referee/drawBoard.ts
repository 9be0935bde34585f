import { drawChart } from '../../src/formats/picture/chart.ts';
import { chartColours, frame, palette } from '../../src/host/experiments/report/chartParts.ts';
import type { Judgement } from './judgePath.ts';
import { peerPlanners, peerSteps } from './peerPaths.ts';

/** Metres: shallower collisions are drawn at this depth. */
const LEAST_DEPTH = 1e-6;

/** Draws the share of refuted paths and the depths of their collisions by planner and step, as SVG. */
export function drawBoard(judged: readonly Judgement[]): Promise<string> {
  const labels = Object.keys(peerSteps).map((step) => (step === 'default' ? 'default resolution' : step));
  const label = (step: string) => labels[Object.keys(peerSteps).indexOf(step)];
  const shares = Object.keys(peerSteps).flatMap((step) =>
    peerPlanners.map((planner) => {
      const ours = judged.filter(({ path }) => path.planner === planner && path.step === step);
      const refuted = ours.filter(({ verdict }) => verdict === 'refuted').length;
      return { planner, step: label(step), share: ours.length === 0 ? 0 : (100 * refuted) / ours.length };
    }),
  );
  const depths = judged.flatMap(({ verdict, depth, path: { planner, step } }) =>
    verdict === 'refuted' ? [{ planner, step: label(step), depth: 1000 * Math.max(LEAST_DEPTH, depth!) }] : [],
  );
  const color = {
    field: 'step',
    type: 'nominal',
    title: null,
    scale: { domain: labels, range: palette.slice(0, labels.length) },
  };
  const y = { field: 'planner', type: 'nominal', sort: [...peerPlanners], title: null };
  const yOffset = { field: 'step', type: 'nominal', sort: labels };
  const { width: _, height, background: __, ...shared } = frame(300, { step: 14 });
  return drawChart({
    ...shared,
    background: '#ffffff',
    hconcat: [
      {
        width: 260,
        height,
        data: { values: shares },
        mark: { type: 'bar', height: 11 },
        encoding: {
          x: { field: 'share', type: 'quantitative', title: 'paths proved to collide, %' },
          y,
          yOffset,
          color,
        },
      },
      {
        width: 340,
        height,
        data: { values: depths },
        mark: { type: 'tick', thickness: 1.5, height: 11, opacity: 0.7 },
        encoding: {
          x: {
            field: 'depth',
            type: 'quantitative',
            title: 'penetration depth, mm',
            scale: { type: 'log' },
            axis: { values: [0.001, 0.01, 0.1, 1, 10, 100], format: '~g', gridColor: chartColours.grid },
          },
          y: { ...y, axis: { labels: false, ticks: false } },
          yOffset,
          color,
        },
      },
    ],
  });
}
