import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NODE, START, type Cost, type CostTable, type Growth } from './growth.ts';
import { McpClient } from './mcp-client.ts';
import { PARTS, scaleDocument, writeScaleCorpus } from './scale-corpus.ts';

const COLD_RUNS = 3;
const WARM_RUNS = 30;
const POLL_MS = 20;

/** What is measured, and where. */
export interface ScaleRun {
  /** The program of the command line. */
  readonly cli: string;
  /** A folder of its own. */
  readonly work: string;
  /** The folder of a static model. */
  readonly model: string;
  readonly table: CostTable;
  /** Keeps what is made of each size. */
  readonly isKept?: boolean;
  readonly onCost?: (line: string) => void;
}

/** Bytes of a knowledge base. */
export interface Bytes {
  readonly text: number;
  readonly database: number;
  /** Of the half that is left in the end, with static vectors; 0 where there is no model. */
  readonly vectors: number;
}

/** A knowledge base in a fresh home. */
class Home {
  readonly folder: string;
  readonly notes: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #cli: string;

  constructor(cli: string, folder: string, notes: string, embedding: string | null) {
    this.#cli = cli;
    this.folder = folder;
    this.notes = notes;
    mkdirSync(folder, { recursive: true });
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      KEBAB_WORKSPACE_ROOT: notes,
      KEBAB_SERVICE: 'off', // every command bears its own cost
      ...(embedding === null
        ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
        : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: embedding }),
    };
  }

  get data(): string {
    return path.join(this.folder, '.local', 'share', 'kebab');
  }

  /** Runs a command. Fails when it ends with another code than those expected. */
  run(args: readonly string[], expected: readonly number[] = [0]): Promise<Cost> {
    return this.node([this.#cli, ...args], expected);
  }

  /** Runs Node; CPU counts the processes that it starts. */
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

/**
 * Everything once at one size, in the order in which it happens to a knowledge base. Null, with a line that says so, where the
 * judged sets are absent.
 */
export async function measureSize(run: ScaleRun, size: number): Promise<Bytes | null> {
  const { cli, work, model, table, onCost = () => {} } = run;
  const notes = path.join(work, `notes-${size}`);
  if (!writeScaleCorpus(notes, size)) return null;
  const home = new Home(cli, path.join(work, `home-${size}`), notes, null);
  const record = (name: string, growth: Growth, cost: Cost): void => {
    const { wallMs, cpuMs, peakMb } = cost;
    table.add(name, growth, { size, wallMs, cpuMs, peakMb });
    onCost(
      `${size} ${name}: ${cost.wallMs.toFixed(0)} ms, CPU ${cost.cpuMs.toFixed(0)} ms, ${cost.peakMb.toFixed(0)} MB`,
    );
  };
  const once = async (
    name: string,
    growth: Growth,
    args: readonly string[],
    codes?: readonly number[],
  ): Promise<void> => record(name, growth, await home.run(args, codes));
  const cold = async (
    name: string,
    args: readonly string[],
    of = home,
    codes: readonly number[] = [0, 1],
  ): Promise<void> => {
    const runs: Cost[] = [];
    for (let i = 0; i < COLD_RUNS; i++) runs.push(await of.run(args, codes));
    record(name, 'flat', runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0] as Cost);
  };
  const ingest = ['ingest', '--quiet', '--summary-only'];

  record(NODE, 'flat', await home.node(['-e', '0']));
  await home.run(['--version']);
  record(START, 'flat', await home.run(['--version']));
  await once('ingest, text', 'linear', ingest);
  const database = sizeOf(home.data);
  await once('ingest, nothing to do', 'linear', ingest);
  for (const [name, args] of coldSearches(size)) await cold(`search cold: ${name}`, [...args, '--no-refresh']);
  const middle = scaleDocument(Math.floor(size / 2)).file;
  await cold('get, first lines', ['get', middle]);
  const cited = `${middle}#L1-L3`;
  await once('status', 'linear', ['status']); // it looks at every file
  await warm(cli, home, record);

  writeFileSync(path.join(notes, middle), '# Another text\n\nNothing of what stood here is left, but for marmalade.\n');
  await once('ingest after an edit of one file', 'linear', ingest);
  await once('search with a look at all files', 'linear', ['search', 'marmalade', '--json']);
  await cold('cite verify', ['cite', 'verify', cited]);
  renameSync(path.join(notes, 'part-03'), path.join(notes, 'renamed-03'));
  await once('ingest after the rename of a folder', 'linear', ingest);
  for (let part = 1; part < PARTS; part += 2)
    rmSync(path.join(notes, path.dirname(scaleDocument(part).file)), { recursive: true, force: true });
  await once('ingest after half has gone', 'linear', [...ingest, '--allow-mass-delete']);
  await once('reset', 'linear', ['reset', '--data-only', '--yes']);

  let vectors = 0;
  if (existsSync(model)) {
    const meaning = new Home(cli, path.join(work, `vectors-${size}`), notes, model);
    record('ingest, text and static vectors (half)', 'linear', await meaning.run(ingest));
    vectors = sizeOf(meaning.data);
    for (const mode of ['vector', 'hybrid'])
      await cold(
        `search cold: question, ${mode}`,
        ['search', 'how does air flow around a wing', '--mode', mode, '--json', '--no-refresh'],
        meaning,
      );
    rmSync(meaning.folder, { recursive: true, force: true });
  } else onCost(`skipped: vectors, for there is no model in ${model}`);
  const bytes = { text: sizeOf(notes), database, vectors };
  if (run.isKept !== true) for (const folder of [notes, home.folder]) rmSync(folder, { recursive: true, force: true });
  return bytes;
}

function coldSearches(size: number): readonly (readonly [string, readonly string[]])[] {
  return [
    ['a rare word', ['search', scaleDocument(size - 1).word, '--json']],
    ['a common word', ['search', 'the system', '--json']],
    ['a phrase', ['search', '"boundary layer"', '--json']],
    ['a question', ['search', 'how does air flow around a wing at high speed', '--json']],
    ['1 % by a filter', ['search', 'pressure', '--path-glob', 'part-07/**', '--json']],
  ];
}

/** Calls of a server that is already there, as agents make them. */
async function warm(
  cli: string,
  home: Home,
  record: (name: string, growth: Growth, cost: Cost) => void,
): Promise<void> {
  const client = new McpClient([cli, 'mcp', '--readonly'], { env: home.env, cwd: home.folder });
  try {
    await client.initialize();
    for (const query of [
      'marmalade',
      'boundary layer',
      'how does air flow around a wing at high speed',
      'the system',
    ]) {
      await client.call('search', { query });
      const [cpu, samples] = [client.cpuMs(), [] as number[]];
      for (let run = 0; run < WARM_RUNS; run++) {
        const started = performance.now();
        // Another word each time: an answer from the cache would show nothing.
        await client.call('search', { query: `${query} ${run}` });
        samples.push(performance.now() - started);
      }
      const wallMs = samples.toSorted((a, b) => a - b)[Math.floor(WARM_RUNS / 2)] ?? 0;
      const cpuMs = (client.cpuMs() - cpu) / WARM_RUNS;
      record(`search warm: ${query}`, 'flat', { wallMs, cpuMs, peakMb: client.residentMb() });
    }
  } finally {
    await client.close();
  }
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** The high-water mark of the largest process below one. */
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
