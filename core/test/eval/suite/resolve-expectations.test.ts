import { describe, expect, it } from 'vitest';
import { parseUri } from '../../../src/domain/uri.ts';
import type { SourceSpan } from '../../../src/domain/span.ts';
import { chunkMeets, openSuite } from '../../../src/eval/suite/resolve-expectations.ts';
import type { Citation } from '../../../src/wire/index.ts';
import { itemAt } from '../../kb/item-at.ts';
import { openForTests } from '../../kb/open-for-tests.ts';
import { evalWorld, type EvalWorld } from '../eval-world.ts';
import { rowsOf } from '../../kb/open-store.ts';

const head = { schema_version: 'citation.v1', path: 'a', uri: 'a', content_hash: '0'.repeat(16) } as const;
const lines: Citation = { ...head, kind: 'line', start: 10, end: 20, section: null };
const code: Citation = { ...head, kind: 'code', line_start: 10, line_end: 20, symbol: null, lang: 'rust' };
const page: Citation = { ...head, kind: 'page', page: 3, section: null };
const region: Citation = { ...head, kind: 'region', x: 100, y: 50, w: 10, h: 10 };
const caption: Citation = { ...head, kind: 'caption', model: 'm' };
const time: Citation = { ...head, kind: 'time', start_ms: 1000, end_ms: 2000, speaker: null };
const pages: readonly SourceSpan[] = [3, 4].map((number) => ({
  kind: 'page',
  page: number,
  char_start: null,
  char_end: null,
}));

describe('a chunk', () => {
  it.each([
    [lines, 'a', true],
    [page, 'a', true],
    [lines, 'a#L10', true],
    [lines, 'a#L20-L90', true],
    [lines, 'a#L1-L10', true],
    [lines, 'a#L12-L13', true],
    [lines, 'a#L1-L99', true],
    [lines, 'a#L1-L9', false],
    [lines, 'a#L21-L22', false],
    [code, 'a#L20', true],
    [code, 'a#L21', false],
    [page, 'a#p=3', true],
    [page, 'a#p=4', true],
    [page, 'a#p=5', false],
    [page, 'a#L3', false],
    [region, 'a#xywh=105,55,1,1', true],
    [region, 'a#xywh=0,0,101,51', true],
    [region, 'a#xywh=0,0,100,100', false],
    [region, 'a#xywh=100,60,10,10', false],
    [region, 'a#caption', false],
    [caption, 'a#caption', true],
    [caption, 'a#xywh=0,0,1,1', false],
    [time, 'a#t=00:00:02.000,00:00:03.000', true],
    [time, 'a#t=00:00:02.001,00:00:03.000', false],
    [lines, 'a#t=00:00:02.000,00:00:03.000', false],
  ] as const)('cited as %o meets %s: %s', (citation, uri, expected) => {
    const sourceSpans = citation.kind === 'page' ? pages : [];
    expect(chunkMeets({ sourceSpans }, citation, parseUri(uri).fragment)).toBe(expected);
  });
});

const open = openForTests();

/** Two notes; the first has a chunk per paragraph, on lines 1, 3 and 5. */
async function world(): Promise<EvalWorld> {
  const made = await evalWorld(open);
  await made.kb.add('sea/a.md', 'salt\n\nwater\n\nwaves\n');
  await made.kb.add('b.md', 'sugar\n');
  return made;
}

const opened = async (yaml: string, { kb, suite }: EvalWorld) => openSuite(suite(yaml), kb.store);

describe('the expectations of a suite', () => {
  it('resolve to documents and chunks of the knowledge base', async () => {
    const made = await world();
    const [note, sea] = await rowsOf(made.kb.store);
    if (note === undefined || sea === undefined) throw new Error('there are two notes');
    const chunks = (await made.kb.store.listChunks(sea.docId)).map(({ chunkId }) => chunkId);
    const queries = await opened(
      `- { id: a, query: x, expected_doc_ids: [${note.docId}], expected_doc_paths: [b.md, sea/a.md] }
- { id: b, query: x, expected_chunk_ids: ['${chunks[1]}'], expected_uris: ['sea/a.md#L1-L3'] }
- { id: c, query: x, expected_uris: [sea/a.md, 'sea/a.md#L5'] }
`,
      made,
    );
    expect(itemAt(queries, 0).expected).toMatchObject({ documents: ['default:b.md', 'default:sea/a.md'], chunks: [] });
    const asExpected = (at: number): object => ({ chunk_id: chunks[at], document: 'default:sea/a.md' });
    expect(itemAt(queries, 1).expected).toMatchObject({ documents: [], chunks: [asExpected(1), asExpected(0)] });
    expect(itemAt(queries, 2).expected).toMatchObject({ chunks: [asExpected(0), asExpected(1), asExpected(2)] });
  });

  it('may name the source of a document, which is optional if no other source has its path', async () => {
    const made = await world();
    await made.kb.add('lib.md', 'pepper\n', { sourceId: 'lib' });
    await made.kb.add('b.md', 'sugar\n', { sourceId: 'lib' });
    const queries = await opened(
      `- { id: a, query: x, expected_doc_paths: ['lib:b.md'], expected_uris: ['lib.md#L1', 'lib:lib.md#L1', 'b.md#L1'] }\n`,
      made,
    );
    const { documents, chunks } = itemAt(queries, 0).expected;
    expect(documents).toEqual(['lib:b.md']);
    expect(chunks.map(({ document }) => document)).toEqual(['lib:lib.md', 'default:b.md']);
  });

  it('fail at the start when unknown, in one sorted list with every other mistake', async () => {
    const made = await world();
    await made.kb.add('b.md', 'sugar\n', { sourceId: 'lib' });
    const missing = 'f'.repeat(32);
    const failure = opened(
      `- { id: z, query: x, expected_doc_paths: [nowhere.md], expected_uris: ['sea/a.md#L99', 'sea/a.md#L0'] }
- { id: a, query: x, expected_doc_ids: [${missing}, short], expected_chunk_ids: ['${missing}'] }
- { id: m, query: x, expected_doc_paths: [b.md], group: g }
- { id: n, query: x, group: g }
- { id: n, query: '' }
`,
      made,
    );
    await expect(failure).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'suite' } });
    const list = await failure.catch((error: Error) => error.message.replace(/^.*? mistakes: /, '').split('; '));
    expect(list).toEqual([
      `a: expected_chunk_ids: there is no chunk ${missing}`,
      `a: expected_doc_ids: "short" is not an id: an id has 32 hex digits`,
      `a: expected_doc_ids: there is no document ${missing}`,
      'm: expected_doc_paths: "b.md" is in several sources: default:b.md, lib:b.md',
      'n: expects something else than m of the same group "g"',
      'n: query is missing',
      'n: the id occurs more than once',
      'z: expected_doc_paths: there is no document "nowhere.md"',
      'z: expected_uris: "sea/a.md#L0" is not a citation URI: lines are counted from 1',
      'z: expected_uris: no chunk lies at sea/a.md#L99',
    ]);
  });
});

describe('the file of a suite', () => {
  it('is data: tags of a programming language are not supported', async () => {
    await expect(opened('- !!js/function "function () {}"\n', await world())).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('is reported with line and column when it is invalid YAML', async () => {
    const made = await world();
    await expect(opened('- id: a\n  query: [\n', made)).rejects.toThrow(/golden\.yaml:3:1 is not YAML: /);
  });

  it('may begin with a byte order mark', async () => {
    expect(await opened('\uFEFF- { id: a, query: x }\n', await world())).toHaveLength(1);
  });

  it('is rejected when it does not exist', async () => {
    const { kb } = await world();
    await expect(openSuite('/nowhere/golden.yaml', kb.store)).rejects.toMatchObject({
      code: 'io_error',
      details: { kind: 'ENOENT', path: '/nowhere/golden.yaml' },
    });
  });

  it.skipIf(process.platform === 'win32')('is rejected when it never ends', async () => {
    const { kb } = await world();
    await expect(openSuite('/dev/zero', kb.store)).rejects.toMatchObject({ code: 'io_error' });
  });
});
