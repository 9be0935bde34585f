/** Position of a pointer in a picture, metres; y points down. */
function placeOf(picture: SVGSVGElement, event: PointerEvent): DOMPoint {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM()!.inverse());
}

/** Calls `move` with the displacement of the pointer, metres to the right and up, while `target` is dragged. */
export function onDrag(target: SVGElement, picture: SVGSVGElement, move: (right: number, up: number) => void): void {
  let last: DOMPoint | undefined;
  target.addEventListener('pointerdown', (event) => {
    if (target === picture && (event.target as Element).closest('.handle')) return;
    target.setPointerCapture(event.pointerId);
    last = placeOf(picture, event);
  });
  target.addEventListener('pointermove', (event) => {
    if (last === undefined) return;
    const place = placeOf(picture, event);
    move(place.x - last.x, last.y - place.y);
    last = placeOf(picture, event);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) target.addEventListener(end, () => (last = undefined));
}
