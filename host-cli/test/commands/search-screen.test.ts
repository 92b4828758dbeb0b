import type { App, SearchHit, SearchResponse, Trace } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { snippetLines } from '../../src/commands/search-screen.ts';
import { textWidth } from '../../src/screen/text-width.ts';
import { configView, hit, lexicalHit, responseOf } from '../examples.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

/** The output of a search with this response. */
async function screen(
  response: SearchResponse,
  flags: readonly string[] = [],
  test: CommandTest = {},
): Promise<string> {
  const app: Partial<App> = {
    search: async () => response,
    configView: async () => configView,
    showPassages: async () => [],
    listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total: 5, next_cursor: null }),
  };
  return (await runCommand(['search', 'x', ...flags], { app, ...test })).stdout.text;
}

const ranks = { lexical_rank: null, vector_rank: 1, fusion_score: 0.9 };
const trace: Trace = {
  lexical: [],
  vector: [],
  rrf_inputs: [
    { chunk_id: hit.doc_id, ...ranks },
    { chunk_id: hit.chunk_id, ...ranks },
  ],
  query: { terms: [], phrases: [], excluded: [] },
  timing: { lexical_ms: 0, vector_ms: 0, fusion_ms: 0, rerank_ms: 0, total_ms: 0 },
};

describe('the screen of a search', () => {
  it('is as documented', async () => {
    await expect(await screen(responseOf([hit]))).toMatchFileSnapshot('golden/search.txt');
  });

  it.each([
    ['  [changed]', { freshness: 'changed', stale: true }],
    ['  [deleted]', { freshness: 'deleted', stale: true }],
    ['  [stale]', { freshness: 'fresh', stale: true }],
    ['', { freshness: 'fresh', stale: false }],
    ['  (+2 near-identical)', { duplicates: 2 }],
    ['  (+17 more in this file)', { more_in_doc: 17 }],
  ] as const)('ends the first line of a hit with "%s" for %j', async (tag, state) => {
    const [line] = (await screen(responseOf([{ ...hit, ...state }]))).split('\n');
    expect(line).toBe(`1. 0.82  notes/kebab-architecture.md#L661-L672${tag}`);
  });

  it('has no line for a section if there is none', async () => {
    expect((await screen(responseOf([{ ...hit, section_label: null }]))).split('\n')[1]).toMatch(/^ {3}Heading bound/);
  });

  it.each([
    ['no passage contains "xylophone" or "tuba"', responseOf([lexicalHit], { unknown_terms: ['xylophone', 'tuba'] })],
    [
      'no passage contains "xylophone": the hits only come nearest',
      responseOf([lexicalHit], { unknown_terms: ['xylophone'], nearest_only: true }),
    ],
    [
      'no passage answers this: the hits are only the nearest by meaning',
      responseOf([{ ...hit, retrieval: { ...hit.retrieval, lexical_rank: null } }], { nearest_only: true }),
    ],
    ['no passage contains "xylophone"', responseOf([], { unknown_terms: ['xylophone'] })],
  ])('says above the hits: %s', async (line, response) => {
    expect((await screen(response)).split('\n')[0]).toBe(line);
  });

  it.each([
    [0, responseOf([hit])],
    [0, responseOf([hit], { unknown_terms: ['xylophone'] })],
    [1, responseOf([hit], { unknown_terms: ['xylophone'], nearest_only: true })],
    [1, responseOf([])],
  ])('exits with %i when that is what the hits are worth', async (code, response) => {
    const app: Partial<App> = { search: async () => response };
    expect((await runCommand(['search', 'x', '--json'], { app })).code).toBe(code);
  });

  it.each([
    [responseOf([lexicalHit]), '1 hit  lexical  index v1.2  bm25'],
    [responseOf([hit, { ...hit, rank: 2 }]), '2 hits  hybrid  index v1.2  bm25+e5-small/RRF'],
    [
      responseOf([{ ...hit, retrieval: { ...hit.retrieval, method: 'vector' } }]),
      '1 hit  vector  index v1.2  e5-small',
    ],
  ])('counts hits and names mode, index and retrievers in the footer', async (response, footer) => {
    expect((await screen(response)).trimEnd().split('\n').at(-1)).toBe(footer);
  });

  it('reports that nothing was found, and names the model used', async () => {
    expect(await screen(responseOf([], { mode: 'hybrid' }))).toBe(
      'no hits\n0 hits  hybrid  index v1.2  bm25+e5-small\n',
    );
    expect(await screen(responseOf([]))).toBe('no hits\n0 hits  lexical  index v1.2  bm25\n');
  });

  it('names no model if nothing was found and nothing was searched with it', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    const hybrid = responseOf([], { mode: 'hybrid' });
    const footer = 'no hits\n0 hits  hybrid  index v1.2  bm25';
    expect(await screen({ ...hybrid, degraded })).toBe(`${footer}\n`);
    const incomplete = [{ ...degraded[0], reason: 'vectors_incomplete' }] as const;
    expect(await screen({ ...hybrid, degraded: incomplete })).toBe(`${footer}+e5-small\n`);
    const off = { key: 'models.embedding.provider', value: 'none', origin: 'file' } as const;
    const app: Partial<App> = {
      search: async () => hybrid,
      configView: async () => ({ ...configView, entries: [off, ...configView.entries] }),
    };
    expect((await runCommand(['search', 'x', '--quiet'], { app })).stdout.text).toBe(`${footer}\n`);
  });

  it.each(['/home/ada/models/my-model', './my-model', '~/models/my-model/'])(
    'names a model that is a folder (%s) as hits do',
    async (model) => {
      const entry = { key: 'models.embedding.model', value: model, origin: 'file' } as const;
      const app: Partial<App> = {
        search: async () => responseOf([], { mode: 'hybrid' }),
        configView: async () => ({ ...configView, entries: [entry] }),
        listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total: 5, next_cursor: null }),
      };
      const { stdout } = await runCommand(['search', 'x'], { app });
      expect(stdout.text).toBe('no hits\n0 hits  hybrid  index v1.2  bm25+my-model\n');
    },
  );

  it('wraps a footer that is wider than the terminal', async () => {
    const model = `vendor/${'long-name-'.repeat(5)}v2`;
    const shown = await screen(responseOf([{ ...hit, embedding_model: model }]), [], {
      columns: 50,
      env: { NO_COLOR: '1' },
    });
    expect(
      shown
        .trimEnd()
        .split('\n')
        .slice(-3)
        .every((line) => textWidth(line) <= 50),
    ).toBe(true);
    expect(shown.replaceAll('\n', '')).toContain(`bm25+${model}/RRF`);
  });

  it('shows control characters of documents and file names as visible symbols', async () => {
    const hostile: SearchHit = {
      ...hit,
      snippet: 'a\u001b]0;x\u0007\nb',
      citation: { ...hit.citation, uri: 'a\u001b[31m\n.md#L1' },
    };
    expect((await screen(responseOf([hostile]))).split('\n').slice(0, 3)).toEqual([
      '1. 0.82  a␛[31m␊.md#L1',
      '   §14 Chunking policy',
      '   a␛]0;x␇␊b',
    ]);
  });

  it('uses colours only on a terminal that supports them', async () => {
    expect(await screen(responseOf([hit]))).not.toContain('\u001b');
    expect(await screen(responseOf([hit]), [], { columns: 80, env: { NO_COLOR: '1' } })).not.toContain('\u001b');
    expect(await screen(responseOf([hit]), [], { columns: 80 })).toContain('\u001b[');
  });

  it('shows the rank of an expected place below the footer', async () => {
    const expected = {
      target: 'notes/a.md#L10',
      outcome: 'other_page',
      reason: 'it is hit 37, which is not on this page',
      hint: 'ask for 37 hits, or follow the cursor',
      chunk_id: hit.chunk_id,
      rank: 37,
      lexical_rank: 41,
      vector_rank: null,
      has_vector: false,
      filters: [],
    } as const;
    await expect(await screen(responseOf([hit], { expect: expected }))).toMatchFileSnapshot('golden/search-expect.txt');
  });
});

describe('the citation of a hit', () => {
  const permalink = 'notes/a.md#L3~5f0c1d2e';
  const cited = { ...hit, citation: { ...hit.citation, uri: 'notes/a.md#L3', permalink } };

  it.each<[what: string, flags: readonly string[], env: { readonly columns?: number }]>([
    ['in a pipe', [], {}],
    ['on a terminal', [], { columns: 80 }],
    ['in a template', ['--format', '{uri}'], {}],
  ])('carries the hash of its text %s', async (_what, flags, terminal) => {
    const app = { search: async () => responseOf([cited]), showPassages: async () => [] };
    const { stdout } = await runCommand(['search', 'q', ...flags], { app, ...terminal, env: { NO_COLOR: '1' } });
    expect(stdout.text).toContain(permalink);
  });
});

describe('the screen of an explained search', () => {
  it('shows how a hit was found', async () => {
    await expect(await screen(responseOf([hit]), ['--explain'])).toMatchFileSnapshot('golden/search-explain.txt');
  });

  it('shows the hash for `cite verify --hash` on a terminal', async () => {
    const app = { search: async () => responseOf([hit]), showPassages: async () => [] };
    const { stdout } = await runCommand(['search', 'q', '--explain'], { app, columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text).toContain(`…   hash ${hit.citation.content_hash}\n`);
  });

  it('keeps a space after the number of a hit, whatever its length', async () => {
    const hits = [9, 10, 100].map((rank) => ({ ...hit, rank }));
    const app = { search: async () => responseOf(hits), showPassages: async () => [] };
    const { stdout } = await runCommand(['search', 'q'], { app, columns: 80, env: { NO_COLOR: '1' } });
    const heads = stdout.text.split('\n').filter((line) => /^\d+\./.test(line));
    expect(heads.map((line) => /^\d+\. +/.exec(line)?.[0])).toEqual(['9. ', '10. ', '100. ']);
  });

  it('shows the relevance of a hit and the evidence for it', async () => {
    const evidence = { held: 0.5, held_by_two: 0.75, in_order: 0, words: 3, nearness: 0.8 };
    const explained = (relevance: number, nearness: number | null): Promise<string> => {
      const retrieval = { ...hit.retrieval, relevance, evidence: { ...evidence, nearness } };
      return screen(responseOf([{ ...hit, retrieval }]), ['--explain']);
    };
    expect(await explained(0.42, 0.8)).toContain(
      'relevance 0.42: words 3, held 0.50, by two 0.75, in order 0.00, nearness 0.80\n',
    );
    expect(await explained(0.0004, null)).toContain(
      'relevance 0.00040: words 3, held 0.50, by two 0.75, in order 0.00\n',
    );
  });

  it('shows a side that did not return the chunk, and a reranker', async () => {
    const retrieval = {
      ...hit.retrieval,
      lexical_rank: null,
      lexical_score: null,
      rerank_score: 0.91,
      rerank_rank: 1,
    };
    const text = await screen(responseOf([{ ...hit, retrieval }], { trace }), ['--explain']);
    await expect(text).toMatchFileSnapshot('golden/search-reranked.txt');
  });

  it('shows the order of code, near-identical passages and the weights of the sides', async () => {
    const hits = [
      { ...hit, duplicates: 1 },
      { ...hit, chunk_id: hit.doc_id, rank: 2, duplicate_of: hit.chunk_id },
    ];
    const refined: Trace = {
      ...trace,
      fusion: { rrf_k: 60, weight_lexical: 1, weight_vector: 0.31, reason: 'agreement' },
      code: [{ chunk_id: hit.chunk_id, before: 2, rank: 1, factor: 2 }],
    };
    const text = await screen(responseOf(hits, { trace: refined }), ['--explain']);
    await expect(text).toMatchFileSnapshot('golden/search-refined.txt');
  });

  it('shows the weight of each kind of evidence if scores were fused', async () => {
    const fused: Trace = {
      ...trace,
      fusion: {
        method: 'relevance',
        rrf_k: 60,
        weight_lexical: 0.92,
        weight_vector: 0.7,
        weight_all_words: 1.62,
        reason: 'evidence',
      },
    };
    const text = await screen(responseOf([{ ...hit, score_kind: 'fused' }], { trace: fused }), ['--explain']);
    expect(text).toMatch(/[├└] fusion +rank \d +score 0\.82/);
    expect(text).toContain('  bm25+e5-small\nrelevance  lexical 0.92  vector 0.70  all words 1.62  (evidence)\n');
  });

  it('names the retrievers of plugins, and the rank and score they gave a hit', async () => {
    const retrieval = { ...hit.retrieval, vector_rank: null, retrievers: [{ id: 'grep', rank: 3, score: 7 }] };
    const text = await screen(responseOf([{ ...hit, embedding_model: null, retrieval }]), ['--explain']);
    expect(text).toMatch(/[├] grep +rank 3 +score 7\.00/);
    expect(text).toMatch(/ {2}bm25\+grep\/RRF$/m);
    expect(text).not.toContain('vector (');
  });
});

describe('snippetLines', () => {
  const LONG = 'Heading boundaries come first. Code blocks are never cut in the middle. '.repeat(3).trim();

  it('keeps a short snippet on one line', () => {
    expect(snippetLines('short', { columns: 80, whole: false })).toEqual(['short']);
  });

  it('cuts a snippet to two lines of a terminal', () => {
    expect(snippetLines(LONG, { columns: 60, whole: false })).toEqual([
      'Heading boundaries come first. Code blocks are never cut',
      'in the middle. Heading boundaries come first. Code block…',
    ]);
  });

  it('cuts nothing outside a terminal, or if the length was given', () => {
    for (const layout of [
      { columns: null, whole: false },
      { columns: 40, whole: true },
    ]) {
      const lines = snippetLines(LONG, layout);
      expect(lines.join(' ')).toBe(LONG);
      expect(lines.length).toBeLessThanOrEqual(2);
    }
  });

  it('breaks text without spaces by its width in columns', () => {
    const lines = snippetLines('마크다운청킹규칙'.repeat(10), { columns: 43, whole: false });
    expect(lines.map(textWidth)).toEqual([40, 39]);
  });
});
