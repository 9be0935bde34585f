import type { SceneData, SceneTools } from 'elbowroom/node';

/** Metres between the two sides of the opening. */
const WIDTHS = [0.44, 0.41, 0.38, 0.35];

/** The doorway of scenes/ with openings of its own, each with a box put behind it at random. */
export default async function* narrowing({ load, random }: SceneTools): AsyncGenerator<SceneData> {
  const doorway = await load('../../scenes/doorway.yaml');
  for (const width of WIDTHS) {
    const side = (name: string, sign: number) => ({
      name,
      type: 'box',
      size: [0.03, 0.61, 0.4],
      pose: { xyz: [0.4, sign * (width / 2 + 0.305), 0.45] },
    });
    const others = (doorway['obstacles'] as { name: string }[]).filter(
      ({ name }) => name !== 'left' && name !== 'right',
    );
    const box = {
      name: 'box',
      type: 'box',
      size: [0.1, 0.1, 0.2],
      pose: { xyz: [0.7, random.between(-0.4, 0.4), 0.1] },
    };
    yield {
      ...doorway,
      name: `opening ${100 * width} cm`,
      obstacles: [...others, side('left', 1), side('right', -1), box],
    };
  }
}
