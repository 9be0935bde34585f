/** Explanation of the statistics, at the end of the report. */
export const method = `<p>A pair, and a point of a chart, is one problem with one seed; repetitions count as one, by their median. Medians, quantiles and ratios are those of solved runs.</p>
<p>Intervals are 95 % confidence intervals: Wilson score intervals of proportions; of medians, from 2000 bootstrap samples drawn within each problem (over the problems if each has one seed). They generalize to other seeds of these problems, not to other problems.</p>
<p>Times of searches run from the start of the search: models, simplification, time parameterization and proof are not included. A run is one problem with one seed; a run that found a path but was not proved counts as a run without one. Intervals of medians of searches are those of order statistics, which need at least 6 runs and no assumption on the distribution; over several problems they are conservative.</p>
<p>p is that of Wilcoxon's signed-rank test on the logarithms of the ratios of pairs that both settings solved, exact up to 200 pairs that differ; for solved or not solved, that of McNemar's exact test. The p values of all comparisons of one metric are adjusted by Holm's correction. The effect is the matched-pairs rank-biserial correlation: −1 if every pair is less, +1 if every pair is more. If planners use a seed differently, pairs of a problem are not correlated: the test then only loses power.</p>`;

/** Style sheet of the page: light and dark, for screens and print. */
export const style = `
:root { --paper: #ffffff; --panel: #f6f8fa; --ink: #1f2933; --faint: #66727e; --grid: #e3e8ee; --accent: #2f6fb0; --better: #1f7a4d; --worse: #b4383f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --panel: #1c2229; --ink: #e4e9ee; --faint: #94a1ae; --grid: #2d353e; --accent: #6fb0ec; --better: #5cc493; --worse: #f08a8a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 3rem 1.5rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0 0 .3rem; font-size: 2rem; font-weight: 650; letter-spacing: -.015em; line-height: 1.2; }
h2 { margin: 3rem 0 .9rem; font-size: 1.2rem; font-weight: 650; }
.lead { margin: 0 0 .8rem; max-width: 46rem; font-size: 1.08rem; }
.facts { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; color: var(--faint); font-size: .88rem; }
.notices { margin: 1.2rem 0 0; padding: .7rem 1rem .7rem 2rem; border-radius: 8px; background: var(--panel); font-size: .92rem; }
.wide { overflow-x: auto; }
td small.below { display: block; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .42rem .6rem; text-align: right; white-space: nowrap; }
th { font-weight: 550; }
thead th { padding-bottom: .3rem; color: var(--faint); font-weight: 500; vertical-align: bottom; }
thead th[colspan] { text-align: center; }
thead tr:last-child th { border-bottom: 1px solid var(--grid); }
th:first-child, th[scope=row], .words, thead th[rowspan] { text-align: left; }
thead th.numbers { text-align: right; }
thead th[rowspan] { border-bottom: 1px solid var(--grid); }
tbody th.group { padding-top: 1rem; color: var(--faint); font-weight: 500; }
tbody tr:hover > th.group { background: none; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
tbody tr:hover > * { background: var(--panel); }
small, .against { color: var(--faint); font-size: .86em; }
tr.better td:last-child { color: var(--better); }
tr.worse td:last-child { color: var(--worse); }
tr.even td:last-child { color: var(--faint); }
figure { margin: 0 0 2.2rem; padding: 1.2rem 1.2rem .9rem; border: 1px solid var(--grid); border-radius: 10px; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { margin-top: .8rem; color: var(--faint); font-size: .88rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.4rem; }
.pairs figure { margin: 0; }
summary { margin-bottom: .6rem; color: var(--faint); font-size: .92rem; cursor: pointer; }
.method { color: var(--faint); font-size: .9rem; }
.method p { max-width: 52rem; margin: 0 0 .7rem; }
.method h2 { color: var(--ink); }
@media print { body { padding: 0; max-width: none; } figure, tr { break-inside: avoid; } }
`;
