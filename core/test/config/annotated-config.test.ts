import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { annotatedConfig } from '../../src/config/annotated-config.ts';
import { defaultOf } from '../../src/config/read-value.ts';
import { readTable } from '../../src/config/read-table.ts';
import { ConfigWorld } from './config-world.ts';
import { bundledKeys, wholeFile } from './bundled-keys.ts';

const text = annotatedConfig(bundledKeys);

describe('annotatedConfig', () => {
  it('sets every key to its default', () => {
    const values = new Map(readTable(parse(text), wholeFile, { origin: 'default' }));
    const expected = bundledKeys.keys.filter(({ key }) => defaultOf(key) !== null);
    expect(Object.fromEntries(values)).toEqual(
      Object.fromEntries(expected.map(({ name, key }) => [name, defaultOf(key)])),
    );
  });

  it('changes nothing when it is the user’s file', async () => {
    const world = new ConfigWorld();
    const before = await world.resolve();
    world.write(world.userFile, text);
    const after = await world.resolve();
    world.remove();
    expect(after.config).toEqual(before.config);
    expect(after.origins.get('search.rrf_k')).toEqual({ origin: 'file', path: world.userFile });
  });

  it('explains every key, also those that have no default', () => {
    for (const { key } of bundledKeys.keys) expect(text).toContain(`# ${key.doc}`);
    expect(text).toContain('\n# dimensions =\n');
    expect(text).toContain('(off | auto | always)');
    expect(text).toContain('\ntemperature = 0.0\n');
  });
});
