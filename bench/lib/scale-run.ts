import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { INGEST_TEXT, MCP, NODE, START, type Cost, type CostTable, type Growth } from './growth.ts';
import { McpClient } from './mcp-client.ts';
import { PARTS, scaleDocument, writeScaleCorpus } from './scale-corpus.ts';

const COLD_RUNS = 3;
/** Warm-up runs, in which hot code is compiled. */
const WARM_UP_RUNS = 20;
const WARM_RUNS = 50;
const POLL_MS = 10;

/** What to measure, and where. */
export interface ScaleRun {
  /** The program of the command line. */
  readonly cli: string;
  /** A temporary folder. */
  readonly work: string;
  /** The folder of a static model. */
  readonly model: string;
  readonly table: CostTable;
  /** Measures fewer runs of fewer operations. */
  readonly isBrief?: boolean;
  /** The maximum number of documents with vectors. */
  readonly maxVectors?: number;
  /** Keeps the data of each size. */
  readonly isKept?: boolean;
  readonly onCost?: (line: string) => void;
}

/** Bytes of a knowledge base. */
export interface Bytes {
  readonly text: number;
  readonly database: number;
  /** For the remaining half at the end, with static vectors; null if not measured. */
  readonly vectors: number | null;
}

/** A knowledge base in a fresh home. */
class Home {
  readonly cli: string;
  readonly coldRuns: number;
  readonly isBrief: boolean;
  readonly folder: string;
  readonly notes: string;
  readonly env: Readonly<Record<string, string>>;

  constructor({ cli, isBrief }: ScaleRun, folder: string, notes: string, embedding: string | null) {
    this.cli = cli;
    this.isBrief = isBrief === true;
    this.coldRuns = this.isBrief ? 2 : COLD_RUNS;
    this.folder = folder;
    this.notes = notes;
    mkdirSync(folder, { recursive: true });
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      KEBAB_WORKSPACE_ROOT: notes,
      KEBAB_SERVICE: 'off', // every command pays its own cost
      ...(embedding === null
        ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
        : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: embedding }),
    };
  }

  get data(): string {
    return path.join(this.folder, '.local', 'share', 'kebab');
  }

  /** Runs Node several times and returns the run with the least CPU. Searches without hits exit with 1. */
  async leastOf(args: readonly string[]): Promise<Cost> {
    const runs: Cost[] = [];
    for (let i = 0; i < this.coldRuns; i++) runs.push(await this.node(args, [0, 1]));
    return runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0] as Cost;
  }

  /** Runs a command. Fails if its exit code is not expected. */
  run(args: readonly string[], expected: readonly number[] = [0]): Promise<Cost> {
    return this.node([this.cli, ...args], expected);
  }

  /** Runs Node; CPU includes its child processes. */
  async node(args: readonly string[], expected: readonly number[] = [0]): Promise<Cost> {
    const started = performance.now();
    const script = 'TIMEFORMAT="cpu %3U %3S"; time "$@"';
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, ...args], {
      env: this.env,
      cwd: this.folder,
    });
    let said = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    let peakMb = 0;
    const watch = setInterval(() => (peakMb = Math.max(peakMb, peakBelow(child.pid ?? 0))), POLL_MS);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearInterval(watch);
    const wallMs = performance.now() - started;
    const [, user, system] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(said) ?? [];
    if (!expected.includes(code ?? -1)) throw new Error(`node ${args.join(' ')} ended with ${code}: ${said}`);
    return { wallMs, cpuMs: (Number(user) + Number(system)) * 1000, peakMb };
  }
}

/** Records the cost of an operation. */
type Recorder = (name: string, growth: Growth, cost: Cost) => void;

/** All operations at one size, in the typical order for a knowledge base. Null, with a message, if the judged sets are missing. */
export async function measureSize(run: ScaleRun, size: number): Promise<Bytes | null> {
  const { cli, work, table, onCost = () => {} } = run;
  const notes = path.join(work, `notes-${size}`);
  if (!writeScaleCorpus(notes, size)) return null;
  const text = sizeOf(notes);
  const home = new Home(run, path.join(work, `home-${size}`), notes, null);
  const record: Recorder = (name, growth, { wallMs, cpuMs, peakMb }) => {
    table.add(name, growth, { size, wallMs, cpuMs, peakMb });
    onCost(`${size} ${name}: ${wallMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, ${peakMb.toFixed(0)} MB`);
  };
  record(NODE, 'flat', await home.leastOf(['-e', '0']));
  await home.run(['--version']);
  record(START, 'flat', await home.leastOf([cli, '--version']));

  const once = async (name: string, args: readonly string[]): Promise<void> =>
    record(name, 'linear', await home.run(args));
  await once(INGEST_TEXT, INGEST);
  const database = sizeOf(home.data);
  await once('ingest, nothing to do', INGEST);
  await readAll(home, size, record);
  await warm(home, WORDS, record);

  const middle = scaleDocument(Math.floor(size / 2)).file;
  writeFileSync(path.join(notes, middle), '# Another text\n\nNothing of what stood here is left, but for marmalade.\n');
  await once('ingest after an edit of one file', INGEST);
  record('cite verify, a passage that is gone', 'flat', await home.leastOf([cli, 'cite', 'verify', `${middle}#L1-L3`]));
  renameSync(path.join(notes, 'part-03'), path.join(notes, 'renamed-03'));
  await once('ingest after the rename of a folder', INGEST);
  for (let part = 1; part < PARTS; part += 2)
    rmSync(path.join(notes, path.dirname(scaleDocument(part).file)), { recursive: true, force: true });
  await once('ingest after half has gone', [...INGEST, '--allow-mass-delete']);
  record('reset', 'linear', await home.run(['reset', '--data-only', '--yes']));

  const vectors = size <= (run.maxVectors ?? Infinity) ? await withVectors(run, { size, notes, record }) : null;
  if (run.isKept !== true) for (const folder of [notes, home.folder]) rmSync(folder, { recursive: true, force: true });
  return { text, database, vectors };
}

/** Read-only operations, each in a separate process. */
async function readAll(home: Home, size: number, record: Recorder): Promise<void> {
  const middle = scaleDocument(Math.floor(size / 2)).file;
  const cold = async (name: string, growth: Growth, args: readonly string[]): Promise<void> =>
    record(name, growth, await home.leastOf([home.cli, ...args]));
  await cold('opening (inspect doc)', 'flat', ['inspect', 'doc', middle, '--json']);
  for (const [name, args] of [
    ['a rare word', [scaleDocument(size - 1).word]],
    ['a common word', ['the system']],
    ['a phrase', ['"boundary layer"']],
    ['a question', [QUESTION]],
    ['1 % by a filter', ['pressure', '--path-glob', 'part-07/**']],
  ] as const) {
    await cold(`search cold: ${name}`, 'flat', ['search', ...args, '--json']);
    if (home.isBrief) continue;
    await cold(`search cold: ${name}, files not checked`, 'flat', ['search', ...args, '--json', '--no-refresh']);
  }
  await cold('get, first lines', 'flat', ['get', middle]);
  await cold('status', 'linear', ['status']); // it checks every file
}

/** The size of the knowledge base with static vectors for half of the documents; null if there is no model. */
async function withVectors(
  run: ScaleRun,
  { size, notes, record }: { readonly size: number; readonly notes: string; readonly record: Recorder },
): Promise<number | null> {
  const { cli, work, model, onCost = () => {} } = run;
  if (!existsSync(model)) {
    onCost(`skipped: vectors, for there is no model in ${model}`);
    return null;
  }
  const home = new Home(run, path.join(work, `vectors-${size}`), notes, model);
  record('ingest of half, text and static vectors', 'linear', await home.run(INGEST));
  const bytes = sizeOf(home.data);
  for (const mode of ['vector', 'hybrid'] as const) {
    const args = ['search', QUESTION, '--mode', mode, '--json'];
    record(`search cold: a question, ${mode}`, 'flat', await home.leastOf([cli, ...args]));
  }
  await warm(home, MEANING, record);
  rmSync(home.folder, { recursive: true, force: true });
  return bytes;
}

const INGEST = ['ingest', '--quiet', '--summary-only'];
const QUESTION = 'how does air flow around a wing at high speed';

/** Calls of a tool; the arguments depend on the run, since a cached answer would be meaningless. */
type Calls = readonly (readonly [string, (run: number) => Readonly<Record<string, unknown>>])[];

const WORDS: Calls = [
  ['a word', (run) => ({ query: `marmalade ${run}` })],
  ['a common word', (run) => ({ query: `the system ${run}` })],
  ['a phrase', (run) => ({ query: `"boundary layer" ${run}` })],
  ['a question', (run) => ({ query: `${QUESTION} ${run}` })],
  ['1 % by a filter', (run) => ({ query: `pressure ${run}`, path_glob: ['part-07/**'] })],
];

const MEANING: Calls = [
  ['a question, vector', (run) => ({ query: `${QUESTION} ${run}`, mode: 'vector' })],
  ['a question, hybrid', (run) => ({ query: `${QUESTION} ${run}`, mode: 'hybrid' })],
];

/** Searches on a running server, as agents make them, and the server's memory at the end. */
async function warm(home: Home, searches: Calls, record: Recorder): Promise<void> {
  const client = new McpClient([home.cli, 'mcp', '--readonly'], { env: home.env, cwd: home.folder });
  try {
    await client.initialize();
    const [warmUps, runs] = home.isBrief ? [10, 20] : [WARM_UP_RUNS, WARM_RUNS];
    for (const [name, args] of searches) {
      // Negative numbers would be exclusions.
      for (let run = 0; run < warmUps; run++) await client.call('search', args(runs + run));
      const [cpu, samples] = [client.cpuMs(), [] as number[]];
      for (let run = 0; run < runs; run++) {
        const started = performance.now();
        await client.call('search', args(run));
        samples.push(performance.now() - started);
      }
      const wallMs = samples.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
      const cpuMs = (client.cpuMs() - cpu) / runs;
      record(`${MCP} ${name}`, 'flat', { wallMs, cpuMs, peakMb: client.residentMb() });
    }
  } finally {
    await client.close();
  }
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** The peak memory of a process's largest child. */
function peakBelow(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Math.max(0, ...children.map((child) => Math.max(highWaterMb(child), peakBelow(Number(child)))));
  } catch {
    return 0;
  }
}

function highWaterMb(pid: string): number {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
