import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { renderSearch } from '../../src/render/search.ts';
import type { Screen } from '../../src/render/screen.ts';
import { hit, lexicalHit, responseOf } from '../examples/searches.ts';
import { plain } from '../fakes/screens.ts';

const options = { explain: false, wholeSnippets: false, embeddingModel: null };

describe('renderSearch', () => {
  it('draws the screen of the documentation', async () => {
    await expect(renderSearch(responseOf([hit]), options, plain)).toMatchFileSnapshot('golden/search.txt');
  });

  it('explains how a hit came about', async () => {
    const screen = renderSearch(responseOf([hit]), { ...options, explain: true }, plain);
    await expect(screen).toMatchFileSnapshot('golden/search-explain.txt');
  });

  it('explains a side that did not return the chunk, and a reranker', async () => {
    const { lexical_rank: _rank, lexical_score: _score, ...retrieval } = hit.retrieval;
    const reranked = {
      ...hit,
      retrieval: { ...retrieval, lexical_rank: null, lexical_score: null, rerank_score: 0.91, rerank_rank: 1 },
    };
    const rrf = { lexical_rank: null, vector_rank: 1, fusion_score: 0.9 };
    const trace = {
      lexical: [],
      vector: [],
      rrf_inputs: [
        { chunk_id: hit.doc_id, ...rrf },
        { chunk_id: hit.chunk_id, ...rrf, fusion_score: 0.82 },
      ],
      query: { terms: [], phrases: [], excluded: [] },
      timing: { lexical_ms: 0, vector_ms: 0, fusion_ms: 0, rerank_ms: 0, total_ms: 0 },
    };
    const screen = renderSearch(responseOf([reranked], { trace }), { ...options, explain: true }, plain);
    await expect(screen).toMatchFileSnapshot('golden/search-reranked.txt');
  });

  it.each([
    ['  [changed]', { freshness: 'changed', stale: true }],
    ['  [deleted]', { freshness: 'deleted', stale: true }],
    ['  [stale]', { freshness: 'fresh', stale: true }],
    ['', { freshness: 'fresh', stale: false }],
  ] as const)('ends the first line with "%s" for %j', (tag, state) => {
    const [line] = renderSearch(responseOf([{ ...hit, ...state }]), options, plain).split('\n');
    expect(line).toBe(`1. 0.82  notes/kebab-architecture.md#L661-L672${tag}`);
  });

  it('writes a dash where there is no section', () => {
    const lines = renderSearch(responseOf([{ ...hit, section_label: null }]), options, plain).split('\n');
    expect(lines[1]).toBe('   -');
  });

  it.each([
    [responseOf([lexicalHit]), '1 hit  lexical  index v1.0  bm25'],
    [responseOf([hit, { ...hit, rank: 2 }]), '2 hits  hybrid  index v1.0  bm25+e5-small/RRF'],
    [
      responseOf([{ ...hit, retrieval: { ...hit.retrieval, method: 'vector' } }]),
      '1 hit  vector  index v1.0  e5-small',
    ],
  ])('tells in the footer what was asked of what', (response, footer) => {
    expect(renderSearch(response, options, plain).trimEnd().split('\n').at(-1)).toBe(footer);
  });

  it('says so when nothing was found', () => {
    const embeddingModel = 'multilingual-e5-small';
    expect(renderSearch(responseOf([], { mode: 'hybrid' }), { ...options, embeddingModel }, plain)).toBe(
      'no hits\n0 hits  hybrid  index v1.0  bm25+e5-small/RRF\n',
    );
    expect(renderSearch(responseOf([]), options, plain)).toBe('no hits\n0 hits  lexical  index v1.0  bm25\n');
  });

  it('lets no document or file name give orders to the terminal', () => {
    const hostile = {
      ...hit,
      snippet: 'a\u001b]0;x\u0007\nb',
      citation: { ...hit.citation, uri: 'a\u001b[31m\n.md#L1' },
    };
    const screen = renderSearch(responseOf([hostile]), options, plain);
    expect(screen.split('\n').slice(0, 3)).toEqual([
      '1. 0.82  a␛[31m␊.md#L1',
      '   §14 Chunking policy',
      '   a␛]0;x␇␊b',
    ]);
  });

  it('uses colour only where it is wanted', () => {
    const colourful: Screen = { ...plain, columns: 80, colors: picocolors.createColors(true) };
    expect(renderSearch(responseOf([hit]), options, plain)).not.toContain('\u001b');
    expect(renderSearch(responseOf([hit]), options, colourful)).toContain('\u001b[');
  });
});

describe('renderSearch of what happened behind the sides', () => {
  it('tells on the first line how many near-identical passages stand behind a hit', () => {
    const [line] = renderSearch(responseOf([{ ...hit, duplicates: 2 }]), options, plain).split('\n');
    expect(line).toBe('1. 0.82  notes/kebab-architecture.md#L661-L672  (+2 near-identical)');
  });

  it('explains the order of code, near-identical passages and the weights of the sides', async () => {
    const { hits } = responseOf([
      { ...hit, duplicates: 1 },
      { ...hit, chunk_id: hit.doc_id, rank: 2, duplicate_of: hit.chunk_id },
    ]);
    const ranks = { lexical_rank: 1, vector_rank: 1, fusion_score: 0.9 };
    const trace = {
      lexical: [],
      vector: [],
      rrf_inputs: [
        { chunk_id: hit.doc_id, ...ranks },
        { chunk_id: hit.chunk_id, ...ranks },
      ],
      fusion: { rrf_k: 60, weight_lexical: 1, weight_vector: 0.31, reason: 'agreement' },
      code: [{ chunk_id: hit.chunk_id, before: 2, rank: 1, factor: 2 }],
      query: { terms: [], phrases: [], excluded: [] },
      timing: { lexical_ms: 0, vector_ms: 0, fusion_ms: 0, rerank_ms: 0, total_ms: 0 },
    } as const;
    const screen = renderSearch(responseOf(hits, { trace }), { ...options, explain: true }, plain);
    await expect(screen).toMatchFileSnapshot('golden/search-refined.txt');
  });

  it('names the retrievers of plugins, and what they gave a hit', () => {
    const { retrieval } = hit;
    const found = { ...retrieval, vector_rank: null, retrievers: [{ id: 'grep', rank: 3, score: 7 }] };
    const screen = renderSearch(
      responseOf([{ ...hit, embedding_model: null, retrieval: found }]),
      { ...options, explain: true },
      plain,
    );
    expect(screen).toMatch(/[├] grep +rank 3 +score 7\.00/);
    expect(screen).toMatch(/ {2}bm25\+grep\/RRF$/m);
    expect(screen).not.toContain('vector (');
  });

  it('tells below the footer where an expected place stands', async () => {
    const expected = {
      ...{ target: 'notes/a.md#L10', reason: 'it is hit 37, which is not on this page' },
      outcome: 'other_page',
      ...{ hint: 'ask for 37 hits, or follow the cursor', chunk_id: hit.chunk_id, rank: 37, filters: [] },
      ...{ lexical_rank: 41, vector_rank: null, has_vector: false },
    } as const;
    const screen = renderSearch(responseOf([hit], { expect: expected }), options, plain);
    await expect(screen).toMatchFileSnapshot('golden/search-expect.txt');
  });
});
