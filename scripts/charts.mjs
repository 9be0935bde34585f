// Charts of the site, made from the tables of docs/benchmarks.md: one dot for each number, on a logarithmic axis.

/** Colours that differ visibly with each of the three kinds of dichromacy. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];
const [LEFT, RIGHT, WIDTH, TOP, ROW] = [215, 520, 720, 52, 20];

/**
 * The charts. A series is a column by its name, the beginning of its name, or a function of a row; a row without a
 * number has no dot. `rows` selects rows.
 */
export const CHARTS = [
  {
    name: 'ompl',
    title: 'Plan and simplify: milliseconds, medians of 10 seeds',
    table: 'plan and simplify, 10 seeds each: medians, milliseconds',
    series: {
      'elbowroom, certified': 'all ms',
      'OMPL + FCL, sampled': (row) => Number(row['plan ms']) + Number(row['simplify ms']),
    },
  },
  {
    name: 'boolean',
    title: 'Collision check of two hulls, mixed pairs: nanoseconds',
    table: 'Boolean, beside peers, nanoseconds a query, least over the rounds',
    rows: (row) => row.class === 'mixed',
    series: { elbowroom: 'ours ns', 'FCL (libccd)': 'FCL libccd ns', Rapier: 'Rapier * ns', Jolt: 'Jolt * ns' },
  },
  {
    name: 'states',
    title: 'Collision check of a free state: microseconds',
    table: 'is a configuration free? microseconds a state, least over the rounds',
    series: { elbowroom: 'free µs', 'FCL, dynamic AABB tree': 'FCL, free µs' },
  },
  {
    name: 'motions',
    title: 'A free motion of 0.75 rad: microseconds',
    table: 'straight motions from free states: proved free against sampled at 0.02 rad, least over the rounds',
    rows: (row) => row.rad === '0.75',
    series: { certified: 'certified, free µs', 'sampled every 0.02 rad': 'sampled, free µs' },
  },
  {
    name: 'scenes',
    title: 'Planning and shortcutting with certified edges: milliseconds, 20 seeds',
    table: 'rrt-connect, edges certified, 20 seeds: medians',
    series: { median: 'both ms', '95th percentile': 'both ms 95 %' },
  },
  {
    name: 'programs',
    title: 'Planning of programs, with the proof: milliseconds, 20 seeds',
    table: 'plan of a program, 20 seeds: medians',
    series: { median: 'ms', '95th percentile': 'ms 95 %' },
  },
  {
    name: 'constraints',
    title: 'Plans with a tilt constraint: milliseconds of CPU time, medians',
    table: "tilt constraints beside OMPL's ProjectedStateSpace with FCL, 1 run per scene: medians of CPU time",
    row: (row) => `${row.robot}, ${row['tilt within']}`,
    series: { 'elbowroom, whole plan': 'whole ms', 'OMPL, plan and simplify': 'plan + simplify ms' },
  },
  {
    name: 'moving',
    title: 'Plans among moving objects: milliseconds of CPU time, medians of 10 seeds',
    table: 'plans among moving objects beside ST-RRT* of OMPL, 10 seeds each: medians of CPU time',
    series: { 'elbowroom, whole plan with proof': 'ours ms', 'ST-RRT* of OMPL, first path': 'OMPL ms' },
  },
  {
    name: 'service',
    title: 'States a second over each transport',
    table: 'validity of random states of scenes/shelf.yaml over each transport',
    series: {
      'one by one': 'one by one, states/s',
      '100 states a request': '100 states a request, states/s',
    },
  },
];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The table below a bold title of docs/benchmarks.md: its rows by column, and the line with command and machine. */
export function tableOf(page, title) {
  const at = page.indexOf(`**${title}**`);
  if (at < 0) throw new Error(`docs/benchmarks.md has no table "${title}"`);
  const command =
    page
      .slice(0, at)
      .match(/^`npm run bench[^\n]*$/gm)
      ?.at(-1) ?? '';
  const lines = page.slice(at).split('\n').slice(1);
  const from = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, i) => i > from && !line.startsWith('|'));
  const cells = (line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, , ...rows] = lines.slice(from, end).map(cells);
  return { command, rows: rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]]))) };
}

/** Name of a column; `*` matches a version. */
function columnOf(row, column, title) {
  const [before, after] = column.split('*');
  const found = Object.keys(row).find((name) =>
    after === undefined ? name === column : name.startsWith(before) && name.endsWith(after),
  );
  if (found === undefined) throw new Error(`the table "${title}" has no column "${column}"`);
  return found;
}

/** Returns the SVG of a chart and the line with the command that made its table. */
export function drawChart({ title, table, rows: isShown = () => true, row: nameOf, series }, page) {
  const { command, rows } = tableOf(page, table);
  const shown = rows.filter(isShown).map((row) => ({
    name: nameOf ? nameOf(row) : Object.values(row)[0],
    values: Object.values(series).map((column) =>
      Number(typeof column === 'function' ? column(row) : row[columnOf(row, column, table)]),
    ),
  }));
  const values = shown.flatMap((row) => row.values.filter((value) => value > 0));
  if (values.length === 0) throw new Error(`the table "${table}" has no numbers`);
  return { command, svg: svgOf(title, shown, Object.keys(series), values) };
}

function svgOf(title, rows, names, values) {
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (value) => LEFT + ((RIGHT - LEFT) * (Math.log10(value) - low)) / (high - low || 1);
  const height = TOP + ROW * rows.length + 26;
  const grid = Array.from({ length: high - low + 1 }, (_, i) => {
    const [value, at] = [10 ** (low + i), x(10 ** (low + i)).toFixed(1)];
    const line = `<line x1="${at}" x2="${at}" y1="${TOP - 8}" y2="${height - 22}" stroke="#ccc"/>`;
    return `${line}<text x="${at}" y="${height - 8}" text-anchor="middle">${value.toLocaleString('en')}</text>`;
  });
  const legend = names.map((name, k) => {
    const [at, y] = [20 + 340 * (k % 2), 18 + 16 * Math.floor(k / 2)];
    return `<circle cx="${at}" cy="${y - 4}" r="5" fill="${COLORS[k]}"/><text x="${at + 10}" y="${y}">${escaped(name)}</text>`;
  });
  const dots = rows.flatMap(({ name, values: own }, i) => {
    const y = TOP + ROW * i + 8;
    const known = own.filter((value) => value > 0).map(x);
    const range = `x1="${Math.min(...known).toFixed(1)}" x2="${Math.max(...known).toFixed(1)}"`;
    return [
      `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${escaped(name)}</text>`,
      ...(known.length > 1 ? [`<line ${range} y1="${y}" y2="${y}" stroke="#999"/>`] : []),
      ...own.flatMap((value, k) =>
        value > 0
          ? [
              `<circle cx="${x(value).toFixed(1)}" cy="${y}" r="5" fill="${COLORS[k]}"><title>${escaped(`${name}, ${names[k]}: ${value}`)}</title></circle>`,
            ]
          : [],
      ),
      `<text x="${RIGHT + 16}" y="${y + 4}">${own.map((value) => (value > 0 ? Number(value.toPrecision(3)) : '–')).join(' · ')}</text>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#24292f"><title>${escaped(title)}</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>${[...grid, ...legend, ...dots].join('')}</svg>`;
}
