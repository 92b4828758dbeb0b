import { readFileSync } from 'node:fs';
import type { Contributions, DerivationCache, Logger, PluginContext, PluginKind } from '@kebab/core';
import type { Factory } from '@kebab/core/store';
import { sampleWrite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';
import type { StoreConfig } from '../src/store-config.ts';
import manifest from '../package.json' with { type: 'json' };
import { temporaryFolder } from './temporary-folder.ts';

const silent = (): void => {};
const log: Logger = { debug: silent, info: silent, warn: silent, error: silent };
const cache: DerivationCache = { get: () => undefined, set: silent };

function contextOf(config: StoreConfig): PluginContext<StoreConfig> {
  return { config, log, cache, tmpDir: '', clock: { now: () => new Date(0) } };
}

function factory<K extends PluginKind>(kind: K, id: string): Factory<Contributions[K], StoreConfig> {
  const found = plugin.contributes[kind]?.[id];
  if (found === undefined) throw new Error(`the plugin contributes no ${kind} ${id}`);
  return found;
}

/** The specifiers of the modules that a file imports when loaded, following our own modules. */
function loadedBy(url: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(url.href)) return seen;
  seen.add(url.href);
  const source = readFileSync(url, 'utf8');
  for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';/gms)) {
    if (specifier.startsWith('.')) loadedBy(new URL(specifier, url), seen);
    else seen.add(specifier);
  }
  return seen;
}

const source = (path: string): URL => new URL(`../src/${path}`, import.meta.url);

describe('the plugin', () => {
  it('contributes what its manifest declares', () => {
    const ids = Object.entries(plugin.contributes).map(([kind, factories]) => [kind, Object.keys(factories)]);
    expect(Object.fromEntries(ids)).toEqual(manifest.kebab.contributes);
  });

  it('uses one connection for all components of one context', async () => {
    const context = contextOf({
      file: ':memory:',
      readonly: false,
      lockFile: '/nowhere/kebab.lock',
      embeddingCache: '',
    });
    const store = await factory('document_store', 'sqlite')(context);
    const index = await factory('lexical_index', 'sqlite-fts5')(context);
    const sessions = await factory('session_repo', 'sqlite')(context);
    const writer = await store.openWriter({ waitMs: 0 });
    await writer.transaction((tx) => tx.putDocument(sampleWrite('a.md', 'apple pie\n')));
    await writer.close();
    expect(await index.search(index.analyseQuery('apple'), {}, 5)).toHaveLength(1);
    expect(await sessions.listSessions()).toEqual([]);
    await store.close();
    await expect(sessions.listSessions()).rejects.toThrow(/not open/);
  });

  it('opens again after a failure', async () => {
    const folder = temporaryFolder();
    const file = folder.file('kebab.sqlite');
    const lockFile = folder.file('kebab.lock');
    const reading = contextOf({ file, readonly: true, lockFile, embeddingCache: '' });
    const open = factory('document_store', 'sqlite');
    await expect(open(reading)).rejects.toMatchObject({ code: 'not_indexed' });
    await (await open(contextOf({ file, readonly: false, lockFile, embeddingCache: '' }))).close();
    const store = await open(reading);
    expect(await store.documentCount()).toBe(0);
    await store.close();
    folder.remove();
  });

  it('loads no schema library for a search', () => {
    const loaded = [
      'database/open-database.ts',
      'documents/sqlite-document-store.ts',
      'lexical/sqlite-lexical-index.ts',
      'index.ts',
    ].flatMap((path) => [...loadedBy(source(path))]);
    const packages = new Set(
      loaded.filter((specifier) => !specifier.startsWith('file:') && !specifier.startsWith('node:')),
    );
    expect([...packages].toSorted()).toEqual([
      '@kebab/core',
      '@kebab/core/store',
      '@kebab/sqlite-kit',
      '@kebab/store-kit',
      'kysely',
    ]);
  });
});
