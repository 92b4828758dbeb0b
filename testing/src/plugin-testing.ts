import type { Extractor, Plugin } from '@kebab/core';
import type { Factory } from '@kebab/core/store';
import { fileNamesOf, missingMember, NO_PERMISSIONS, type PluginManifest, validateConfig } from '@kebab/core/suites';
import { MadeComponents, pluginContext } from './plugin-context.ts';
import { sampleWrite } from './sample-documents.ts';
import type { ContractSuite } from './contract-suite.ts';
import { pluginSuites } from './plugin-suites.ts';
import type { PluginFixtures } from './suites-by-kind.ts';

const TEXT =
  'A first line\n\nA paragraph of two lines. It has\nthree sentences. 한국어 문장도 있습니다. 😀\n\nThe last one.\n';
const LONG = `${TEXT}\n${'A sentence of some words, which goes on. '.repeat(300)}\n`;

/**
 * The suites that `kebab plugin test` runs for a plugin, with default fixtures for contributions without any. Throws when a contribution lacks a
 * required member.
 */
export async function suitesOfPlugin({
  plugin,
  fixtures,
  config,
  manifest,
}: {
  readonly plugin: Plugin;
  readonly fixtures: unknown;
  readonly config: unknown;
  readonly manifest: PluginManifest | null;
}): Promise<readonly ContractSuite[]> {
  const settings = config === undefined ? {} : { config };
  const guessed = await guessFixtures({ plugin, fixtures: fixtures as PluginFixtures, ...settings });
  return pluginSuites({ plugin, fixtures: guessed, ...settings, ...(manifest === null ? {} : { manifest }) });
}

/**
 * Adds default fixtures for contributions without any: text for extractors of text media, and documents with line spans for chunkers.
 * Others, such as files in a special format, are left out. A plugin whose factories fail is left alone: its suites report that. Throws when
 * a contribution lacks a required member.
 */
export async function guessFixtures({
  plugin,
  fixtures,
  config = {},
}: {
  readonly plugin: Plugin;
  readonly fixtures: PluginFixtures;
  readonly config?: unknown;
}): Promise<PluginFixtures> {
  const made = new MadeComponents();
  const make = async <T extends object>(
    kind: 'extractor' | 'chunker',
    id: string,
    factory: Factory<T, unknown>,
  ): Promise<T | null> => {
    const context = async () =>
      pluginContext(await validateConfig(plugin, config), plugin.permissions ?? NO_PERMISSIONS);
    const one = await context()
      .then(factory)
      .then((given) => made.keep(given))
      .catch(() => null);
    const missing = one === null ? null : missingMember(kind, id, one);
    if (missing !== null) throw new TypeError(missing);
    return one;
  };
  const extractor: Record<string, NonNullable<PluginFixtures['extractor']>[string]> = {};
  for (const [id, factory] of Object.entries(plugin.contributes.extractor ?? {})) {
    const paths = id in (fixtures.extractor ?? {}) ? [] : textFilesOf(await make('extractor', id, factory));
    if (paths.length > 0)
      extractor[id] = (again) => ({ make: again, fixtures: paths.map((path) => ({ path, content: TEXT })) });
  }
  const chunker: Record<string, NonNullable<PluginFixtures['chunker']>[string]> = {};
  for (const [id, factory] of Object.entries(plugin.contributes.chunker ?? {})) {
    const one = id in (fixtures.chunker ?? {}) ? null : await make('chunker', id, factory);
    if (one === null || !one.needs.spans.includes('line')) continue;
    const overlap = one.reads.includes('windowOverlapLines') ? 'lines' : 'tokens';
    const documents = ['', ' \n', TEXT, LONG].map((text, at) => sampleWrite(`sample-${at}.txt`, text).document);
    chunker[id] = (again) => ({ make: again, documents, overlap });
  }
  await made.close().catch(() => undefined); // a case of the suites closes it again, and reports the failure
  return {
    ...fixtures,
    extractor: { ...fixtures.extractor, ...extractor },
    chunker: { ...fixtures.chunker, ...chunker },
  };
}

function textFilesOf(extractor: Extractor | null): readonly string[] {
  if (extractor === null) return [];
  const { media = [], codeLangs = [] } = extractor.match;
  return [
    ...(media.includes('markdown') ? ['sample.md'] : []),
    ...(media.includes('text') ? ['sample.txt'] : []),
    ...(media.includes('code') && codeLangs.length === 0 ? ['sample.sh'] : []),
    ...codeLangs.flatMap((lang) => fileNamesOf(lang).slice(0, 1)).map((pattern) => pattern.replace('*', 'sample')),
  ];
}
