import type { Path, SourceText } from '../text/sourceText.ts';
import type { Overrides } from './sceneOverrides.ts';
import type { RawScene, RawSuite } from './sceneSchema.ts';

/** A file whose structure has been checked. */
export type Raw =
  | { readonly suite: false; readonly data: RawScene }
  | { readonly suite: true; readonly data: RawSuite };

/** Maps the path of a key in a merged problem to its path in the file. */
export type Placement = (path: Path) => Path;

/** A scene after merging suite and command-line overrides, and the name it has if it states none. */
export interface Layer {
  readonly scene: RawScene;
  readonly pathOf: Placement;
  readonly fallback: string;
  readonly overrides: Overrides;
}

/** Returns one layer for a scene, and one per problem for a suite. */
export function layersOf(source: SourceText, raw: Raw, overrides: Overrides): Layer[] {
  const layers = raw.suite
    ? raw.data.problems.map((_, i) => layOver(raw.data, i))
    : [{ scene: raw.data, pathOf: (path: Path) => path, fallback: baseName(source.file) }];
  return layers.map((layer) => ({ ...layer, scene: withOverrides(layer.scene, overrides), overrides }));
}

/** Merges the suite with the keys of one problem, which take precedence; obstacles and includes are appended. */
function layOver(suite: RawSuite, index: number): { scene: RawScene; pathOf: Placement; fallback: string } {
  const { problems, format: _, name: __, ...common } = suite;
  const own = problems[index];
  const { goal, goals, steps, ...rest } = common;
  const hasOwn = [own.goal, own.goals, own.steps].some((given) => given !== undefined);
  const goalsOfSuite = hasOwn ? {} : { goal, goals, steps };
  const shared = common.obstacles?.length ?? 0;
  const included = listed(common.include).length;
  const scene = {
    ...rest,
    ...goalsOfSuite,
    ...own,
    obstacles: [...(common.obstacles ?? []), ...(own.obstacles ?? [])],
    ...(common.include === undefined && own.include === undefined
      ? {}
      : { include: [...listed(common.include), ...listed(own.include)] }),
  } as unknown as RawScene;
  const pathOf: Placement = ([key, i, ...more]) => {
    if (key === 'obstacles' && typeof i === 'number') {
      return i < shared ? [key, i, ...more] : ['problems', index, key, i - shared, ...more];
    }
    if (key === 'include' && typeof i === 'number') {
      const [from, k] = i < included ? [common, i] : [own, i - included];
      const place = [key, ...(Array.isArray(from.include) ? [k] : []), ...more];
      return i < included ? place : ['problems', index, ...place];
    }
    const path = [key, ...(i === undefined ? [] : [i]), ...more];
    return Object.hasOwn(own, key) || !Object.hasOwn(suite, key) ? ['problems', index, ...path] : path;
  };
  return { scene, pathOf, fallback: `problem-${index + 1}` };
}

const listed = <T>(given: T | readonly T[] | undefined): readonly T[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given as T];

function withOverrides(scene: RawScene, overrides: Overrides): RawScene {
  const { goal: ownGoal, goals, ...rest } = scene;
  const goal = overrides.get('goal');
  const others = (['start', 'speed', 'acceleration'] as const).flatMap((key) => {
    const override = overrides.get(key);
    return override ? [[key, override.value]] : [];
  });
  return {
    ...rest,
    ...Object.fromEntries(others),
    ...(goal ? { goal: goal.value } : { goal: ownGoal, goals }),
  } as RawScene;
}

/** Returns the name of a file without its folder and its extension. */
export function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '');
}
