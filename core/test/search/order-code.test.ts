import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { ChunkRank } from '../../src/search/chunk-rank.ts';
import { codeQuery, nameParts, orderCode } from '../../src/search/order-code.ts';
import type { KnownPassage } from '../../src/search/known-passages.ts';
import { queryShape } from '../../src/search/query-shape.ts';
import { sampleWrite } from '@kebab/testing';
import { passageIn } from './found-chunks.ts';

type Unlabelled = Omit<KnownPassage, 'chunkId' | 'print' | 'headingTokens'>;

interface Unit {
  readonly path: string;
  readonly symbol: string;
  readonly text?: string;
}

/** Orders units found in this order, with scores 10, 9, 8 …; returns paths and symbols. */
function order(query: string, units: readonly Unit[], scores: readonly number[] = []): readonly string[] {
  return ordered(query, units, scores).map(({ chunkId }) => chunkId as string);
}

function ordered(query: string, units: readonly Unit[], scores: readonly number[] = []): readonly ChunkRank[] {
  const idOf = (unit: Unit): ChunkId => `${unit.path} ${unit.symbol}` as ChunkId;
  const passages = new Map<ChunkId, Unlabelled>();
  for (const unit of units) passages.set(idOf(unit), passageOfUnit(unit));
  const entries = units.map((unit, at): ChunkRank => {
    const chunkId = idOf(unit);
    const score = scores[at] ?? 10 - at;
    return { chunkId, score, lexical: { rank: at + 1, score }, vector: null, fusionScore: null };
  });
  return orderCode({
    entries,
    passages,
    query: codeQuery(queryShape(analyseQuery(query))),
    isCosine: false,
  });
}

function passageOfUnit({ path, symbol, text = 'body of a unit' }: Unit): Unlabelled {
  const passage = passageIn(sampleWrite(path, text));
  const { docId, sourceId, workspacePath } = passage;
  if (path.endsWith('.md')) return { ...passage, isManuallyAdded: false, code: null, kind: 'content' };
  const unit = { media: 'code', ordinal: 0, symbol, sectionLabel: symbol, code: text } as const;
  return { docId, sourceId, workspacePath, ...unit, isManuallyAdded: false, kind: 'content' };
}

const mention = { path: 'src/app.ts', symbol: 'src/app.start', text: 'openStore(config)' };
const definition = { path: 'src/store.ts', symbol: 'src/store.openStore', text: 'export function openStore() {}' };

describe('orderCode', () => {
  it('ranks a declaration of a name above mentions of it', () => {
    expect(order('openStore', [mention, definition])[0]).toContain('src/store.openStore');
  });

  it.each([
    ['a prototype', { path: 'src/flow.h', symbol: 'flow_next', text: 'int flow_next(const flow_t* flow);' }],
    ['a forward declaration', { path: 'src/flow.hpp', symbol: 'Flow', text: 'class Flow;' }],
    ['a macro', { path: 'src/flow.h', symbol: 'FLOW_NEXT', text: '#define FLOW_NEXT 27\n#define FLOW_LAST 28' }],
    ['a stub', { path: 'src/flow.pyi', symbol: 'flow.next', text: 'def next(flow): ...' }],
    ['a test', { path: 'test/test-flow.c', symbol: 'test_flow_next', text: 'int test_flow_next() { flow_next(f); }' }],
  ])('ranks %s below what says how it works', (_, announced) => {
    const body = { path: 'src/flow.c', symbol: 'flow_next', text: 'int flow_next(const flow_t* flow) { return 1; }' };
    expect(order('how is the next flow computed', [announced, body], [10, 9])[0]).toContain('flow.c');
  });

  it('finds a method of an implementation by its type and by its trait', () => {
    const method = { path: 'src/grid.rs', symbol: '<grid::Grid<T> as shapes::Shape>::area', text: 'fn area(&self)' };
    const other = { path: 'src/disc.rs', symbol: '<Disc as Figure>::area', text: 'fn area(&self)' };
    expect(order('Grid::area', [other, method])[0]).toContain('grid.rs');
    expect(order('Shape::area', [other, method])[0]).toContain('grid.rs');
    expect(order('Figure::area', [method, other])[0]).toContain('disc.rs');
  });

  it('considers the container when the query names one', () => {
    const other = { path: 'src/a.ts', symbol: 'src/a.Reader.open' };
    const meant = { path: 'src/b.ts', symbol: 'src/b.Writer.open' };
    expect(order('Writer.open', [other, meant])[0]).toContain('Writer.open');
  });

  it('ranks units that are named like the query first', () => {
    const units = [
      { path: 'src/a.ts', symbol: 'src/a.run' },
      { path: 'src/b.ts', symbol: 'src/b.parseHeader' },
    ];
    expect(order('how are headers parsed', units)[0]).toContain('parseHeader');
  });

  it('ranks a unit whose head matches the query above one whose body does', () => {
    const inBody = {
      path: 'src/a.ts',
      symbol: 'src/a.run',
      text: 'function run() {\n  return cursor(page, budget);\n}',
    };
    const inHead = { path: 'src/b.ts', symbol: 'src/b.cut', text: 'function cut(page: Page, budget: Budget) {\n}' };
    expect(order('a page within its budget', [inBody, inHead])[0]).toContain('src/b.cut');
  });

  it('treats a leading comment as part of the head', () => {
    const text = '// Closes the cursor: nothing is left behind.\nfunction end(): void {\n  stop();\n}';
    const commented = { path: 'src/b.ts', symbol: 'src/b.end', text };
    const inBody = { path: 'src/a.ts', symbol: 'src/a.run', text: 'function run() {\n  close(cursor);\n}' };
    expect(order('which closes a cursor', [inBody, commented])[0]).toContain('src/b.end');
  });

  it('ranks units of the file that contains most of the query above a chance match elsewhere', () => {
    const best = { path: 'src/lock.ts', symbol: 'src/lock.a', text: 'f() {\n  lock; folder\n}' };
    const chance = { path: 'src/app.ts', symbol: 'src/app.x', text: 'f() {\n  writer\n}' };
    const meant = { path: 'src/lock.ts', symbol: 'src/lock.b', text: 'f() {\n  writer\n}' };
    const ids = order('lock the folder against a second writer', [best, chance, meant], [10, 6, 5.5]);
    expect(ids.map((id) => id.split(' ')[1])).toEqual(['src/lock.a', 'src/lock.b', 'src/app.x']);
  });

  it.each([
    ['src/b.ts', 'export function second() {}'],
    ['src/b.rs', 'pub fn second() {}'],
    ['src/B.java', 'public void second() {}'],
  ])('ranks public units of %s above their helpers', (path, text) => {
    const inner = { path: 'src/a.ts', symbol: 'src/a.first', text: 'function first() {}' };
    expect(order('opened twice in store', [inner, { path, symbol: 'second', text }])[0]).toContain(path);
  });

  it('prefers a unit whose name begins with the first word of the query', () => {
    const units = [
      { path: 'src/a.ts', symbol: 'src/a.store' },
      { path: 'src/b.ts', symbol: 'src/b.removeAll' },
    ];
    expect(order('removes what the store no longer needs', units, [10, 9.7])[0]).toContain('removeAll');
  });

  it('ignores function words', () => {
    const template = { path: 'src/a.ts', symbol: 'src/a.text', text: 'const which = when + where + whether;' };
    const meant = { path: 'src/b.ts', symbol: 'src/b.x', text: 'const snapshot = 1;' };
    expect(order('whether and when and where a snapshot is', [template, meant])[0]).toContain('src/b.x');
  });

  it('explains the bonus and the factor of a score', () => {
    const [first] = ordered('openStore', [mention, definition]);
    expect(first?.code).toMatchObject({ before: 2, rank: 1, factor: 2 });
    expect(first?.code?.fit).toBeGreaterThan(1);
  });

  it('ranks tests last, unless the query asks for tests', () => {
    const test = { path: 'test/store.test.ts', symbol: 'test/store.test.x' };
    const code = { path: 'src/store.ts', symbol: 'src/store.x' };
    expect(order('store is opened twice', [test, code])[0]).toContain('src/store.ts');
    expect(order('test that store is opened twice', [test, code])[0]).toContain('test/store.test.ts');
  });

  it.each(['vendor/a/store.go', 'web/dist/app.js', 'src/api.pb.go', 'lib/jquery.min.js', 'src/schema.generated.ts'])(
    'ranks %s, which is not project code, last',
    (path) => {
      const own = { path: 'src/own.ts', symbol: 'src/own.x' };
      expect(order('store is opened twice', [{ path, symbol: 'x' }, own])[0]).toContain('src/own.ts');
    },
  );

  it('ranks a file that the query names first', () => {
    const units = [
      { path: 'src/a.ts', symbol: 'src/a.x' },
      { path: 'src/search/b.ts', symbol: 'src/search/b.x' },
    ];
    expect(order('ranking in search/b.ts', units)[0]).toContain('src/search/b.ts');
  });

  it('keeps the position of every other hit, and the score of each position', () => {
    const prose = { path: 'notes/a.md', symbol: '' };
    const entries = ordered('openStore', [mention, prose, definition]);
    expect(entries.map(({ chunkId }) => (chunkId as string).split(' ')[0])).toEqual([
      'src/store.ts',
      'notes/a.md',
      'src/app.ts',
    ]);
    expect(entries.map(({ score }) => score)).toEqual([10, 9, 8]);
    expect(entries[0]).toMatchObject({ lexical: { rank: 3, score: 8 }, code: { before: 3, rank: 1, factor: 2 } });
    expect(entries[1]?.code).toBeUndefined();
  });

  it('leaves a list without code unchanged', () => {
    const units = ['a.md', 'b.md'].map((path) => ({ path, symbol: '' }));
    expect(ordered('openStore', units).every(({ code }) => code === undefined)).toBe(true);
  });
});

describe('nameParts', () => {
  it.each([
    ['parseHTTPUrls', 'parsing of HTTP URLs'],
    ['read_text_files', 'reads the text of a file'],
    ['DocumentWriter', 'document writers'],
    ['utf8Decode', 'decoding UTF 8'],
  ])('finds the words of %s in "%s"', (name, sentence) => {
    const said = new Set(nameParts(sentence));
    expect(nameParts(name).filter((part) => !said.has(part))).toEqual([]);
  });

  it('omits function words and single letters', () => {
    expect(nameParts('how to get the x of a list')).toEqual(['get', 'list']);
  });

  it('finds no words in symbols', () => {
    expect(nameParts('<=> ()')).toEqual([]);
  });
});
