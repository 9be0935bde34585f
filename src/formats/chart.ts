import { InputError } from '../errors.ts';

/** A picture in the language of vega-lite, its data inside. */
export type ChartSpec = Readonly<Record<string, unknown>>;

/** Draws a chart as SVG, without a browser. Throws InputError where the packages are missing. */
export async function drawChart(spec: ChartSpec): Promise<string> {
  const { vega, vegaLite } = await load();
  const { spec: compiled } = vegaLite.compile(spec as unknown as Parameters<typeof vegaLite.compile>[0], {
    logger: vega.logger(vega.Error), // talk belongs to whoever asked for the chart
  });
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

async function load() {
  try {
    const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
    return { vega, vegaLite };
  } catch {
    throw new InputError('charts need the packages vega and vega-lite', 'npm install vega vega-lite');
  }
}
