import { InputError } from '../errors.ts';
import { checkCollada } from './daeChecks.ts';
import { plainPrimitives } from './daePrimitives.ts';
import { withDomGlobals } from './domGlobals.ts';
import type { Mesh } from './meshes.ts';
import { childOf, parseXml, removeChildren, type XmlElement } from './xmlDocument.ts';

/** Parts of a COLLADA file that collision does not need; textures among them would be fetched. */
const unneeded =
  /^library_(images|effects|materials|animations|animation_clips|cameras|lights|physics_.*|force_fields|kinematics_.*|articulated_systems|joints)$/;

/**
 * Reads the triangles of a COLLADA file as its scene places them, through three's ColladaLoader. Lengths are multiplied by the file's
 * `<unit>`. Its `<up_axis>` is ignored, as ROS tools do: coordinates are taken as they are in the file.
 */
export async function readDae(bytes: Uint8Array, file: string): Promise<Mesh> {
  const root = await parseXml(new TextDecoder().decode(bytes), file, 'COLLADA');
  const scene = childOf(root, 'scene');
  if (scene === undefined || childOf(scene, 'instance_visual_scene') === undefined) {
    throw new InputError(`${file}: there is no <scene> that places the geometry`);
  }
  removeChildren(root, (child) => unneeded.test(child.nodeName));
  plainPrimitives(root);
  checkCollada(root, file);
  const points = await triangles(root, file);
  if (points.length === 0) throw new InputError(`${file}: the mesh is empty: there are no triangles in its scene`);
  return { points, triangles: points.length / 9, warnings: [] };
}

async function triangles(root: XmlElement, file: string): Promise<Float64Array> {
  const { ColladaLoader, Mesh, Vector3 } = await import('./threeCollada.ts');
  const document = root.ownerDocument;
  const scene = await withDomGlobals(
    () =>
      silently(() => {
        try {
          return new ColladaLoader().parse(' ', '')?.scene;
        } catch (error) {
          throw new InputError(`${file}: this COLLADA file cannot be read: ${(error as Error).message}`);
        }
      }),
    document,
  );
  if (scene === undefined) throw new InputError(`${file}: this COLLADA file cannot be read`);
  scene.rotation.set(0, 0, 0);
  scene.updateMatrixWorld(true);
  const coordinates: number[] = [];
  const point = new Vector3();
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    const position = object.geometry.getAttribute('position');
    const index = object.geometry.getIndex();
    const count = index?.count ?? position?.count ?? 0;
    for (let i = 0; i < count - (count % 3); i++) {
      point.fromBufferAttribute(position, index?.getX(i) ?? i).applyMatrix4(object.matrixWorld);
      coordinates.push(point.x, point.y, point.z);
    }
  });
  const bad = coordinates.find((value) => !Number.isFinite(value));
  if (bad !== undefined) throw new InputError(`${file}: a coordinate is ${bad}: an index leads nowhere`);
  return Float64Array.from(coordinates);
}

/** three talks on the console, even on standard output. */
function silently<T>(use: () => T): T {
  const { debug, warn, error, log, info } = console;
  const nothing = () => {};
  Object.assign(console, { debug: nothing, warn: nothing, error: nothing, log: nothing, info: nothing });
  try {
    return use();
  } finally {
    Object.assign(console, { debug, warn, error, log, info });
  }
}
