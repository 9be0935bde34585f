import type { MeshDecomposerName } from '../../core/hulls/meshParts.ts';
import { lengthProblem } from '../../core/math/magnitudes.ts';
import { requireKind } from '../../core/shapes/checks.ts';
import { createShape, shapes } from '../../core/shapes/index.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { InputError } from '../../errors.ts';
import type { Path } from '../text/sourceText.ts';
import { readCloudUse, readFieldUse } from './bulkObjects.ts';
import { readFree } from './free/freeObjects.ts';
import type { RawMass } from './loads/massSchema.ts';
import { readMass } from './loads/readMass.ts';
import type { MeshUse, ObjectDraft, ToolPathFile } from './objectDraft.ts';
import { readMotion } from './obstacleMotion.ts';
import type { RawBody, StatedBody } from './sceneSchema.ts';
import { type Kind, ValueReader } from './valueReader.ts';

/** Converts values whose structure has been checked to numbers, poses and bodies, and collects diagnostics. */
export class SceneReader extends ValueReader {
  /** Files of way points that steps name. */
  readonly toolPaths: ToolPathFile[] = [];

  /** Reads an obstacle or an attached object; `fallback` is its name if it has none. */
  body(given: RawBody, path: Path, fallback: string): ObjectDraft {
    const {
      name = fallback,
      type,
      pose,
      margin: rawMargin,
      link,
      touches,
      free,
      motion: rawMotion,
      unknown_speed: rawSpeed,
      mass,
      density,
      center,
      inertia,
      ...fields
    } = given as StatedBody & RawMass;
    const margin = rawMargin === undefined ? 0 : this.atLeastZero(rawMargin, [...path, 'margin']);
    const round = lengthProblem(margin) === undefined ? margin : 0; // reported already
    const carried = link === undefined ? {} : { link, touches: touches ?? [] };
    const motion = rawMotion && readMotion(this, rawMotion, path, String(type));
    if (motion !== undefined && pose !== undefined)
      this.report([...path, 'pose'], 'pose and motion are both given', 'The poses of a motion are in the world.');
    if (motion !== undefined && free !== undefined)
      this.report([...path, 'free'], 'the object has a motion, too', 'A free object moves by itself.');
    const placed = motion ? { pose: motion.poses[0], motion } : { pose: this.pose(pose, [...path, 'pose']) };
    const unseen = rawSpeed !== undefined && {
      unknownSpeed: this.atLeastZero(rawSpeed, [...path, 'unknown_speed'], 1),
    };
    const loose = { ...unseen, ...(free !== undefined && { free: readFree(this, free, String(type), path) }) };
    const load = readMass(this, { mass, density, center, inertia }, String(type), path);
    const common = { path, name, ...placed, ...carried, ...loose, ...(load && { mass: load }) };
    if (type === 'mesh') return { ...common, mesh: this.mesh(fields, round, path) };
    if (type === 'cloud') return { ...common, cloud: readCloudUse(this, fields, round, path) };
    if (type === 'heightfield') return { ...common, field: readFieldUse(this, fields, round, path) };
    return { ...common, shape: this.shape(String(type), fields, round, path) };
  }

  private shape(type: string, fields: Readonly<Record<string, unknown>>, margin: number, path: Path): ShapeSpec {
    const spec: Record<string, unknown> = margin > 0 ? { type, margin } : { type };
    const before = this.diagnostics.length;
    for (const [field, kind] of Object.entries(shapes[type].fields)) {
      spec[field] = this.field(fields[field], kind === 'direction' ? 'ratio' : 'length', [...path, field]);
      // values that have not been evaluated yet cannot be checked
      if (this.needsExpressions || this.diagnostics.length > before) continue;
      this.runCheck(() => requireKind(field, kind, spec[field]), path, field);
    }
    const wellRead = !this.needsExpressions && this.diagnostics.length === before;
    // hulls need no further check
    if (wellRead && type !== 'convex') this.runCheck(() => createShape(spec as ShapeSpec), path);
    return spec as ShapeSpec;
  }

  /** Reads the numbers of a field, in nested lists of any depth. */
  private field(value: unknown, kind: Kind, path: Path): unknown {
    if (Array.isArray(value)) return value.map((item, i) => this.field(item, kind, [...path, i]));
    return this.number(value as number | string, kind, path);
  }

  private mesh(fields: Readonly<Record<string, unknown>>, margin: number, path: Path): MeshUse {
    const {
      file,
      scale = 1,
      parts = 'hull',
    } = fields as { file: string; scale?: number | number[]; parts?: MeshDecomposerName };
    return { file: this.address(file), scale: this.scale(scale, path), margin, parts };
  }

  /** Runs a check, and reports an error that a shape throws about its fields: `size[1] is -0.2, …`. */
  private runCheck(check: () => void, path: Path, field = '\\w*'): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const [, name = '', indices = '', what = ''] =
        new RegExp(`^(${field})((?:\\[\\d+\\])*) ((?:is|has) [\\s\\S]*)$`).exec(error.message) ?? [];
      const place = [...indices.matchAll(/\d+/g)].map((match) => Number(match[0]));
      if (what === '') this.report(path, error.message, error.note);
      else this.report([...path, name, ...place], `it ${what}`, error.note);
    }
  }
}
