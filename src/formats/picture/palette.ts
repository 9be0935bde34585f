/** Colours of a material on light and dark pages: of faces turned away from the light, and towards it. */
export interface Material {
  readonly light: readonly [string, string];
  readonly dark: readonly [string, string];
}

/** Links alternate between two tones, so that joints are visible; obstacles cycle through the remaining tones. */
export const materials: Readonly<Record<string, Material>> = {
  link0: { light: ['#5d6b80', '#f4f7fb'], dark: ['#465268', '#e9eef6'] },
  link1: { light: ['#173f7a', '#84b6f2'], dark: ['#12335f', '#7db4f7'] },
  carried: { light: ['#9a4a10', '#ffc38a'], dark: ['#8a430f', '#ffbe82'] },
  solid0: { light: ['#8c7a60', '#f3e9d8'], dark: ['#3d3629', '#a8977a'] },
  solid1: { light: ['#62806f', '#dcebdf'], dark: ['#2a3a31', '#86a592'] },
  solid2: { light: ['#8d6a62', '#f3ddd5'], dark: ['#41302b', '#b08a7f'] },
  solid3: { light: ['#696f92', '#dfe2f2'], dark: ['#2d3148', '#8c93ba'] },
  solid4: { light: ['#7d7f6a', '#ebecdc'], dark: ['#36372b', '#9d9f86'] },
};

export const SOLIDS = 5;

/** Brightness levels from shadow to light. */
const SHADES = 20;

/** Colour steps along a motion, from its start to its goal. */
export const TIMES = 12;

const START = ['#2f7fe0', '#6fb1ff'] as const;
const MIDDLE = ['#8b5cd6', '#b99bff'] as const;
const GOAL = ['#e8590c', '#ff9a4d'] as const;

/** Returns the class of a face: material, and amount of light (0 to 1). */
export function shadeClass(material: string, light: number): string {
  const step = Math.floor(Math.min(1, Math.max(0, light)) * (SHADES - 1) + 0.5);
  return `${material}-${step}`;
}

/** Returns the class for a time of the motion (0 to 1). */
export function timeClass(when: number): string {
  return `t${Math.floor(Math.min(1, Math.max(0, when)) * (TIMES - 1) + 0.5)}`;
}

/**
 * Returns the style sheet; of the classes of faces, only those in use. Dark colours apply if the reader's system
 * prefers them.
 * @param used classes of `shadeClass`
 */
export function styleSheet(used: ReadonlySet<string>): string {
  const faces = [...used].filter((name) => name.includes('-')).sort();
  const rules = (theme: 0 | 1) => [
    ...faces.map((name) => `.${name}{fill:${faceColor(name, theme)};stroke:${faceColor(name, theme)}}`),
    ...Array.from({ length: TIMES }, (_, i) => {
      const color = timeColor(i / (TIMES - 1), theme);
      return `.t${i}{stroke:${color}}.g.t${i}{fill:${color}}`;
    }),
  ];
  return [
    'path{stroke-linejoin:round;stroke-linecap:round}',
    '.f path{stroke-width:.7}.f .o,.f .e{fill:none;stroke:#10192b}.f .o{stroke-width:1.1;stroke-opacity:.75}' +
      '.f .e{stroke-width:.7;stroke-opacity:.3}',
    '.f .g{fill-opacity:.13;stroke:none}.f .l{fill:none;stroke-width:.8;stroke-opacity:.4}' +
      '.f .p{fill:none;stroke-width:3}',
    '.h path{fill:none;stroke-width:1.2;stroke-dasharray:1 4}',
    '.grid{fill:none;stroke-width:1}.grid stop{stop-color:#4a5a75}.shadow{fill:#0b1730;fill-opacity:.17}',
    'text{font:11.5px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1c2739;' +
      'stroke:#fff;stroke-width:3;stroke-opacity:.85;paint-order:stroke;stroke-linejoin:round}',
    'text.c{font-size:13px;fill:#4a5a75}',
    ...rules(0),
    '@media (prefers-color-scheme:dark){',
    '.f .o,.f .e{stroke:#05080f}.f .o{stroke-opacity:.9}' +
      '.grid stop{stop-color:#8fa3c4}.shadow{fill:#000;fill-opacity:.45}',
    'text{fill:#e6ecf7;stroke:#0d1117}text.c{fill:#9fb0cc}',
    ...rules(1),
    '}',
  ].join('\n');
}

function faceColor(name: string, theme: 0 | 1): string {
  const at = name.lastIndexOf('-');
  const material = materials[name.slice(0, at)];
  const [shadow, lit] = theme === 0 ? material.light : material.dark;
  return mix(shadow, lit, Number(name.slice(at + 1)) / (SHADES - 1));
}

const timeColor = (when: number, theme: 0 | 1): string =>
  when < 0.5 ? mix(START[theme], MIDDLE[theme], 2 * when) : mix(MIDDLE[theme], GOAL[theme], 2 * when - 1);

function mix(from: string, to: string, share: number): string {
  const channel = (color: string, k: number) => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  return `#${[0, 1, 2]
    .map((k) => Math.round(channel(from, k) + share * (channel(to, k) - channel(from, k))))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}
