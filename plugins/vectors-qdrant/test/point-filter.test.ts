import type { ChunkId, DocumentId } from '@kebab/core';
import { sampleIds } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { pointFilters } from '../src/point-filter.ts';
import { chunkIdOf, pointIdOf } from '../src/payload.ts';

const { chunkId, docId } = sampleIds(1);

describe('pointFilters', () => {
  it('sends no conditions if everything is allowed', () => {
    expect(pointFilters({ allow: { kind: 'all' } })).toEqual([{}]);
    expect(pointFilters({ allow: { kind: 'all' }, except: new Set() })).toEqual([{}]);
  });

  it('filters chunks by point id and documents by payload', () => {
    expect(pointFilters({ allow: { kind: 'only', chunkIds: new Set([chunkId]) }, except: new Set([chunkId]) })).toEqual(
      [{ must: [{ has_id: [pointIdOf(chunkId)] }], must_not: [{ has_id: [pointIdOf(chunkId)] }] }],
    );
    expect(pointFilters({ allow: { kind: 'documents', docIds: new Set([docId]) } })).toEqual([
      { must: [{ key: 'doc_id', match: { any: [docId] } }] },
    ]);
  });

  it('expresses search filters as payload conditions, except globs, tags, dates, titles and nested filters', () => {
    const where = {
      lang: ['ko'],
      trustMin: 'secondary',
      media: ['pdf'],
      ingestedAfter: new Date(1000),
      docId: [docId],
      repo: ['r'],
      codeLang: ['rust'],
      source: ['default'],
      sourceType: ['paper'],
    } as const;
    const docIds = new Set([docId]);
    expect(pointFilters({ allow: { kind: 'documents', docIds, where } })).toEqual([
      {
        must: [
          { key: 'lang', match: { any: ['ko'] } },
          { key: 'trust', match: { any: ['primary', 'secondary'] } },
          { key: 'media', match: { any: ['pdf'] } },
          { key: 'doc_id', match: { any: [docId] } },
          { key: 'repo', match: { any: ['r'] } },
          { key: 'code_lang', match: { any: ['rust'] } },
          { key: 'source', match: { any: ['default'] } },
          { key: 'source_type', match: { any: ['paper'] } },
          { key: 'committed_at', range: { gte: 1000 } },
        ],
      },
    ]);
    const unsaid = { pathGlob: ['a/**'], tag: ['a'], since: new Date(0), until: new Date(0), title: ['a'], within: {} };
    for (const [member, value] of Object.entries(unsaid))
      expect(pointFilters({ allow: { kind: 'documents', docIds, where: { ...where, [member]: value } } })).toEqual([
        { must: [{ key: 'doc_id', match: { any: [docId] } }] },
      ]);
  });

  it('sends no request if nothing can pass', () => {
    expect(pointFilters({ allow: { kind: 'only', chunkIds: new Set() } })).toEqual([]);
    expect(pointFilters({ allow: { kind: 'documents', docIds: new Set() } })).toEqual([]);
    expect(pointFilters({ allow: { kind: 'documents', docIds: new Set([docId]), where: { lang: [] } } })).toEqual([]);
  });

  it('splits more ids than fit into one request over several', () => {
    const docIds = new Set(Array.from({ length: 450_000 }, (_, n) => n.toString(16).padStart(32, '0') as DocumentId));
    const filters = pointFilters({ allow: { kind: 'documents', docIds } });
    const ids = filters.map(({ must }) => {
      const [condition] = must ?? [];
      return condition !== undefined && 'match' in condition ? condition.match.any : [];
    });
    expect(ids.map(({ length }) => length)).toEqual([200_000, 200_000, 50_000]);
    expect(ids.flat()).toEqual([...docIds]);
  });
});

describe('pointIdOf', () => {
  it('converts a chunk id to a UUID and back, however the server formats it', () => {
    const id = '0123456789abcdef0123456789abcdef' as ChunkId;
    expect(pointIdOf(id)).toBe('01234567-89ab-cdef-0123-456789abcdef');
    expect(chunkIdOf(pointIdOf(id))).toBe(id);
    expect(chunkIdOf(pointIdOf(id).toUpperCase())).toBe(id);
  });
});
