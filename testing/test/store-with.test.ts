import { describe, expect, it } from 'vitest';
import type { DocumentId } from '../../core/src/domain/ids.ts';
import type { SearchFilters } from '../../core/src/domain/query.ts';
import { matchesFilters, rowOf } from '../src/store-with.ts';
import { sampleWrite } from '../src/sample-documents.ts';

const metadata = {
  tags: ['red', 'blue', '#work/backend'],
  trustLevel: 'secondary',
  repo: 'kebab',
  codeLang: 'rust',
  sourceType: 'code',
} as const;
const write = sampleWrite('src/core/a.rs', 'fn a() {}\n', { lang: 'und', metadata, committedAt: new Date(1000) });
const row = rowOf(write);

describe('matchesFilters', () => {
  it.each<[SearchFilters, boolean]>([
    [{}, true],
    [{ tag: ['blue', 'green'] }, true],
    [{ tag: ['bl'] }, false],
    [{ tag: ['work'] }, true],
    [{ tag: ['work/backend'] }, true],
    [{ tag: ['backend'] }, false],
    [{ title: ['a'] }, true],
    [{ title: ['b'] }, false],
    [{ within: { tag: ['red'] } }, true],
    [{ tag: ['red'], within: { tag: ['green'] } }, false],
    [{ since: row.updatedAt }, true],
    [{ until: row.updatedAt }, false],
    [{ pathGlob: ['src'] }, true],
    [{ pathGlob: ['src/core/'] }, true],
    [{ lang: ['und'] }, true],
    [{ lang: ['en'] }, false],
    [{ pathGlob: ['src/*/a.rs'] }, true],
    [{ pathGlob: ['src/*'] }, false],
    [{ pathGlob: ['src/**'] }, true],
    [{ pathGlob: ['**/a.rs'] }, true],
    [{ pathGlob: ['nothing', '**/?.rs'] }, true],
    [{ pathGlob: ['src.core.a.rs'] }, false],
    [{ trustMin: 'generated' }, true],
    [{ trustMin: 'secondary' }, true],
    [{ trustMin: 'primary' }, false],
    [{ media: ['code'] }, true],
    [{ media: ['markdown'] }, false],
    [{ ingestedAfter: new Date(1000) }, true],
    [{ ingestedAfter: new Date(1001) }, false],
    [{ docId: [row.docId] }, true],
    [{ docId: ['0' as DocumentId] }, false],
    [{ repo: ['kebab'] }, true],
    [{ codeLang: ['python'] }, false],
    [{ source: ['default'] }, true],
    [{ sourceType: ['note'] }, false],
    [{ tag: ['red'], lang: ['en'] }, false],
    [{ tag: [] }, false],
  ])('%j: %s', (filters, matches) => {
    expect(matchesFilters(row, filters)).toBe(matches);
  });
});
