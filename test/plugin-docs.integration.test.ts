import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as app from '@kebab/core/app';
import * as core from '@kebab/core';
import * as store from '@kebab/core/store';
import * as testing from '@kebab/testing';
import { TEMPLATE_KINDS } from '../create-kebab-plugin/src/templates.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

describe('the contracts', () => {
  it('have a doc comment at every exported declaration', () => {
    const contracts = readdirSync(new URL('../core/src/contracts/', import.meta.url));
    const bare = contracts.flatMap((file) =>
      [
        ...read(`core/src/contracts/${file}`).matchAll(
          /(?<!\*\/\n)^export (?:interface|type|const|class|function) \w+/gm,
        ),
      ].map(([declared]) => `${file}: ${declared}`),
    );
    expect(contracts.length).toBeGreaterThan(15);
    expect(bare).toEqual([]);
  });
});

describe('create-kebab-plugin', () => {
  it('creates plugins for the kebab version it is released with', () => {
    const versionOf = (file: string): string => (JSON.parse(read(file)) as { readonly version: string }).version;
    expect(versionOf('create-kebab-plugin/package.json')).toBe(versionOf('kits/plugin/package.json'));
    expect(JSON.parse(read('create-kebab-plugin/templates/common/package.template.json'))).toMatchObject({
      peerDependencies: { '@kebab/plugin': `^${versionOf('kits/plugin/package.json')}` },
      devDependencies: { '@kebab/plugin': `^${versionOf('kits/plugin/package.json')}` },
    });
  });

  it('has a template for every kind that the page about plugins names', () => {
    const page = read('docs/writing-a-plugin.md');
    for (const kind of TEMPLATE_KINDS) expect(page).toContain(`\`${kind}\``);
  });
});

/** The public API. Removing a name breaks its users; a new name is a promise from then on. */
describe('the surface of @kebab/core', () => {
  it.each([
    ['', core],
    ['/app', app],
    ['/store', store],
    ['/testing', testing],
  ])('exports exactly the values that are written down for @kebab/core%s', async (entry, module) => {
    const names = `${Object.keys(module).toSorted().join('\n')}\n`;
    await expect(names).toMatchFileSnapshot(`surface/core${entry.replace('/', '-')}.txt`);
  });

  it.each([
    ['', 'core/src/index.ts'],
    ['-app', 'core/src/engine.ts'],
    ['-store', 'core/src/store.ts'],
    ['-testing', 'testing/src/index.ts'],
  ])('exports exactly the types that are written down for @kebab/core%s', async (entry, file) => {
    const names = [...read(file).matchAll(/^export (type )?\{([^}]*)\}/gms)]
      .flatMap(([, whole, list = '']) =>
        list
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && (whole !== undefined || name.startsWith('type ')))
          .map((name) => name.replace(/^type /, '')),
      )
      .toSorted();
    expect(names.length).toBeGreaterThan(3);
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`surface/core${entry}-types.txt`);
  });
});
