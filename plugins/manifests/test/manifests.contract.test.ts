import { readFileSync, readdirSync } from 'node:fs';
import type { Chunker } from '@kebab/core';
import { chunkerSuite, declareSuite, EDGE_POLICIES, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createManifestExtractor } from '../src/manifest-extractor.ts';
import { createResourceChunker, createWholeFileChunker } from '../src/manifest-chunkers.ts';

const folder = new URL('fixtures/', import.meta.url);
const fixtures = readdirSync(folder).map((path) => ({ path, content: readFileSync(new URL(path, folder), 'utf8') }));
const LONG = Array.from({ length: 700 }, (_, at) => `key${at}: ${'x'.repeat(at % 50)}${at % 9 === 0 ? '\n' : ''}`).join(
  '\n',
);
const RESOURCE = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: long\ndata:\n${LONG.replaceAll(/^(?=.)/gm, '  ')}\n`;

declareSuite(extractorSuite({ make: createManifestExtractor, fixtures, hostilePath: 'deploy.yaml' }), { describe, it });
declareSuite(
  extractorSuite({
    make: createManifestExtractor,
    fixtures: [{ path: 'Dockerfile', content: LONG }],
    hasLargeFiles: false,
  }),
  { describe, it },
);

declareChunker(createResourceChunker, {
  texts: ['', ...textsOf(/\.ya?ml$/), LONG, RESOURCE, `${LONG}\n---\n${RESOURCE}---\n${LONG}`, 'x'.repeat(30_000)],
  path: 'a.yaml',
});
declareChunker(() => createWholeFileChunker('dockerfile-file-v1'), {
  texts: ['', ...textsOf(/Dockerfile/), LONG],
  path: 'Dockerfile',
});
declareChunker(() => createWholeFileChunker('manifest-file-v1'), {
  texts: ['', ...textsOf(/\.(json|toml|xml|gradle|mod)$/), LONG, `{"a":"${'가나'.repeat(20_000)}"}`, `\n\n${LONG}\n\n`],
  path: 'package.json',
});

function textsOf(names: RegExp): readonly string[] {
  return fixtures.filter(({ path }) => names.test(path)).map(({ content }) => content);
}

function declareChunker(
  make: () => Chunker,
  {
    texts,
    path,
  }: {
    readonly texts: readonly string[];
    readonly path: string;
  },
): void {
  const documents = () => Promise.all(texts.map((text) => extractDocument(createManifestExtractor(), path, text)));
  declareSuite(chunkerSuite({ make, documents, overlap: 'none', policies: EDGE_POLICIES }), { describe, it });
}
