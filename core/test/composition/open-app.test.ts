import { expect, it, onTestFinished } from 'vitest';
import { builtins } from '@kebab/builtins';
import { OPERATIONS } from '../../src/app/operations.ts';
import { port } from '../../src/composition/app-tokens.ts';
import { bindEngine } from '../../src/composition/open-app.ts';
import { ConfigWorld } from '../config/config-world.ts';

it('binds everything that an operation needs, except the files that each App watches itself', async () => {
  const world = new ConfigWorld();
  onTestFinished(() => world.remove());
  const environment = { cwd: world.cwd, env: {}, homeDir: world.home, tmpDir: world.root };
  const bindings = await bindEngine({ builtins, environment }, builtins);
  const needed = new Set(
    Object.values(OPERATIONS).flatMap(({ needs }) => needs as readonly Parameters<typeof port>[0][]),
  );
  expect([...needed].filter((name) => !bindings.has(port(name)))).toEqual(['openedFiles']);
  for (const name of needed) if (name !== 'openedFiles') expect(bindings.get(port(name))).toBeDefined();
  await bindings.close();
});
