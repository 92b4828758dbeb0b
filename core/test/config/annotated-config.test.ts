import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { annotatedConfig } from '../../src/config/annotated-config.ts';
import { defaultOf, readTable } from '../../src/config/read-value.ts';
import { ConfigWorld } from './config-world.ts';
import { bundledKeys, wholeFile } from './bundled-keys.ts';

const text = annotatedConfig(bundledKeys);

describe('annotatedConfig', () => {
  it('says nothing when it is the user’s file: every value is the default', async () => {
    const world = new ConfigWorld();
    const before = await world.resolve();
    world.write(world.userFile, text);
    const after = await world.resolve();
    world.remove();
    expect(after.config).toEqual(before.config);
    expect([...after.origins.values()].filter(({ origin }) => origin !== 'default')).toEqual([]);
  });

  it('holds every key with its default once the tables and keys in it are uncommented', () => {
    const uncommented = text
      .replaceAll(/^# (\[[\w.]+\]|[\w-]+ = .*)$/gm, '$1')
      .replaceAll(/^(id|root) = "(work|~\/work)"$/gm, '');
    const values = new Map(readTable(parse(uncommented), wholeFile, { origin: 'default' }));
    const expected = bundledKeys.keys.filter(
      ({ name, key }) => defaultOf(key) !== null && name !== 'workspace.sources',
    );
    expect(Object.fromEntries(values)).toEqual(
      Object.fromEntries(expected.map(({ name, key }) => [name, defaultOf(key)])),
    );
  });

  it('has an example of a further source that works as its comment says', () => {
    const example = '# [[workspace.sources]]\n# id = "work"\n# root = "~/work"\n';
    expect(text).toContain(example);
    const uncommented = text.replace(example, example.replaceAll('# ', ''));
    const values = new Map(readTable(parse(uncommented), wholeFile, { origin: 'default' }));
    expect(values.get('workspace.sources')).toMatchObject([{ id: 'work', root: '~/work' }]);
  });

  it('explains every key, also those that have no default', () => {
    for (const { key } of bundledKeys.keys) expect(text).toContain(`# ${key.doc}`);
    expect(text).toContain('\n# dimensions =\n');
    expect(text).toContain('(off | auto | always)');
    expect(text).toContain('\n# temperature = 0.0\n');
  });
});
