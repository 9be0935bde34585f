// The picture of a drive, from above, with speed, steering angle and gap below: light or dark as the page around it.

const scale = 40; // pixels a metre
const [left, top, width, height] = [-10.5, 5.6, 22, 8.4]; // of the road, metres
const [plotTop, plotHeight] = [height * scale + 44, 64]; // of the curves, pixels
const number = (value) => `${Math.round(value * 100) / 100}`;
const at = (x, y) => `${number((x - left) * scale)},${number((top - y) * scale)}`;
const placed = ([x, y, heading]) =>
  `translate(${at(x, y)}) scale(${scale},${-scale}) rotate(${number((heading * 180) / Math.PI)})`;

/** @param drive its duration and knots: time, pose, speed, steering, gap */
export function picture({ duration, knots, car, parked, limits, margin }) {
  const shown = knots.filter((_, k) => k % 4 === 0);
  const ghosts = shown.map(({ pose, steering }, i) => {
    const opacity = i === shown.length - 1 ? 1 : number(0.1 + 0.5 * (i / shown.length) ** 1.5);
    return `<g class="car" opacity="${opacity}" transform="${placed(pose)}">${wheels(car, steering)}<use href="#car"/></g>`;
  });
  const way = knots.map(({ pose: [x, y] }) => at(x, y)).join(' ');
  const dots = knots.map(({ pose: [x, y] }) => `<circle cx="${at(x, y).replace(',', '" cy="')}" r="2.2"/>`);
  const curves = [
    curve(`speed, up to ${limits.speed} m/s`, (knot) => knot.speed, [0, limits.speed], [limits.speed]),
    curve(
      `steering angle, ±${limits.steering} rad`,
      (knot) => knot.steering,
      [-limits.steering, limits.steering],
      [-limits.steering, limits.steering],
    ),
    curve(`gap up to 2 m, at least ${margin} m at the knots`, (knot) => Math.min(knot.gap, 2), [0, 2], [margin]),
  ].map((draw, i) => draw(knots, duration, i));
  const [w, h] = [width * scale, plotTop + plotHeight + 34];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" role="img">
<title>A car drives past a parked one</title>
<style>
svg{--road:#e9edf2;--kerb:#c3ccd8;--line:#fff;--car:#2f6fbd;--pale:#d9e8f8;--parked:#c2573d;--pane:#f6ddd4;--tyre:#2a3342;--text:#42506a}
@media (prefers-color-scheme:dark){svg{--road:#222a36;--kerb:#3d4859;--line:#4d5a6e;--car:#5c9be6;--pale:#16273c;--parked:#d97757;--pane:#3a1f17;--tyre:#0d1219;--text:#a9b6ca}}
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--text)}
.car{fill:var(--car);stroke:var(--car);--glass:var(--pale)}.parked{fill:var(--parked);stroke:var(--parked);--glass:var(--pane)}
.pill{fill-opacity:.13;stroke-width:.03}.wide{fill:none;stroke-width:.03;stroke-dasharray:.12 .12;stroke-opacity:.8}
.body,.roof{stroke:none}.glass{fill:var(--glass);stroke:none}.tyre{fill:var(--tyre);stroke:none}
.way{fill:none;stroke:var(--car);stroke-width:1.6}.dots{fill:var(--car);stroke:var(--road);stroke-width:1}
.curve{fill:none;stroke:var(--car);stroke-width:1.8;stroke-linejoin:round}.frame{fill:none;stroke:var(--kerb)}.limit{stroke:var(--parked);stroke-dasharray:4 4}
</style>
<defs>${body('car', car)}${body('parked', parked)}</defs>
<rect width="${w}" height="${height * scale}" rx="10" fill="var(--road)"/>
${[5.25, -1.75].map((y) => `<path d="M0,${at(0, y).split(',')[1]}h${w}" stroke="var(--kerb)" stroke-width="3"/>`).join('')}
<path d="M0,${at(0, 1.75).split(',')[1]}h${w}" stroke="var(--line)" stroke-width="4" stroke-dasharray="44 36"/>
<g class="parked" transform="${placed(parked.pose)}">${pill(parked, margin, 'wide')}${wheels(parked, 0)}<use href="#parked"/></g>
${ghosts.join('\n')}
<polyline class="way" points="${way}"/>
<g class="dots">${dots.join('')}</g>
${curves.join('\n')}
</svg>
`;
}

const pill = ({ radius, rear, front }, wider, name) => {
  const r = radius + wider;
  return `<rect class="${name}" x="${number(rear - wider)}" y="${number(-r)}" width="${number(front - rear + 2 * wider)}" height="${number(2 * r)}" rx="${number(r)}"/>`;
};

/** A car from above, in its own frame and inside its capsule. */
function body(name, shape) {
  const { radius: r, rear, front } = shape;
  const length = front - rear;
  const box = (kind, from, to, half, corner) =>
    `<rect class="${kind}" x="${number(rear + from)}" y="${number(-half)}" width="${number(to - from)}" height="${number(2 * half)}" rx="${number(corner)}"/>`;
  return `<g id="${name}">${pill(shape, 0, 'pill')}${box('body', 0.125 * r, length - 0.125 * r, 0.82 * r, 0.52 * r)}${box('glass', 0.19 * length, 0.74 * length, 0.68 * r, 0.25 * r)}${box('roof', 0.29 * length, 0.59 * length, 0.68 * r, 0.1 * r)}</g>`;
}

function wheels({ radius: r, wheelbase }, steering) {
  const tyre = `<rect class="tyre" x="-.27" y="-.1" width=".54" height=".2" rx=".06"`;
  const turned = number((steering * 180) / Math.PI);
  return [
    [0, 0],
    [wheelbase, turned],
  ]
    .flatMap(([x, angle]) =>
      [-0.82, 0.82].map((y) => `${tyre} transform="translate(${x},${number(y * r)}) rotate(${angle})"/>`),
    )
    .join('');
}

/** A curve over time, in column i of three. */
const curve =
  (label, read, [low, high], marks) =>
  (knots, duration, i) => {
    const span = (width * scale) / 3;
    const [x0, w] = [i * span + 12, span - 24];
    const y = (value) => number(plotTop + plotHeight * (1 - (value - low) / (high - low)));
    const points = knots.map((knot) => `${number(x0 + (w * knot.time) / duration)},${y(read(knot))}`).join(' ');
    const limits = marks.map((value) => `<path class="limit" d="M${number(x0)},${y(value)}h${number(w)}"/>`).join('');
    return `<g><text x="${number(x0)}" y="${plotTop - 14}">${label}</text><rect class="frame" x="${number(x0)}" y="${plotTop - 6}" width="${number(w)}" height="${plotHeight + 12}" rx="6"/>${limits}<polyline class="curve" points="${points}"/><text x="${number(x0)}" y="${plotTop + plotHeight + 24}">0</text><text x="${number(x0 + w)}" y="${plotTop + plotHeight + 24}" text-anchor="end">${duration} s</text></g>`;
  };
