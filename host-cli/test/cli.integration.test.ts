import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWire } from '../../core/test/wire/parse-wire.ts';
import type { WireName, WireObjects } from '../../core/src/wire/index.ts';
import { cliHere } from './fakes/cli-here.ts';
import { buildCli, finished, jsonLines, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

let cli: BuiltCli;
let home: CliHome;
/** The same engine in this process, for what does not depend on the process: a program takes ten times as long. */
const here = cliHere();

const NOTES =
  '# Notes\n\nThe kebab is on the plate.\n\n## 2 Chunking rules\n\nHeadings come first. 한국어 검색도 됩니다.\n';

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('notes.md', NOTES);
  home.write('src/main.rs', 'fn parse_line() -> u32 {\n    42\n}\n');
  home.write('plain.txt', 'A paragraph about sourdough.\n\nAnother one.\n');
  home.write('100% #1 😀.md', '# Percent\n\nunusual file names are ordinary\n');
  home.write('가나.md'.normalize('NFD'), '# NFD\n\ndecomposed name\n');
  home.write('picture.exe', 'nothing');
});

afterAll(async () => {
  here.remove();
  await cli.remove();
});

async function run(...line: string[]) {
  return here.run(line, { home });
}

/** Runs with `--json` and returns the single object printed. */
async function object<N extends WireName>(name: N, ...line: string[]): Promise<WireObjects[N]> {
  const { stdout, stderr } = await run(...line, '--json');
  expect(stderr).toBe('');
  const [only, ...rest] = jsonLines(stdout);
  expect(rest).toEqual([]);
  return parseWire(name, only);
}

async function failure(...line: string[]): Promise<WireObjects['error']> {
  const { code, stdout, stderr } = await run(...line, '--json');
  expect([code, stdout]).toEqual([2, '']);
  const [only, ...rest] = jsonLines(stderr);
  expect(rest).toEqual([]);
  return parseWire('error', only);
}

describe('a first session', { timeout: 60_000 }, () => {
  it('search before the first ingest fails with an error that says what to do', async () => {
    expect(await failure('search', 'kebab')).toMatchObject({
      code: 'not_indexed',
      hint: expect.stringContaining('kebab ingest'),
    });
  });

  it('init writes a configuration and creates folders', async () => {
    const report = await object('init_report', 'init');
    expect(existsSync(report.opened)).toBe(true);
    expect(report.created.length).toBeGreaterThan(0);
    const again = await object('init_report', 'init');
    expect(again.created).toEqual([]);
  });

  it('ingest prints progress and a report, all valid', async () => {
    const { code, stdout, stderr } = await cli.run(['ingest', '--json'], { home });
    expect([code, stderr]).toEqual([0, '']);
    const lines = jsonLines(stdout);
    for (const line of lines.slice(0, -1)) parseWire('ingest_progress', line);
    expect(lines.at(0)).toMatchObject({ kind: 'scan_started' });
    expect(lines.at(-2)).toMatchObject({ kind: 'completed' });
    expect(parseWire('ingest_report', lines.at(-1))).toMatchObject({
      new: 5,
      errors: 0,
      skipped_by_extension: { exe: 1 },
    });
  });

  it('a second ingest changes nothing', async () => {
    const { stdout } = await run('ingest', '--json', '--quiet', '--summary-only');
    expect(parseWire('ingest_report', jsonLines(stdout)[0])).toMatchObject({ new: 0, unchanged: 5, items: null });
  });

  it('search, fetch and cite verify agree with the file', async () => {
    const response = await object('search_response', 'search', 'chunking', 'rules');
    const [hit] = response.hits;
    if (hit === undefined) throw new Error('nothing was found');
    expect(hit.doc_path).toBe('notes.md');

    const chunk = await object('fetch_result', 'fetch', 'chunk', hit.chunk_id.slice(0, 8));
    expect(chunk).toMatchObject({ kind: 'chunk', chunk: { chunk_id: hit.chunk_id } });
    const span = await object('fetch_result', 'fetch', 'uri', hit.citation.uri);
    if (span.kind !== 'span') throw new Error('a line citation is a span');
    expect(
      NOTES.split('\n')
        .slice(span.line_start - 1, span.effective_end)
        .join('\n'),
    ).toBe(span.text);
    const doc = await object('fetch_result', 'fetch', 'doc', hit.doc_id);
    expect(doc).toMatchObject({ kind: 'doc', text: NOTES });
    const lines = await object('fetch_result', 'fetch', 'span', hit.doc_id, '1', '1');
    expect(lines).toMatchObject({ kind: 'span', text: '# Notes' });

    const { uri, content_hash } = hit.citation;
    const check = await object('citation_check', 'cite', 'verify', uri, '--hash', content_hash);
    expect(check.status).toBe('exact');
    const piped = await cli.run(['cite', 'verify', '-', '--json'], {
      home,
      stdin: `${JSON.stringify(hit.citation)}\n`,
    });
    expect([piped.code, jsonLines(piped.stdout)]).toMatchObject([0, [{ status: 'exact' }]]);
    expect((await run('cite', 'verify', uri, '--hash', '0000000000000000')).code).toBe(1);
  });

  it.each([
    ['unusual file names', '100% #1 😀.md'],
    ['decomposed', '가나.md'],
    ['sourdough', 'plain.txt'],
    ['검색', 'notes.md'],
    ['parse_line', 'src/main.rs'],
  ])('finds "%s" in %s and fetches it by its URI', async (query, docPath) => {
    const { hits } = await object('search_response', 'search', query, '-k', '1');
    expect(hits[0]?.doc_path).toBe(docPath.normalize('NFC'));
    const fetched = await object('fetch_result', 'fetch', 'uri', hits[0]?.citation.uri ?? '');
    expect(fetched.doc_path).toBe(docPath.normalize('NFC'));
  });

  it('list docs, inspect, doctor, schema, config and plugin list print valid wire objects', async () => {
    const { stdout } = await run('list', 'docs', '--json');
    const docs = jsonLines(stdout).map((line) => parseWire('doc_summary', line));
    expect(docs.map(({ doc_path }) => doc_path)).toEqual([
      '100% #1 😀.md',
      'notes.md',
      'plain.txt',
      'src/main.rs',
      '가나.md'.normalize('NFC'),
    ]);
    const doc = docs[1];
    const inspection = await object('doc_inspection', 'inspect', 'doc', doc?.doc_id ?? '');
    await object('chunk_inspection', 'inspect', 'chunk', inspection.chunk_ids[0] ?? '');
    await object('doctor', 'doctor');
    expect((await object('schema', 'schema')).stats.doc_count).toBe(5);
    await object('config_view', 'config', 'show');
    await object('config_paths', 'config', 'path');
    await object('plugin_list', 'plugin', 'list');
    await object('trust_report', 'trust', '--list');
  });

  it('ingest-stdin and ingest-file add documents from outside the sources', async () => {
    const stdin = await cli.run(['ingest-stdin', '--title', 'Piped', '--json'], { home, stdin: 'about marzipan\n' });
    parseWire('ingest_report', jsonLines(stdin.stdout)[0]);
    const file = path.join(home.folder, 'outside.md');
    writeFileSync(file, 'about pistachios\n');
    await object('ingest_report', 'ingest-file', file);
    await run('ingest');
    for (const word of ['marzipan', 'pistachios']) expect((await run('search', word)).code).toBe(0);
  });

  it('search prints no colours to a pipe', async () => {
    const { stdout, stderr } = await cli.run(['search', 'chunking', '--explain'], { home });
    expect(stdout).not.toBe('');
    expect(stdout + stderr).not.toContain('\u001b');
    const hits = (await run('search', 'chunking rules')).stdout;
    expect(hits).toMatch(/^1\. \d+\.\d\d {2}notes\.md#L\d+(-L\d+)?~[0-9a-f]{8}\n {3}§2 Chunking rules\n {3}.+\n\n/);
    expect(hits).toMatch(/\n\d+ hits? {2}lexical {2}index v\d+\.\d+ {2}bm25\n$/);
  });

  it('reset removes the index and leaves the files', async () => {
    const report = await object('reset_report', 'reset', '--yes');
    expect(report.scope).toBe('data_only');
    expect(readFileSync(path.join(home.workspace, 'notes.md'), 'utf8')).toBe(NOTES);
    expect((await failure('search', 'kebab')).code).toBe('not_indexed');
    expect((await object('reset_report', 'reset', '--yes')).removed_paths).toEqual([]);
  });
});

describe('the log of --debug', { timeout: 60_000 }, () => {
  it('has a line with ids for a search and for a question, but not their text', async () => {
    const other = here.newHome();
    other.write('a.md', '# A\n\nabout sourdough\n');
    await here.run(['ingest', '--quiet'], { home: other });
    const searched = await here.run(['search', 'sourdough', '--json', '--debug'], { home: other });
    const [{ hits } = { hits: [] }] = jsonLines(searched.stdout).map((line) => parseWire('search_response', line));
    const chunkIds = hits.map(({ chunk_id }) => chunk_id);
    expect(chunkIds).toHaveLength(1);
    expect(jsonLines(searched.stderr)).toContainEqual(
      expect.objectContaining({ msg: 'searched', chunk_ids: chunkIds }),
    );
    expect(searched.stderr).not.toContain('sourdough');

    const asked = await here.run(['ask', 'zebra', '--json', '--debug'], { home: other });
    const [answer] = jsonLines(asked.stdout).map((line) => parseWire('answer', line));
    const line = { msg: 'answered', trace_id: answer?.retrieval.trace_id, refusal_reason: 'no_chunks' };
    expect(jsonLines(asked.stderr)).toContainEqual(expect.objectContaining(line));
    expect(asked.stderr).not.toContain('zebra');
  });
});

describe('kebab try in a process', { timeout: 60_000 }, () => {
  it('searches a folder and leaves no files behind', async () => {
    const other = cli.newHome();
    other.write('a.md', '# A\n\nabout sourdough\n');
    const before = readdirSync(other.folder).toSorted();
    const { code, stdout, stderr } = await cli.run(['try', other.workspace, 'sourdough', '--json'], { home: other });
    expect([code, stderr]).toEqual([0, '']);
    expect(parseWire('search_response', jsonLines(stdout)[0]).hits[0]?.doc_path).toBe('a.md');
    expect(readdirSync(other.folder).toSorted()).toEqual(before);
    expect(readdirSync(path.join(other.folder, 'cache', 'kebab'))).toEqual(['code']);
    expect([readdirSync(other.workspace), readdirSync(path.join(other.folder, 'tmp'))]).toEqual([['a.md'], []]);
  });

  it('says which folder is missing', async () => {
    expect(await failure('try', path.join(home.folder, 'nowhere'), 'x')).toMatchObject({
      code: 'io_error',
      details: { kind: 'ENOENT' },
    });
  });
});

describe('a command line that fails', { timeout: 60_000 }, () => {
  it.each([
    [['fetch', 'uri', 'a.md#Q1'], 'invalid_input'],
    [['--config', 'nowhere.toml', 'doctor'], 'config_not_found'],
    [['ingest-file', 'nowhere.md'], 'io_error'],
    [['reset'], 'invalid_input'],
    [['ingest', '--readonly'], 'readonly_mode'],
  ])('%j fails with the error %s', async (line, code) => {
    const { code: exit, stderr } = await here.run([...line, '--json'], { home: await indexed() });
    expect([exit, jsonLines(stderr)]).toMatchObject([2, [{ code }]]);
    parseWire('error', jsonLines(stderr)[0]);
  });

  it.skipIf(process.platform === 'win32' || !('enableCompileCache' in nodeModule))(
    'keeps no compiled code in a folder that other users may write to',
    async () => {
      const one = await indexed();
      const code = path.join(one.folder, 'cache', 'kebab', 'code');
      rmSync(code, { recursive: true, force: true });
      mkdirSync(code, { recursive: true });
      chmodSync(code, 0o777);
      expect((await cli.run(['search', 'sourdough', '--json'], { home: one })).code).toBe(0);
      expect(readdirSync(code)).toEqual([]);
      chmodSync(code, 0o700);
      expect((await cli.run(['search', 'sourdough', '--json'], { home: one })).code).toBe(0);
      expect(readdirSync(code)).toHaveLength(1);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'ends a server at the first signal even if its client never reads',
    async () => {
      const child = cli.start(['mcp'], { home: await indexed() });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.on('error', () => undefined);
      const list = { jsonrpc: '2.0', method: 'tools/list', params: {} };
      for (let id = 0; id < 200; id++) child.stdin.write(`${JSON.stringify({ ...list, id })}\n`);
      await once(child.stdout, 'readable'); // the first answer, of more than a pipe holds
      child.kill('SIGTERM');
      expect(await ended).toEqual(expect.any(Number));
      child.stdout.destroy();
    },
  );

  it('names file and position of an error in the configuration', async () => {
    const broken = here.newHome();
    broken.write('../config/kebab/config.toml', 'schema_version = 1\n[search\n');
    const { code, stderr } = await here.run(['search', 'x'], { home: broken });
    expect([code, stderr.split('\n')[0]]).toEqual([2, expect.stringMatching(/^error: .*config\.toml:2:/)]);
  });
});

let indexedHome: Promise<CliHome> | undefined;

function indexed(): Promise<CliHome> {
  indexedHome ??= (async () => {
    const one = cli.newHome();
    one.write('a.md', '# A\n\nsourdough\n');
    await cli.run(['ingest'], { home: one });
    return one;
  })();
  return indexedHome;
}

describe('the streams of a command', { timeout: 60_000 }, () => {
  it('end the command silently when the reader goes away', async () => {
    const many = cli.newHome();
    for (let n = 0; n < 400; n++) many.write(`note-${n}.md`, `# Note ${n}\n\nsourdough ${'word '.repeat(40)}\n`);
    await cli.run(['ingest'], { home: many });
    const child = cli.start(['list', 'docs', '--json'], { home: many });
    child.stdout.once('data', () => child.stdout.destroy());
    const stderr: Buffer[] = [];
    child.stderr.on('data', (data: Buffer) => stderr.push(data));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, Buffer.concat(stderr).toString()]).toEqual([0, '']);

    const whole = await cli.run(['list', 'docs', '--json'], { home: many });
    expect(whole.stdout.length).toBeGreaterThan(65_536);
    expect(jsonLines(whole.stdout)).toHaveLength(400);
  });

  it('get the report of an ingest that one Ctrl-C ends', async () => {
    const many = cli.newHome();
    for (let n = 0; n < 1000; n++) many.write(`note-${n}.md`, `# Note ${n}\n\n${'some words to index '.repeat(60)}\n`);
    const child = cli.start(['ingest', '--json'], { home: many });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { code, stdout, stderr } = await finished(child, '');
    expect([code, stderr]).toEqual([130, '']);
    const lines = jsonLines(stdout);
    expect(lines.at(-2)).toMatchObject({ kind: 'aborted' });
    expect(parseWire('ingest_report', lines.at(-1))).toMatchObject({ aborted: true });
    const rest = await cli.run(['ingest', '--json', '--quiet'], { home: many });
    expect([rest.code, jsonLines(rest.stdout)]).toMatchObject([0, [{ aborted: false, scanned: 1000 }]]);
  });
});
