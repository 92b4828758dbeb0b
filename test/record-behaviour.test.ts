import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  compareRecordings,
  comparisonText,
  differences,
  type RecordedAnswer,
} from '../scripts/record-behaviour/comparison.mjs';
import { programOf, unfitness } from '../scripts/record-behaviour/program.mjs';
import { inFileOrder, volatile } from '../scripts/record-behaviour/volatile.mjs';

const SINCE = Date.UTC(2026, 4, 10, 12);
const { text, value, human } = volatile({
  places: [
    ['/tmp/kebab-behaviour-x1', '<folder>'],
    ['/home/me/kebab', '<checkout>'],
  ],
  since: SINCE,
});

describe('what a behaviour recording masks', () => {
  const taken: readonly (readonly [what: string, given: unknown, kept: unknown])[] = [
    ['folders of the run', { root: '/tmp/kebab-behaviour-x1/notes' }, { root: '<folder>/notes' }],
    ['the checkout', 'at /home/me/kebab/core', 'at <checkout>/core'],
    ['times of the run', { ts: '2026-05-10T12:00:01.250Z' }, { ts: '<now>' }],
    [
      'durations',
      { duration_ms: 12, timing: { total_ms: 0.3 } },
      { duration_ms: '<ms>', timing: { total_ms: '<ms>' } },
    ],
    ['ids of runs and traces', ['run_01a2049f05eb0651843165', 'ret_0a1b2c3d'], ['<run>', '<trace>']],
    [
      'nonces of prompts',
      '<<<passage 0123456789abcdef01234567>>>\nx\n<<<end 0123456789abcdef01234567>>>',
      '<<<passage <nonce>>>>\nx\n<<<end <nonce>>>>',
    ],
    ['ports', 'http://127.0.0.1:41234/api', 'http://127.0.0.1:<port>/api'],
    ['sizes of the index', { index_bytes: { sqlite: 9, vectors: 4 } }, { index_bytes: '<bytes>' }],
    ['durations that are told of slow steps only', { kind: 'asset_finished', ms: 1200 }, { kind: 'asset_finished' }],
    [
      'the corpus revision, in a cursor too',
      { corpus_revision: 412, next_cursor: Buffer.from('{"offset":3,"corpus_revision":412}').toString('base64url') },
      { corpus_revision: '<revision>', next_cursor: '<cursor {"offset":3,"corpus_revision":"<revision>"}>' },
    ],
    [
      'revisions of a stale cursor',
      { reason: 'revision', expected: '21', found: '18' },
      { reason: 'revision', expected: '<revision>', found: '<revision>' },
    ],
    ['the version of Node', `Node ${process.version}`, 'Node <node>'],
  ];
  it.each(taken)('has a placeholder for %s', (_, given, kept) => {
    expect(value(given)).toEqual(kept);
  });

  const data: readonly (readonly [what: string, given: unknown])[] = [
    ['an id of a document', { doc_id: '0123456789abcdef0123456789abcdef', content_hash: '0123456789abcdef' }],
    ['a time before the run', { updated_at: '2024-03-01T00:05:00.000Z' }],
    ['a place in a recording', { start_ms: 1000, end_ms: 2000 }],
    ['a limit', { after_ms: 500 }],
    ['a score', { score: 0.991935 }],
    ['what only looks like a cursor', { next_cursor: 'eyJhbmQgc28gb24tLS0' }],
    ['null and lists of nothing', { error: null, hits: [], ok: true }],
  ];
  it.each(data)('does not include %s', (_, given) => {
    expect(value(given)).toEqual(given);
  });

  it('includes the duration of an ingest in human-readable output, and no other number', () => {
    const report =
      'ingested  ~/notes  486 entries in 2.4 s\n  new  486\n\nslowest   a.pdf 1.2 s\n\nnext      kebab search "…"\n';
    expect(human(report)).toBe(
      'ingested  ~/notes  486 entries in <duration>\n  new  486\n\nnext      kebab search "…"\n',
    );
    expect(text('waits 3 s in 2.4 s')).toBe('waits 3 s in 2.4 s');
  });

  it('includes the order in which two extractors finished, but not the order of the files', () => {
    const event = (kind: string, idx: number): unknown => ({ kind, idx });
    const end = { kind: 'completed' };
    const batch = { kind: 'embed_batch_started', n_chunks: 3 };
    const start = { kind: 'scan_completed' };
    const lines = [
      start,
      event('started', 1),
      event('started', 2),
      event('finished', 2),
      batch,
      event('finished', 1),
      end,
    ];
    expect(inFileOrder(lines)).toEqual([
      start,
      event('started', 1),
      event('finished', 1),
      event('started', 2),
      event('finished', 2),
      end,
    ]);
  });
});

const answer = (name: string, given: unknown, form = 'json'): RecordedAnswer => ({
  operation: name.split(' ')[0] ?? name,
  form,
  name,
  value: given,
});

describe('comparing behaviour recordings', () => {
  it('finds nothing between equal answers, whatever the order of their members', () => {
    const comparison = compareRecordings(
      { answers: [answer('search a', { exit: 0, stdout: [{ a: 1, b: 2 }] })] },
      { answers: [answer('search a', { stdout: [{ b: 2, a: 1 }], exit: 0 })] },
    );
    expect(comparisonText(comparison)).toBe('no differences in 1 answers\n');
  });

  it('names the operation, the answer and the place of every difference', () => {
    const comparison = compareRecordings(
      { answers: [answer('search a', { exit: 0, hits: [{ score: 1 }] }), answer('fetch b', 'same')] },
      { answers: [answer('search a', { exit: 1, hits: [{ score: 2 }] }), answer('fetch b', 'same')] },
    );
    expect(comparisonText(comparison)).toBe(
      'search: 1\n  search [json] search a\n    exit: 0 → 1\n    hits[0].score: 1 → 2\n\n1 of 2 answers differ\n',
    );
  });

  it('reports an answer that only one recording has', () => {
    const { differing } = compareRecordings({ answers: [answer('search a', 1)] }, { answers: [answer('search b', 1)] });
    expect(differing.map(({ lines }) => lines)).toEqual([
      ['only in the first recording'],
      ['only in the second recording'],
    ]);
  });

  it('leaves out operations, forms and members that may differ', () => {
    const before = {
      answers: [answer('help x', 'old', 'help'), answer('open y', 1), answer('errors z', { hint: 'old' })],
    };
    const after = {
      answers: [answer('help x', 'new', 'help'), answer('open y', 2), answer('errors z', { hint: 'new' })],
    };
    const options = { ignore: ['help', 'open'], ignoreMembers: ['hint'] };
    expect(compareRecordings(before, after, options)).toEqual({ compared: 1, differing: [] });
    expect(compareRecordings(before, after).differing).toHaveLength(3);
  });

  it('compares lists of different lengths by what only one of them has', () => {
    expect(differences({ list: ['a', 'b'] }, { list: ['a', 'new', 'b'] })).toEqual([
      'list: 2 → 3 items',
      'list + "new"',
    ]);
  });

  it('shows where two long texts diverge', () => {
    const [line = ''] = differences('x'.repeat(5000), `${'x'.repeat(4000)}y`);
    expect(line).toMatch(/^value: "…x+…? → "…x+y"$/);
    expect(line.length).toBeLessThan(400);
  });

  it('says when two texts that look alike differ in their Unicode form', () => {
    expect(differences('\u00e9', 'e\u0301')).toEqual(['value: "\u00e9" → "e\u0301" (another Unicode form)']);
  });

  it('treats values of different types as different', () => {
    expect(differences({ a: null, b: [] }, { a: {}, b: {} })).toEqual(['a: null → {}', 'b: [] → {}']);
  });
});

describe('a program to record', () => {
  let checkout: string;
  beforeEach(() => {
    checkout = mkdtempSync(path.join(tmpdir(), 'kebab-recorded-'));
    place('package.json', 1, '{"workspaces": ["host-cli", "plugins/*", "kits/*"]}');
    place('host-cli/bin/kebab.cjs', 1);
    place('plugins/md/src/index.ts', 1);
  });
  afterEach(() => rmSync(checkout, { recursive: true, force: true }));

  function place(name: string, seconds: number, content = ''): void {
    const file = path.join(checkout, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    utimesSync(file, seconds, seconds);
  }

  const reason = (): string | null => unfitness(programOf(path.join(checkout, 'host-cli', 'bin', 'kebab.cjs')));

  it('is refused while it is not built', () => {
    expect(reason()).toContain('is not built: run npm run build');
  });

  it('is refused when a source is newer than its bundle, which would show the behaviour of older sources', () => {
    place('host-cli/dist/bundle/main.cjs', 10);
    expect(reason()).toBeNull();
    place('plugins/md/src/parse/blocks.ts', 11);
    expect(reason()).toContain('is older than plugins/md/src/parse/blocks.ts');
  });
});
