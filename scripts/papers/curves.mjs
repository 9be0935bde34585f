// Curves of the papers, from our tables.

/** Colours that differ visibly with each of the three kinds of dichromacy. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const [WIDTH, HEIGHT, LEFT, TOP] = [460, 280, 46, 44];

const updatesOf = (cell) => Number(String(cell).split(' / ').at(-1));

/** Returns figures with an SVG each; `rowsOf` returns the rows of a table by its title. */
export function drawCurves(rowsOf) {
  const distances = rowsOf('[Montaut22 Figs. 5-9] iterations against separation, distance');
  const separations = ['ellipsoids', 'hulls of 240', 'hulls of 626', 'hulls of 1800'].map((bodies) => {
    const rows = distances.filter((row) => row.bodies === bodies);
    const names = { gjk: 'GJK', 'gjk-polyak': 'Polyak', 'gjk-nesterov': 'Nesterov' };
    const series = Object.entries(names).map(([column, name]) => [name, rows.map((row) => updatesOf(row[column]))]);
    return curve(
      `${bodies}: updates by separation, m [Montaut22 Figs. 5-9]`,
      rows.map((row) => row.separation),
      series,
    );
  });
  const convergence = rowsOf('[Thirugnanam26 Fig. 5] growth distance: iterations to a relative gap');
  const kinds = [...new Set(convergence.map((row) => row.bodies))];
  const gaps = convergence.filter((row) => row.bodies === kinds[0]).map((row) => row['relative gap']);
  const means = kinds.map((kind) => [kind, convergence.filter((row) => row.bodies === kind).map((row) => row.mean)]);
  const times = rowsOf(
    '[Thirugnanam26 Fig. 4, Montaut24 Table I] vertices against time, with and without hill climbing',
  );
  const ratios = ['growth', 'gjk'].map((name) => [name, times.map((row) => row[`${name}: all / climbing`])]);
  return [
    ...separations,
    curve('Growth distance: mean support points by relative gap [Thirugnanam26 Fig. 5]', gaps, means),
    curve(
      'Time, all vertices / climbing, by vertices [Thirugnanam26 Fig. 4]',
      times.map((row) => row.vertices),
      ratios,
    ),
  ];
}

function curve(title, labels, series) {
  const highest = Math.max(...series.flatMap(([, values]) => values.map(Number)));
  const step = [1, 2, 5, 10, 20, 50].find((candidate) => highest / candidate <= 6) ?? 100;
  const top = step * Math.ceil(highest / step);
  const x = (i) => (LEFT + ((WIDTH - LEFT - 20) * i) / Math.max(1, labels.length - 1)).toFixed(1);
  const y = (value) => (HEIGHT - 28 - ((HEIGHT - 28 - TOP) * value) / top).toFixed(1);
  const grid = Array.from({ length: top / step + 1 }, (_, k) => {
    const at = y(k * step);
    return `<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${at}" y2="${at}" stroke="#ddd"/><text x="${LEFT - 8}" y="${Number(at) + 4}" text-anchor="end">${k * step}</text>`;
  });
  const ends = labels.map((label, i) => `<text x="${x(i)}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>`);
  const lines = series.map(([name, values], k) => {
    const points = values.map((value, i) => [x(i), y(Number(value))]);
    const dots = points.map(
      ([cx, cy], i) =>
        `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${COLORS[k]}"><title>${name}, ${labels[i]}: ${values[i]}</title></circle>`,
    );
    const legend = `<circle cx="${LEFT + 130 * k}" cy="20" r="4" fill="${COLORS[k]}"/><text x="${LEFT + 10 + 130 * k}" y="24">${name}</text>`;
    return `<polyline points="${points.map((p) => p.join(',')).join(' ')}" fill="none" stroke="${COLORS[k]}" stroke-width="2"/>${dots.join('')}${legend}`;
  });
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" font-size="11" fill="#24292f">${[...grid, ...ends, ...lines].join('')}</svg>`;
  return `<figure><figcaption>${title}</figcaption>${svg}</figure>`;
}
