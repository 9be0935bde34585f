/** State of the page in the URL fragment, so that a link reproduces the view and the plan. */
export interface Address {
  readonly scene?: string | undefined;
  readonly seed?: number | undefined;
  readonly planner?: string | undefined;
  readonly start?: readonly number[] | undefined;
  readonly goal?: readonly number[] | undefined;
  /** Moved obstacles: `at.NAME=x,y,z` (metres), and `,w,x,y,z` of a quaternion if the obstacle was turned. */
  readonly moved?: Readonly<Record<string, readonly number[]>>;
  /** Plan when the page is opened. */
  readonly plan?: boolean | undefined;
}

export function readAddress(): Address {
  const given = new URLSearchParams(location.hash.slice(1));
  const text = (name: string) => given.get(name) ?? undefined;
  const numbers = (name: string) => {
    const values = text(name)?.split(',').map(Number);
    return values?.every(Number.isFinite) ? values : undefined;
  };
  const seed = Number(text('seed') ?? 'none');
  return {
    scene: text('scene'),
    seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : undefined,
    planner: text('planner'),
    start: numbers('start'),
    goal: numbers('goal'),
    moved: Object.fromEntries(
      [...given.keys()].flatMap((name) => {
        const place = name.startsWith('at.') ? numbers(name) : undefined;
        return place?.length === 3 || place?.length === 7 ? [[name.slice(3), place]] : [];
      }),
    ),
    plan: given.has('plan'),
  };
}

/** Writes the state to the URL fragment. Numbers are written exactly: reading returns the same bits. */
export function writeAddress({ moved = {}, ...address }: Address): void {
  const places = Object.entries(moved).map(([name, place]) => [`at.${encodeURIComponent(name)}`, place] as const);
  const parts = [...Object.entries(address), ...places].flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? name : `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`];
  });
  history.replaceState(null, '', `${location.pathname}${location.search}#${parts.join('&')}`);
}
