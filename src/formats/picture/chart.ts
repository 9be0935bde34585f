import { InputError } from '../../errors.ts';

/** A vega-lite specification that contains its data. */
export type ChartSpec = Readonly<Record<string, unknown>>;

/** Renders a chart as SVG, without a browser. Throws `InputError` if the packages are not installed. */
export async function drawChart(spec: ChartSpec): Promise<string> {
  const { vega, vegaLite } = await load();
  const { spec: compiled } = vegaLite.compile(
    withMarkedNames(spec) as unknown as Parameters<typeof vegaLite.compile>[0],
    {
      logger: vega.logger(vega.Error), // warnings are left to the caller
    },
  );
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' });
  try {
    return (await view.toSVG()).replaceAll(MARK, '');
  } finally {
    view.finalize();
  }
}

/** Word joiner: an invisible character. */
const MARK = '\u2060';

/**
 * Returns the chart with a mark appended to each text that is also a property name of every object, such as a label
 * `constructor`: vega uses texts as keys of plain objects.
 */
function withMarkedNames(value: unknown): unknown {
  if (typeof value === 'string') return value in Object.prototype ? `${value}${MARK}` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withMarkedNames);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withMarkedNames(item)]));
}

async function load() {
  try {
    const [vega, vegaLite] = await Promise.all([import('vega'), import('vega-lite')]);
    return { vega, vegaLite };
  } catch {
    throw new InputError('charts need the packages vega and vega-lite', 'npm install vega vega-lite');
  }
}
