import {
  Box3,
  Box3Helper,
  BufferGeometry,
  Color,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Points,
  PointsMaterial,
  Raycaster,
  Scene,
  Sphere,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { element } from '../dom.ts';
import { FIELD_OF_VIEW } from './figure.ts';
import type { Palette } from './palette.ts';

/**
 * Angle (rad) by which the camera is turned aside from the line from the obstacles to the robot, and its elevation
 * ratio.
 */
const VIEW_TURN = 0.75;
const VIEW_RISE = 0.5;
/** Elevation ratio of the view down into containers. */
const VIEW_FROM_ABOVE = 1.3;
/** Radius of what is seen around objects in a container, relative to theirs. */
const SURROUNDINGS = 1.6;
/** Width of a path, px. */
const PATH_WIDTH = 2.5;
/** Height of the grid, metres: below tables whose top is the floor of the scene. */
const GRID_HEIGHT = -0.015;

/** Where there is nothing to see, and what to do. */
const NO_WEBGL =
  'This browser draws no 3D (WebGL 2 is missing or switched off), so the stage is empty. Plans, checks, charts, ' +
  'steps and files work. To see the robot, switch on hardware acceleration, or start Chromium with ' +
  '--enable-unsafe-swiftshader.';

/** Distance between press and release of a click, px. */
const CLICK = 4;

/** How the camera is moved. */
const CONTROLS = 'Drag or arrow keys: turn. Scroll, pinch, + or −: zoom. Right or two-finger drag: move.';
/** Angle of one key press, rad, and its factor of the distance. */
const KEY_TURN = 0.1;
const KEY_ZOOM = 0.9;
/** Azimuth and polar angle of the camera, and its distance, by key. */
const KEYS: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-KEY_TURN, 0, 1],
  ArrowRight: [KEY_TURN, 0, 1],
  ArrowUp: [0, -KEY_TURN, 1],
  ArrowDown: [0, KEY_TURN, 1],
  '+': [0, 0, KEY_ZOOM],
  '=': [0, 0, KEY_ZOOM],
  '-': [0, 0, 1 / KEY_ZOOM],
};

/** Listener of the handles of one object. */
export interface DragListener {
  /** Called while the user drags the handles. */
  readonly onDrag: () => void;
  /** Called when the user releases them. */
  readonly onDrop: () => void;
  /** Called when the object loses its handles. */
  readonly onEnd: () => void;
}

/** Canvas, camera and light. Renders a frame only after a change. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly scene = new Scene();
  /** Handles for moving an object. */
  private readonly handles: TransformControls;
  readonly grid: GridHelper;
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  /** Undefined where the browser has no WebGL: nothing is drawn, all else works. */
  private readonly renderer: WebGLRenderer | undefined;
  private readonly orbit: OrbitControls;
  /** Called after each frame. */
  onFrame: () => void = () => {};
  /** Called with the ray of a click that turns nothing and touches no handle. */
  onClick: (ray: Raycaster) => void = () => {};
  private dragged: { readonly object: Object3D; readonly listener: DragListener } | undefined;
  private stale = false;
  /** Size of the canvas, px: reading it from the element would force a layout in every frame. */
  private width = 1;
  private height = 1;

  constructor(frame: HTMLElement, palette: Palette) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { antialias: true });
    this.renderer = context ? new WebGLRenderer({ canvas, context }) : undefined;
    this.canvas = canvas;
    if (!context) frame.append(element('p', { class: 'no-webgl', role: 'alert' }, NO_WEBGL));
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', `The robot in its scene. ${CONTROLS}`);
    this.canvas.title = CONTROLS;
    this.canvas.addEventListener('keydown', (event) => this.turnByKey(event));
    this.canvas.tabIndex = 0;
    this.canvas.addEventListener('pointerdown', (event) => this.listenForClick(event));
    frame.append(this.canvas);
    this.scene.background = palette.background;
    this.camera.up.set(0, 0, 1);
    this.grid = new GridHelper(4, 20, palette.gridCentre, palette.grid).rotateX(Math.PI / 2);
    this.grid.position.z = GRID_HEIGHT;
    this.grid.renderOrder = -1; // below all objects: at this height it would show through thin tables in dashes
    this.grid.material.depthWrite = false;
    this.scene.add(this.grid, new HemisphereLight(0xffffff, 0x9aa1ab, 2.2), this.camera, keyLight());
    this.camera.add(headlight());
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.addEventListener('change', () => this.invalidate());
    this.handles = new TransformControls(this.camera, this.canvas);
    this.handles.addEventListener('dragging-changed', ({ value }) => {
      this.orbit.enabled = value !== true;
      if (value !== true) this.dragged?.listener.onDrop();
    });
    this.handles.addEventListener('change', () => this.invalidate());
    this.handles.addEventListener('objectChange', () => this.dragged?.listener.onDrag());
    this.scene.add(this.handles.getHelper());
    new ResizeObserver(() => this.resize(frame)).observe(frame);
    this.resize(frame);
  }

  /** A pointer that is released where it was pressed is a click; one that has moved turns the view. */
  private listenForClick({ clientX, clientY, pointerId, button }: PointerEvent): void {
    if (button !== 0 || this.handles.axis !== null) return;
    const onUp = (up: PointerEvent) => {
      if (up.pointerId !== pointerId || Math.hypot(up.clientX - clientX, up.clientY - clientY) > CLICK) return;
      const { left, top } = this.canvas.getBoundingClientRect();
      const at = new Vector2((2 * (clientX - left)) / this.width - 1, 1 - (2 * (clientY - top)) / this.height);
      const ray = new Raycaster();
      ray.setFromCamera(at, this.camera);
      this.onClick(ray);
    };
    window.addEventListener('pointerup', onUp, { once: true });
  }

  /** Whether anything is drawn. */
  get isDrawn(): boolean {
    return this.renderer !== undefined;
  }

  /** Shows handles that move an object, instead of those of another object. */
  drag(object: Object3D, listener: DragListener): void {
    const before = this.dragged;
    this.dragged = { object, listener };
    if (before && before.object !== object) before.listener.onEnd();
    this.handles.setMode('translate');
    this.handles.attach(object);
    this.invalidate();
  }

  /** The object that has the handles. */
  get held(): Object3D | undefined {
    return this.dragged?.object;
  }

  /** Makes the handles turn the object, or move it. */
  turnHandles(turn: boolean): void {
    this.handles.setMode(turn ? 'rotate' : 'translate');
    this.handles.setSpace(turn ? 'local' : 'world');
    this.invalidate();
  }

  /** Removes the handles of these objects. */
  release(objects: readonly Object3D[]): void {
    const { dragged } = this;
    if (!dragged || !objects.includes(dragged.object)) return;
    this.dragged = undefined;
    this.handles.detach();
    dragged.listener.onEnd();
    this.invalidate();
  }

  /** Requests a frame after a change. */
  invalidate(): void {
    if (this.stale) return;
    this.stale = true;
    requestAnimationFrame(() => {
      this.stale = false;
      if (!this.renderer) return;
      this.renderer.render(this.scene, this.camera);
      this.onFrame();
    });
  }

  /** Renders a frame at once, and draws it into a canvas of this width; its height follows. */
  capture(width: number): CanvasRenderingContext2D {
    const { canvas } = this;
    this.renderer?.render(this.scene, this.camera);
    const copy = document.createElement('canvas');
    copy.width = width;
    copy.height = Math.round((width * canvas.height) / canvas.width);
    const context = copy.getContext('2d', { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0, copy.width, copy.height);
    return context;
  }

  /** Projects a point of the world to pixels of the canvas; undefined if it is behind the camera. */
  toScreen(point: Vector3): { readonly x: number; readonly y: number } | undefined {
    const seen = point.clone().project(this.camera);
    if (seen.z > 1) return undefined;
    return { x: (0.5 + seen.x / 2) * this.width, y: (0.5 - seen.y / 2) * this.height };
  }

  /** Moves the camera so that all objects are visible, from above and with `shown` in front of `hiding`. */
  frame(shown: readonly Object3D[], hiding: readonly Object3D[]): void {
    const box = boxOf(shown);
    const seen = box.getCenter(new Vector3());
    const away = hiding.length === 0 ? new Vector3(0, -1, 0) : seen.clone().sub(boxOf(hiding).getCenter(new Vector3()));
    const sphere = box.union(boxOf(hiding)).getBoundingSphere(new Sphere());
    this.look(sphere, Math.atan2(away.y, away.x) + VIEW_TURN, VIEW_RISE);
  }

  /** Moves the camera above these objects, on the side away from `behind`, for a view down into containers. */
  frameFromAbove(shown: readonly Object3D[], behind: Object3D): void {
    const sphere = boxOf(shown).getBoundingSphere(new Sphere());
    sphere.radius *= SURROUNDINGS;
    const away = sphere.center.clone().sub(boxOf([behind]).getCenter(new Vector3()));
    this.look(sphere, Math.atan2(away.y, away.x) - VIEW_TURN / 2, VIEW_FROM_ABOVE);
  }

  private look({ center, radius }: Sphere, azimuth: number, rise: number): void {
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (1.05 * radius) / Math.sin(((this.camera.fov / 2) * narrow * Math.PI) / 180);
    const direction = new Vector3(Math.cos(azimuth), Math.sin(azimuth), rise).normalize();
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.orbit.target.copy(center);
    this.orbit.update();
    this.invalidate();
  }

  private turnByKey(event: KeyboardEvent): void {
    const move = KEYS[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [azimuth, polar, factor] = move;
    const { target } = this.orbit;
    const away = this.camera.position.clone().sub(target);
    const distance = away.length() * factor;
    const around = Math.atan2(away.y, away.x) + azimuth;
    const down = Math.min(Math.PI - 0.01, Math.max(0.01, Math.acos(away.z / away.length()) + polar));
    this.camera.position.set(Math.sin(down) * Math.cos(around), Math.sin(down) * Math.sin(around), Math.cos(down));
    this.camera.position.multiplyScalar(distance).add(target);
    this.orbit.update();
    this.invalidate();
  }

  private resize(frame: HTMLElement): void {
    const { clientWidth, clientHeight } = frame;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.renderer?.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer?.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}

function boxOf(objects: readonly Object3D[]): Box3 {
  const box = new Box3();
  for (const object of objects) {
    object.updateWorldMatrix(true, true);
    box.expandByObject(object, true);
  }
  return box;
}

function keyLight(): DirectionalLight {
  const key = new DirectionalLight(0xffffff, 1.2);
  key.position.set(2, -1, 5);
  return key;
}

/** Creates a light at the camera, so that no visible face is black. */
function headlight(): DirectionalLight {
  const light = new DirectionalLight(0xffffff, 0.9);
  light.position.set(-1, 1.5, 1);
  return light;
}

/** Creates a polyline; with `onTop` it is drawn over everything. */
export function line(points: readonly Vector3[], color: Palette['path'], onTop = false): Line {
  const material = new LineBasicMaterial({ color, depthTest: !onTop, transparent: onTop });
  const made = new Line(new BufferGeometry().setFromPoints([...points]), material);
  if (onTop) made.renderOrder = 1;
  return made;
}

/**
 * Creates a path of constant width on the screen; where it is hidden, it shows through faintly.
 * @param color of the path, or one for each point
 */
export function path(points: readonly Vector3[], color: Color | readonly Color[]): Group {
  const geometry = new LineGeometry().setPositions(points.flatMap(({ x, y, z }) => [x, y, z]));
  const isOne = color instanceof Color;
  if (!isOne) geometry.setColors(color.flatMap(({ r, g, b }) => [r, g, b]));
  const look = { linewidth: PATH_WIDTH, ...(isOne ? { color } : { vertexColors: true }) };
  const seen = new LineMaterial(look);
  const hidden = new LineMaterial({ ...look, transparent: true, opacity: 0.25, depthTest: false });
  return new Group().add(new Line2(geometry, seen), new Line2(geometry, hidden));
}

/** Creates points with a constant size in pixels. */
export function cloud(points: readonly Vector3[], color: Palette['path']): Points {
  const material = new PointsMaterial({ color, size: 4, sizeAttenuation: false, transparent: true, opacity: 0.75 });
  return new Points(new BufferGeometry().setFromPoints([...points]), material);
}

/** Creates the axis-aligned bounding box of each object. */
export function boxesAround(objects: readonly Object3D[], color: Palette['path']): Group {
  const group = new Group();
  for (const object of objects) group.add(new Box3Helper(new Box3().setFromObject(object, true), color));
  return group;
}
