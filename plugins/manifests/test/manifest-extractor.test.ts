import { readFileSync } from 'node:fs';
import type { ChunkPolicy } from '@kebab/core';
import { assetFrom, DEFAULT_POLICY, documentFrom, silentCallContext } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { createManifestExtractor, yamlDocuments, resourceSymbol } from '../src/manifest-extractor.ts';
import { createResourceChunker, createWholeFileChunker } from '../src/manifest-chunkers.ts';

const CHUNKERS = [
  createResourceChunker(),
  createWholeFileChunker('dockerfile-file-v1'),
  createWholeFileChunker('manifest-file-v1'),
];

/** The chunks of a file as `<first line>-<last line> <symbol>`, with the chunker that the extractor names. */
async function cut(
  path: string,
  content = readFileSync(new URL(`fixtures/${path}`, import.meta.url), 'utf8'),
  policy: ChunkPolicy = DEFAULT_POLICY,
): Promise<{ readonly chunkerId: string; readonly chunks: readonly string[] }> {
  const extractor = createManifestExtractor();
  const bytes = new TextEncoder().encode(content);
  const asset = assetFrom(path, bytes);
  const extracted = await extractor.extract({ asset, bytes }, silentCallContext());
  const chunkerId = extracted.chunkerId ?? extractor.chunkerId(asset.mediaType);
  const document = documentFrom(extracted, asset, extractor.parserVersion(asset.mediaType));
  const lineOf = (offset: number): number => document.text.slice(0, offset).split('\n').length;
  const drafts = CHUNKERS.find(({ id }) => id === chunkerId)?.chunk(document, policy) ?? [];
  return {
    chunkerId,
    chunks: drafts.map((draft) => `${lineOf(draft.start)}-${lineOf(draft.end)} ${draft.symbol ?? '-'}`),
  };
}

describe('cutting manifests', () => {
  it('creates a chunk for each resource of a YAML file, next to other documents and an invalid one', async () => {
    expect(await cut('deploy.yaml')).toEqual({
      chunkerId: 'k8s-manifest-resource-v1',
      chunks: ['1-5 Namespace/web', '6-20 Deployment/web/kebab', '21-31 -', '32-43 ConfigMap/settings'],
    });
  });

  it('leaves YAML without resources to the chunker for plain code', async () => {
    for (const text of [undefined, 'a: [', 'apiVersion: v1\nkind: [\n', '', '---\n'])
      expect((await cut('values.yml', text)).chunkerId).toBe('code-text-paragraph-v1');
  });

  it.each([
    ['Dockerfile', '1-15 <dockerfile>', 'dockerfile-file-v1'],
    ['Cargo.toml', '1-5 <manifest>', 'manifest-file-v1'],
    ['package.json', '1-1 <manifest>', 'manifest-file-v1'],
    ['go.mod', '1-3 <manifest>', 'manifest-file-v1'],
    ['pom.xml', '1-5 <manifest>', 'manifest-file-v1'],
    ['build.gradle', '1-5 <manifest>', 'manifest-file-v1'],
  ])('creates one chunk for %s', async (path, chunk, chunkerId) => {
    expect(await cut(path)).toEqual({ chunkerId, chunks: [chunk] });
  });

  it('cuts a long file into windows of the maximum number of lines per unit', async () => {
    const lines = Array.from({ length: 450 }, (_, at) => `key${at} = 1`).join('\n');
    expect((await cut('long.toml', lines)).chunks).toEqual([
      '1-200 <manifest>',
      '201-400 <manifest>',
      '401-450 <manifest>',
    ]);
    const resource = `apiVersion: v1\nkind: ConfigMap\ndata:\n${lines.replaceAll(/^/gm, '  ').replaceAll('=', ':')}`;
    expect((await cut('long.yaml', resource)).chunks).toEqual([
      '1-200 ConfigMap [part 1/3]',
      '201-400 ConfigMap [part 2/3]',
      '401-453 ConfigMap [part 3/3]',
    ]);
  });

  it('cuts one long line between characters', async () => {
    const { chunks } = await cut('min.json', `{"a":"${'가'.repeat(10_000)}"}`);
    expect(chunks).toHaveLength(3);
  });
});

function documents(text: string): readonly string[] {
  return yamlDocuments(text).map(({ start, end }) => text.slice(start, end));
}

describe('cutting a YAML stream into documents', () => {
  it.each([
    ['', []],
    ['\n \n', []],
    ['a: 1\n', ['a: 1']],
    ['a: 1\n---\nb: 2\n', ['a: 1', '---\nb: 2']],
    ['---\na: 1\n\n---\nb: 2\n---\n', ['---\na: 1', '---\nb: 2\n---']],
    ['a: 1\n...\nb: 2\n', ['a: 1\n...', 'b: 2']],
    ['# licence\n---\na: 1\n', ['# licence\n---\na: 1']],
    ['%YAML 1.2\n---\na: 1\n', ['%YAML 1.2\n---\na: 1']],
    ['--- # first\n---\n---\na: 1\n', ['--- # first\n---\n---\na: 1']],
    ['a: |\n  ---\n  b\n', ['a: |\n  ---\n  b']],
    ['---a: 1\n----\nb\n', ['---a: 1\n----\nb']],
    ['--- {a: 1}\n--- [b]\n', ['--- {a: 1}', '--- [b]']],
    ['a: 1\n---\n# the end\n', ['a: 1\n---\n# the end']],
    ['# only\n# comments\n', ['# only\n# comments']],
    ['---\n', ['---']],
  ])('%j contains %j', (text, expected) => {
    expect(documents(text)).toEqual(expected);
  });

  it('keeps every character except white space exactly once', () => {
    const line = fc.constantFrom('---', '...', '--- a', 'a: 1', '  b', '# c', '%YAML 1.2', '', '  ', '안녕 👋');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const text = lines.join('\n');
        expect(documents(text).join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});

describe('the symbol of a Kubernetes resource', () => {
  it.each([
    ['apiVersion: v1\nkind: Namespace\nmetadata:\n  name: web\n', 'Namespace/web'],
    ['apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: kebab, namespace: web }\n', 'Deployment/web/kebab'],
    ['--- # one\n"apiVersion": v1\n"kind": "Pod"\n"metadata": {"name": "a"}\n', 'Pod/a'],
    ['{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}', 'Pod/a'],
    ['kind: Job\napiVersion: batch/v1\nmetadata: { generateName: run- }\n', 'Job/run-'],
    ['apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n', 'Kustomization'],
    ['apiVersion: v1\nkind: Pod\nmetadata: { name: 7 }\n', 'Pod/7'],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: 설정\n', 'ConfigMap/설정'],
  ])('%j is %s', async (source, symbol) => {
    expect(await resourceSymbol(source)).toBe(symbol);
  });

  it.each([
    '',
    'name: values\nimage: kebab\n',
    'apiVersion: v1\n# kind\n',
    'kind: Pod\n# apiVersion\n',
    '- apiVersion: v1\n  kind: Pod\n',
    'apiVersion: v1\nkind: Pod\nmetadata: [\n',
    'apiVersion: v1\nkind: Pod\nkind: Pod\n',
    'apiVersion: {{ .Values.api }}\nkind: Pod\n',
    'apiVersion: {a: b}\nkind: Pod\n',
    `apiVersion: v1\nkind: ${'['.repeat(100_000)}\n`,
    `apiVersion: v1\nkind: Pod\nx: ${'y'.repeat(1_100_000)}\n`,
  ])('is null for %.40j', async (source) => {
    expect(await resourceSymbol(source)).toBeNull();
  });
});
