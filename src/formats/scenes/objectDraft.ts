import type { MeshDecomposerName } from '../../core/hulls/meshParts.ts';
import type { Pose } from '../../core/kinematics/robotModel.ts';
import type { ObstacleMotion } from '../../core/scene/movingScene.ts';
import type { FreeObject } from '../../core/scene/scene.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import type { Path, SourceText } from '../text/sourceText.ts';
import type { CloudUse, FieldUse } from './bulkObjects.ts';
import type { MassDraft } from './loads/readMass.ts';

/** An obstacle or attached object whose files have not been read yet. */
export interface ObjectDraft {
  readonly path: Path;
  /** The included file that `path` refers to; undefined: the scene itself. */
  readonly source?: SourceText;
  readonly name: string;
  readonly pose: Pose;
  /** Motion of an obstacle; `pose` is then its first pose. */
  readonly motion?: ObstacleMotion;
  readonly shape?: ShapeSpec;
  readonly mesh?: MeshUse;
  readonly cloud?: CloudUse;
  readonly field?: FieldUse;
  readonly link?: string;
  readonly touches?: readonly string[];
  /** Undefined: it is not a load. */
  readonly mass?: MassDraft;
  /** Undefined: fixed. */
  readonly free?: FreeObject;
  /** See `Obstacle`. */
  readonly unknownSpeed?: number;
}

/** A file of way points that a step names. */
export interface ToolPathFile {
  /** Index of the step. */
  readonly step: number;
  readonly file: string;
  /** Metres per unit of lengths whose unit the file does not state. */
  readonly scale: number | undefined;
  readonly path: Path;
}

/** A reference to a mesh file. */
export interface MeshUse {
  readonly file: string;
  readonly scale: [number, number, number];
  readonly margin: number;
  readonly parts: MeshDecomposerName;
}
