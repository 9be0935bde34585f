import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import { configurationOf } from '../../src/core/scene/configurationOf.ts';
import { loadRobot } from '../../src/host/node/files.ts';
import { drawRobot } from '../../src/tasks/pictures/drawMotion.ts';
import { fileOf, NAMES } from './loaded.ts';

test.each(NAMES.filter((name) => existsSync(fileOf(name, 'svg'))))(
  'the README of %s shows its bodies as they are',
  async (name) => {
    const model = createRobotModel(await loadRobot(name));
    const file = new URL(`../../robots/${name}/${name}.svg`, import.meta.url);
    // After a change that is meant: npx vitest run test/robots/pictures.test.ts -u
    await expect(await drawRobot(model, configurationOf(model, 'home', name))).toMatchFileSnapshot(fileURLToPath(file));
    expect(readFileSync(new URL('README.md', file), 'utf8')).toContain(`(${name}.svg)`);
  },
);
