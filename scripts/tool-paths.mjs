// Writes the way points of the bundled scenes of tool paths, as a CAM program exports them: scenes/toolpaths/*.csv.
//
//   node scripts/tool-paths.mjs
import { writeFileSync } from 'node:fs';

const write = (name, points) =>
  writeFileSync(
    new URL(`../scenes/toolpaths/${name}.csv`, import.meta.url),
    `x [mm],y [mm],z [mm],nx,ny,nz\n${points.map((point) => point.map((x, i) => Number(x.toFixed(i < 3 ? 2 : 4))).join(',')).join('\n')}\n`,
  );
const unit = (...v) => v.map((x) => x / Math.hypot(...v));
const { sin, cos, PI } = Math;

/** Fillet of a web that bends along a plate: 600 points, 3 mm apart along the rail. */
write(
  'seam',
  Array.from({ length: 600 }, (_, k) => {
    const [x, bend] = [3 * k - 900, sin(k / 60)];
    return [x, 700 + 12 * bend, 304, 0, ...unit(-0.6, 0.8)];
  }),
);

/** Raster over a shallow dome: 30 lines of 100 points, there and back. */
const height = (x, y) => 150 - 4e-4 * (x - 480) ** 2 - 6e-4 * y ** 2;
write(
  'raster',
  Array.from({ length: 3000 }, (_, k) => {
    const line = Math.floor(k / 100);
    const along = line % 2 === 0 ? k % 100 : 99 - (k % 100);
    const [x, y] = [360 + 8 * line, 2.5 * along - 123.75];
    return [x, y, height(x, y), ...unit(8e-4 * (x - 480), 1.2e-3 * y, 1)];
  }),
);

/** A bead round the rim of a can on the table, in the frame of the table: 300 points, 330 degrees. */
write(
  'bead',
  Array.from({ length: 300 }, (_, k) => {
    const angle = (k / 299) * ((330 * PI) / 180);
    return [122 * cos(angle), 122 * sin(angle), 202, ...unit(cos(angle), sin(angle), 1)];
  }),
);
