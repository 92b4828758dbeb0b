import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeSchema } from '../../src/admin/describe-schema.ts';
import type { Chunker } from '../../src/contracts/chunker.ts';
import type { Extractor } from '../../src/contracts/extractor.ts';
import type { VectorStore } from '../../src/contracts/vector-store.ts';
import type { PluginReport } from '../../src/plugin/find-plugins.ts';
import type { SchemaV1 } from '../../src/wire/index.ts';
import { componentPorts } from '../../src/ports.ts';
import { ScriptedModel, MemoryVectorStore } from '@kebab/testing';
import { SchemaV1Schema } from '../../src/wire/admin.ts';
import { FakeComponents } from '../fake-components.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { changed } from '../changed.ts';

const describeOf = async (kb: KnowledgeBase, plugins: readonly PluginReport[] = []): Promise<SchemaV1> => {
  return SchemaV1Schema.parse(await describeSchema({ ...kb.ports, pluginReports: () => plugins }));
};

const extractor = (id: string, match: Extractor['match'], chunkerId: string): Extractor => ({
  id,
  version: '1',
  isolation: 'inline',
  match,
  fingerprint: () => id,
  supports: (media) => media.kind !== 'code' || (match.codeLangs ?? [media.lang]).includes(media.lang),
  parserVersion: (media) => `${id}-${media.kind === 'code' ? media.lang : media.kind}-v1`,
  chunkerId: () => chunkerId,
  extract: () => Promise.reject(new Error('nothing is extracted here')),
});

const chunker = (id: string): Chunker => ({
  id,
  version: '1',
  needs: { spans: [] },
  reads: [],
  chunk: () => [],
});

describe('describeSchema', () => {
  const open = openForTests();

  it('names the models that plugins provide, whatever is configured', async () => {
    const kb = await open({ env: { KEBAB_MODELS_LLM_PROVIDER: 'acme', KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    const retriever = {
      id: 'near',
      version: '2',
      scoreKind: 'cosine',
      indexVersion: () => 'near-2',
      retrieve: async () => [],
    } as const;
    const own = new FakeComponents({ llm: { acme: new ScriptedModel([]) }, retriever: { near: retriever } }, 'package');
    const { languageModels, retrievers } = componentPorts(own);
    const described = await describeSchema({ ...kb.ports, languageModels, retrievers, pluginReports: () => [] });
    expect(described.models).toMatchObject({
      llm: new ScriptedModel([]).model.id,
      embedding_version: 'near@2',
    });
  });

  it('counts the contents of the knowledge base', async () => {
    const kb = await open();
    await kb.add('a.md', 'one\n\ntwo\n', { lang: 'en' });
    await kb.add('b.rs', 'fn b() {}\n', { metadata: { codeLang: 'rust', repo: 'kebab' }, sourceId: 'lib' });
    kb.putFile('a.md', 'changed\n');
    const { stats, models } = await describeOf(kb);
    expect(stats).toEqual({
      doc_count: 2,
      chunk_count: 3,
      asset_count: 2,
      last_ingest_at: null,
      media_breakdown: { markdown: 1, text: 0, pdf: 0, image: 0, audio: 0, code: 1, other: 0 },
      lang_breakdown: { en: 1, und: 1 },
      code_lang_breakdown: { rust: 1 },
      code_lang_chunk_breakdown: { rust: 1 },
      repo_breakdown: { kebab: 1 },
      source_breakdown: { default: 1, lib: 1 },
      index_bytes: { sqlite: expect.any(Number), vectors: 0 },
      stale_doc_count: 2,
      embeddings_pending: 0,
    });
    expect(models).toMatchObject({
      corpus_revision: 2,
      index_version: kb.index.indexVersion(),
      embedding_version: null,
    });
  });

  it('reports the size of the vectors, if the store can', async () => {
    const vectors = changed<VectorStore>(new MemoryVectorStore(), { storedBytes: async () => 12_345 });
    const env = { KEBAB_STORAGE_VECTOR_STORE: 'memory' };
    const kb = await open({ env, contributions: { vector_store: { memory: vectors } } });
    expect((await describeOf(kb)).stats.index_bytes.vectors).toBe(12_345);
  });

  it('names parsers and chunkers by medium, the preferred one of two', async () => {
    const kb = await open({
      contributions: {
        extractor: {
          mine: extractor('mine', { media: ['markdown'] }, 'absent'),
          all: extractor(
            'all',
            { media: ['markdown', 'text', 'image'], codeLangs: ['rust', 'go'], extensions: ['epub'] },
            'cut',
          ),
          rest: extractor('rest', { media: ['code'] }, 'cut'),
        },
        chunker: { cut: chunker('cut') },
      },
    });
    const { models } = await describeOf(kb);
    expect(models.parser_version).toEqual({
      markdown: 'mine-markdown-v1',
      text: 'all-text-v1',
      image: 'all-image-v1',
      'code/rust': 'all-rust-v1',
      'code/go': 'all-go-v1',
      'other/epub': 'all-other-v1',
      code: 'rest-text-v1',
    });
    expect(Object.keys(models.chunker_version)).toEqual(
      Object.keys(models.parser_version).filter((key) => key !== 'markdown'),
    );
  });

  it('reports every flag and every wire object', async () => {
    const { capabilities, wire } = await describeOf(await open());
    expect(capabilities).toMatchObject({
      bulk_search: true,
      citation_verify: true,
      streaming_ask: true,
      rag_multi_turn: true,
      file_refs: true,
      multi_hop: true,
      nli_verification: true,
      audio: false,
    });
    const folder = new URL('../../../docs/wire-schema/v1/', import.meta.url);
    const files = readdirSync(folder).map((file) => file.replace('.schema.json', '.v1'));
    expect([...wire.schemas].toSorted()).toEqual(files.toSorted());
  });

  it('lists every plugin with its state, an untrusted one as disabled', async () => {
    const report: PluginReport = {
      name: 'p',
      version: '1.0.0',
      apiVersion: 1,
      kinds: ['extractor'],
      permissions: { fs: 'none', net: [], spawn: [] },
      state: 'untrusted',
      reason: 'not trusted',
      origin: 'path',
    };
    expect((await describeOf(await open(), [report])).plugins).toEqual([
      { name: 'p', version: '1.0.0', kinds: ['extractor'], state: 'disabled' },
    ]);
  });
});
