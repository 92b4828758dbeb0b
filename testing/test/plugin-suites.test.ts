import { describe, expect, it } from 'vitest';
import { definePlugin, type Hook, type Plugin } from '@kebab/core';
import { guessFixtures } from '../src/plugin-testing.ts';
import { pluginSuites } from '../src/plugin-suites.ts';
import { failuresOf } from './failures.ts';

const base = {
  name: 'p',
  version: '1.0.0',
  apiVersion: 1,
  permissions: { fs: 'none', net: [], spawn: [] },
} as const;

async function failures(
  plugin: Plugin,
  more: Partial<Parameters<typeof pluginSuites>[0]> = {},
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { contract, cases } of pluginSuites({ plugin, ...more }))
    for (const name of await failuresOf({ contract, cases: cases.filter(({ skip }) => skip === undefined) }))
      found.push(`${contract}: ${name}`);
  return found;
}

describe('pluginSuites', () => {
  it('closes what each case created, once', async () => {
    let [made, closed] = [0, 0];
    const factory = (): Hook & { close(): void } => {
      made++;
      return { close: () => void closed++ };
    };
    expect(await failures(definePlugin({ ...base, contributes: { hook: { h: factory } } }))).toEqual([]);
    expect(made).toBeGreaterThan(2);
    expect(closed).toBe(made);
  });

  it('detects a mismatch with package.json', async () => {
    const plugin = definePlugin({ ...base, contributes: { hook: { h: (): Hook => ({}) } } });
    const manifest = { ...base, contributes: { hook: ['h'] } };
    expect(await failures(plugin, { manifest })).toEqual([]);
    expect(await failures(plugin, { manifest: { ...manifest, version: '2.0.0' } })).toEqual([
      'Plugin: matches its package.json',
    ]);
    const [{ cases } = { cases: [] }] = pluginSuites({
      plugin,
      manifest: { ...manifest, contributes: { hook: ['other'] } },
    });
    await expect((async () => cases.find(({ name }) => name === 'matches its package.json')?.run())()).rejects.toThrow(
      'contributes is {"hook":["h"]} in the code, and {"hook":["other"]} in package.json',
    );
  });

  it('asks for fixtures where they are required, and has defaults for text', async () => {
    const extractor = {
      id: 'x',
      version: '1',
      match: { extensions: ['x'] },
      supports: () => false,
      parserVersion: () => 'x-v1',
      chunkerId: () => 'md-heading-v1',
      extract: () => Promise.reject(new Error('not asked')),
      fingerprint: () => 'x',
    };
    const plugin = definePlugin({ ...base, contributes: { extractor: { x: () => extractor as never } } });
    const [skipped] = pluginSuites({ plugin }).flatMap(({ contract, cases }) =>
      contract === 'extractor x' ? cases : [],
    );
    expect(skipped?.skip).toBe('its suite needs fixtures.extractor["x"]');
    const textual = definePlugin({
      ...base,
      contributes: { extractor: { x: () => ({ ...extractor, match: { codeLangs: ['ruby'] } }) as never } },
    });
    expect(Object.keys((await guessFixtures({ plugin: textual, fixtures: {} })).extractor ?? {})).toEqual(['x']);
  });

  it('have no defaults for a contribution that lacks a required member, which is named', async () => {
    const plugin = (kind: string, made: object): Plugin =>
      definePlugin({
        name: 'bare',
        version: '1.0.0',
        apiVersion: 1,
        contributes: { [kind]: { x: () => made } },
      });
    const guess = (kind: string, made: object) => guessFixtures({ plugin: plugin(kind, made), fixtures: {} });
    await expect(guess('extractor', undefined as never)).rejects.toThrow('its factory must return one');
    await expect(guess('extractor', {})).rejects.toThrow('its extractor "x" has no id');
    await expect(guess('extractor', { id: 'y' })).rejects.toThrow('its extractor "x" has another id: "y"');
    await expect(guess('extractor', { id: 'x', version: '1' })).rejects.toThrow('its extractor "x" has no match');
    await expect(guess('chunker', { id: 'x', version: '1' })).rejects.toThrow('its chunker "x" has no needs');
  });
});
