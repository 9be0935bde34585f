import type { PageData } from 'elbowroom';
import { readAddress } from './address.ts';
import { element } from './dom.ts';
import { dark, light, type Palette } from './stage/palette.ts';
import { View } from './view.ts';

/** Returns the data in the page, or fetches the scene that the address names from the server. */
async function pageData(): Promise<PageData> {
  const text = document.getElementById('page-data')?.textContent ?? '';
  if (text.trim() === '') throw new Error('This page holds no scene: `elbowroom view SCENE` serves one that does.');
  const own = JSON.parse(text) as PageData;
  const { scene } = readAddress();
  if (scene === undefined || scene === own.title || !own.scenes?.includes(scene)) return own;
  const answer = await fetch(`scenes/${encodeURIComponent(scene)}.json`);
  if (!answer.ok) throw new Error(`The scene "${scene}" cannot be loaded: ${answer.status} ${answer.statusText}`);
  return { ...((await answer.json()) as PageData), scenes: own.scenes };
}

/** Returns the theme that the system prefers. */
const preferredPalette = (): Palette => (window.matchMedia('(prefers-color-scheme: dark)').matches ? dark : light);

const page = document.getElementById('page')!;
try {
  const data = await pageData();
  document.title = data.title;
  new View(page, data, preferredPalette());
} catch (error) {
  page.replaceChildren(
    element('p', { class: 'failure', role: 'alert' }, error instanceof Error ? error.message : String(error)),
  );
}
