// Compares what two builds of the command line print: a safety net for changes that must not affect behaviour. Both run the same commands
// over the same notes, documents and code of this repository, in fresh homes, with a model of words and a language model that quotes.
//   npm run compare:behaviour -- BEFORE [AFTER]
// BEFORE and AFTER are checkouts in which `npm run build` has run; AFTER is this one by default. Prints the differing lines by command, and
// exits with 1 if there are any. A difference is a defect, or belongs in the changelog.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeOllama } from '@kebab/ollama-kit/testing';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES_SHOWN = 12;
const MAX_CHARS_SHOWN = 240;

/** A command, each with what it reads from standard input; several in a row see each other's effects. */
type Line = readonly [args: string, stdin?: string];

const QUERIES = [
  'lentil soup',
  'how long do the lentils simmer',
  '"score gate"',
  'parse -yaml',
  'backoff',
  '온천',
  '数据库',
  'Zürich',
  '*',
  '',
];
const MODES = ['lexical', 'vector', 'hybrid'];
const FLAGS = [
  '--media code',
  '--media md --lang en -k 3',
  '--path-glob kitchen/** --explain',
  '--code-lang rust,python',
  '--tag tea',
  '--max-tokens 200',
  '--ingested-after 2199-01-01',
  '--source nowhere',
  '--trust-min high',
  '--cursor AAAA',
  '-k 0',
];
const URIS = [
  'kitchen/sourdough.md#L1-L3',
  'docs/search.md#L1',
  'nowhere.md#L1',
  '../etc/passwd',
  'docs/search.md#L0',
  'http/retry.ts#L13-L16',
];
const QUESTIONS = ['how long do the lentils simmer', 'who won the cup in 1987', 'lentils @kitchen/lentil-soup.md', ''];
const TOOLS = [
  { name: 'search', arguments: { query: 'lentil soup', k: 3 } },
  { name: 'bulk_search', arguments: { queries: [{ query: 'soup' }, { query: '' }] } },
  { name: 'fetch', arguments: { uri: 'kitchen/sourdough.md#L1-L3' } },
  { name: 'list_docs', arguments: { media: ['code'] } },
  { name: 'ask', arguments: { question: 'how long do the lentils simmer' } },
  { name: 'verify_citation', arguments: { uri: 'nowhere.md#L1' } },
  { name: 'schema', arguments: {} },
  { name: 'doctor', arguments: {} },
  { name: 'search', arguments: { quarry: 1 } },
];
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'compare', version: '1' } };
const REQUESTS = [
  { method: 'initialize', params: CLIENT },
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'nothing'].map((method) => ({
    method,
    params: {},
  })),
  ...TOOLS.map((params) => ({ method: 'tools/call', params })),
];
const MCP = REQUESTS.map((request, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`).join('');

/** Every command, as people and as programs read it unless it already says how. */
const LINES: readonly Line[] = [
  ...['search soup', 'status', 'ask soup', 'doctor', 'list docs'].map((line): Line => [`${line} --readonly`]),
  ['ingest --summary-only'],
  ['ingest'],
  ...QUERIES.flatMap((query) =>
    MODES.map((mode): Line => [`search ${mode === 'lexical' ? '--explain ' : ''}--mode ${mode} -- ${query}`]),
  ),
  ...FLAGS.map((flags): Line => [`search soup ${flags}`]),
  ['search --bulk', '"soup"\n{"query":"yeast","k":1}\n{broken\n'],
  ...QUESTIONS.map((question): Line => [`ask -- ${question}`]),
  ['ask soup --session s1'],
  ['sessions list'],
  ...[
    'list docs',
    'list docs --media code',
    'list sources',
    'status',
    'doctor',
    'schema',
    'config show',
    'config get search.k',
  ].map((line): Line => [line]),
  ...[
    'plugin list',
    'plugin explain a.pdf',
    'models list',
    'inspect doc kitchen/sourdough.md',
    'get kitchen/*.md',
    'get docs/search.md:1-9',
  ].map((line): Line => [line]),
  ...URIS.flatMap((uri): readonly Line[] => [[`fetch uri ${uri}`], [`open ${uri}`], [`cite verify ${uri}`]]),
  ['mcp --readonly', MCP],
  ['ingest-stdin --title Sand', '# Sand\n\nSand is fine.\n'],
  ['search sand'],
  ['config set search.k 3'],
  ['remove nowhere'],
  ['vectors copy --from nowhere'],
  ['eval run'],
  ['completion bash'],
  ['reset --data-only --yes'],
  ['frobnicate'],
  ['help all'],
];

/** A checkout, and a fresh home in which its command line runs. */
class Build {
  readonly #cli: string;
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(checkout: string, home: string, model: string) {
    this.#cli = path.join(realpathSync(checkout), 'host-cli', 'bin', 'kebab.cjs');
    if (!existsSync(path.join(path.dirname(this.#cli), '..', 'dist', 'bundle')))
      throw new Error(`${checkout} is not built: run npm run build there`);
    this.#home = home;
    const notes = path.join(home, 'notes');
    for (const from of [
      'bench/everyday',
      'examples/notes',
      'plugins/code-rust/test/fixtures',
      'plugins/code-python/test/fixtures',
    ])
      cpSync(path.join(root, from), notes, { recursive: true, preserveTimestamps: true });
    cpSync(path.join(root, 'docs'), path.join(notes, 'docs'), { recursive: true, preserveTimestamps: true });
    mkdirSync(path.join(home, 'tmp'));
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: path.join(home, 'tmp'),
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      KEBAB_SERVICE: 'off',
      KEBAB_WORKSPACE_ROOT: notes,
      KEBAB_MODELS_EMBEDDING_PROVIDER: 'ollama',
      KEBAB_MODELS_EMBEDDING_ENDPOINT: model,
      KEBAB_MODELS_LLM_ENDPOINT: model,
    };
  }

  /** Runs a line, and returns its exit code and both outputs without what differs between two runs of one program. */
  run(args: readonly string[], stdin: string): Promise<readonly string[]> {
    const child = spawn(process.execPath, [this.#cli, ...args], { cwd: this.#home, env: this.#env, timeout: 300_000 });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
    child.stdin.on('error', () => undefined); // a command that reads no input may be gone before it is written
    child.stdin.end(stdin);
    return new Promise((resolve) =>
      child.once('close', (code, signal) => {
        const streams = Object.entries(texts).flatMap(([name, text]) =>
          this.#stable(text).map((line) => `${name}: ${line}`),
        );
        resolve([`exit: ${code ?? signal}`, ...streams]);
      }),
    );
  }

  #stable(text: string): readonly string[] {
    const stable = text
      .replaceAll(this.#home, '<home>')
      .replaceAll(path.resolve(this.#cli, '..', '..', '..'), '<checkout>')
      .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC)?/g, '<time>')
      .replaceAll(/\b(?:run|ret)_[0-9a-f]{8,}\b|(?<="knowledge_base":")[0-9a-f]+/g, '<id>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<server>')
      .replaceAll(/("[a-z_]*(?:_ms|_bytes|revision|pid|ms|sqlite)":\s*)\d[\d.]*/g, '$1"<number>"')
      .replaceAll(/\b[\d.]+ (?:ms|s|[KM]i?B)\b|(?<=corpus revision )\d+/g, '<amount>')
      .replaceAll(/^slowest .*$/gm, '')
      .replaceAll(/"eyJ[\w-]+"/g, '"<cursor>"');
    // Files are extracted side by side: the order of their lines is that of the faster one.
    const lines = stable.split('\n').filter((line) => line !== '');
    return (lines.some((line) => line.includes('"asset_')) ? lines.toSorted() : lines).flatMap(members);
  }
}

/** A line of JSON as one line a member; any other line as it is. */
function members(line: string): readonly string[] {
  try {
    return JSON.stringify(JSON.parse(line), null, 1).split('\n');
  } catch {
    return [line];
  }
}

function splitWords(line: string): readonly string[] {
  const [flags = '', text] = line.split(/ -- ?/);
  return [...flags.split(' '), ...(text === undefined ? [] : ['--', text])];
}

/** The lines of each side that the other does not have, or the first line whose place differs; none if both are the same. */
function differences(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
  const moved = before.findIndex((line, at) => line !== after[at]);
  if (lines.length > 0 || (moved < 0 && before.length === after.length)) return lines;
  return [`the same lines in another order or number, from: ${before[moved] ?? after[before.length]}`];
}

const [before, after = root] = process.argv.slice(2);
if (before === undefined) throw new Error('usage: npm run compare:behaviour -- BEFORE [AFTER]');
const work = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-behaviour-')));
const server = await startFakeOllama({ partDelayMs: 0, reply: 'It is written there [#1].' });
try {
  const builds = [before, after].map((checkout, i) => new Build(checkout, path.join(work, `home-${i}`), server.url));
  let [compared, differing] = [0, 0];
  for (const [line, stdin = ''] of LINES)
    for (const form of line.startsWith('mcp') ? [[]] : [[], ['--json']]) {
      const args = [...form, ...splitWords(line)];
      const [one = [], other = []] = await Promise.all(builds.map((build) => build.run(args, stdin)));
      const lines = differences(one, other);
      compared++;
      if (lines.length === 0) continue;
      differing++;
      console.log(`kebab ${args.join(' ')}`);
      for (const shown of lines.slice(0, MAX_LINES_SHOWN)) console.log(`  ${shown.slice(0, MAX_CHARS_SHOWN)}`);
      if (lines.length > MAX_LINES_SHOWN) console.log(`  and ${lines.length - MAX_LINES_SHOWN} more`);
    }
  console.log(`${differing} of ${compared} outputs differ`);
  if (differing > 0) process.exitCode = 1;
} finally {
  await server.close();
  rmSync(work, { recursive: true, force: true });
}
