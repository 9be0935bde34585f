/** Formats a number for SVG, without superfluous digits. */
export function number(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)) + 0).replace(/^(-?)0\./, '$1.');
}

/** Returns path data of screen points, x, y, z each: absolute start, then relative steps, which are shorter. */
export function pathOf(points: readonly number[], closed: boolean): string {
  let text = '';
  let [x, y] = [0, 0];
  let begun = false;
  for (let k = 0; k < points.length; k += 3) {
    const [nx, ny] = [Math.round(10 * points[k]), Math.round(10 * points[k + 1])];
    if (k === 0) text += `M${number(nx / 10)} ${number(ny / 10)}`;
    else if (nx !== x || ny !== y) {
      const [dx, dy] = [number((nx - x) / 10), number((ny - y) / 10)];
      text += `${begun ? (dx.startsWith('-') ? '' : ' ') : 'l'}${dx}${dy.startsWith('-') ? '' : ' '}${dy}`;
      begun = true;
    }
    [x, y] = [nx, ny];
  }
  return closed ? `${text}z` : text;
}
