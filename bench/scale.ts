// How the cost of what people do grows with their knowledge base: the command line and the MCP server over 1,000 to 100,000
// documents made of the judged sets. Prints wall time, CPU, memory and bytes of each operation with the exponent of its growth,
// and fails where one grows faster than its work or where the memory of an ingest grows.
//   npm run bench:scale -- [--sizes 1000,5000,20000] [--model <folder of a static model>] [--keep FOLDER]
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { McpClient } from './lib/mcp-client.ts';
import { PARTS, scaleDocument, writeScaleCorpus } from './lib/scale-corpus.ts';

/** What an operation may cost as the number of documents grows: as much more, or hardly more. */
const MAX_EXPONENT = { linear: 1.1, flat: 0.5 };
/** How much more memory the largest ingest may take than that of 5,000 documents. */
const MAX_GROWTH_MB = 100;
const COLD_RUNS = 3;
const WARM_RUNS = 30;
const POLL_MS = 20;

type Growth = keyof typeof MAX_EXPONENT;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The high-water mark of the largest process; 0 where the system does not tell. */
  readonly peakMb: number;
}

interface Sample extends Cost {
  readonly size: number;
}

const { values } = parseArgs({
  options: { sizes: { type: 'string' }, model: { type: 'string' }, keep: { type: 'string' } },
});
const sizes = (values.sizes ?? '1000,5000,20000,100000').split(',').map(Number);
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const model = values.model ?? path.join(root, '..', 'shared', 'models', 'potion-base-4M-int8');
const work = values.keep ?? mkdtempSync(path.join(tmpdir(), 'kebab-scale-'));
const table = new Map<string, { readonly growth: Growth; readonly samples: Sample[] }>();
const bytes = new Map<number, { readonly text: number; readonly database: number; readonly vectors: number }>();

/** A knowledge base in a fresh home. */
class Home {
  readonly folder: string;
  readonly notes: string;
  readonly env: Readonly<Record<string, string>>;

  constructor(folder: string, notes: string, embedding: string | null) {
    this.folder = folder;
    this.notes = notes;
    mkdirSync(folder, { recursive: true });
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      KEBAB_WORKSPACE_ROOT: notes,
      ...(embedding === null
        ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
        : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: embedding }),
    };
  }

  get data(): string {
    return path.join(this.folder, '.local', 'share', 'kebab');
  }

  /** Runs a command; CPU counts the processes that it starts. Fails when it ends with another code than those expected. */
  async run(args: readonly string[], expected: readonly number[] = [0]): Promise<Cost & { readonly output: string }> {
    const started = performance.now();
    const script = 'TIMEFORMAT="cpu %3U %3S"; time "$@"';
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, cli, ...args], {
      env: this.env,
      cwd: this.folder,
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    let peakMb = 0;
    const watch = setInterval(() => (peakMb = Math.max(peakMb, peakBelow(child.pid ?? 0))), POLL_MS);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearInterval(watch);
    const wallMs = performance.now() - started;
    const [, user, system] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(said.stderr) ?? [];
    if (!expected.includes(code ?? -1)) throw new Error(`kebab ${args.join(' ')} ended with ${code}: ${said.stderr}`);
    return { wallMs, cpuMs: (Number(user) + Number(system)) * 1000, peakMb, output: said.stdout };
  }
}

try {
  for (const size of sizes) await measure(size);
  print();
} finally {
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
}

/** Everything once at one size, in the order in which it happens to a knowledge base. */
async function measure(size: number): Promise<void> {
  const notes = path.join(work, `notes-${size}`);
  if (!writeScaleCorpus(notes, size)) return void (process.exitCode = 1);
  const home = new Home(path.join(work, `home-${size}`), notes, null);
  const record = (name: string, growth: Growth, cost: Cost): void => {
    const row = table.get(name) ?? { growth, samples: [] };
    row.samples.push({ size, wallMs: cost.wallMs, cpuMs: cost.cpuMs, peakMb: cost.peakMb });
    table.set(name, row);
    process.stderr.write(
      `${size} ${name}: ${cost.wallMs.toFixed(0)} ms, CPU ${cost.cpuMs.toFixed(0)} ms, ${cost.peakMb.toFixed(0)} MB\n`,
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
    for (let run = 0; run < COLD_RUNS; run++) runs.push(await of.run(args, codes));
    record(name, 'flat', runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0] as Cost);
  };
  const ingest = ['ingest', '--quiet', '--summary-only'];

  await home.run(['--version']);
  record('start (--version)', 'flat', await home.run(['--version']));
  await once('ingest, text', 'linear', ingest);
  const database = sizeOf(home.data);
  await once('ingest, nothing to do', 'linear', ingest);
  for (const [name, args] of coldSearches(size)) await cold(`search cold: ${name}`, args);
  const middle = scaleDocument(Math.floor(size / 2)).file;
  await cold('get, first lines', ['get', middle]);
  const cited = `${middle}#L1-L3`;
  await cold('status', ['status']);
  await warm(home, record);

  writeFileSync(path.join(notes, middle), '# Another text\n\nNothing of what stood here is left, but for marmalade.\n');
  await once('ingest after an edit of one file', 'linear', ingest);
  await cold('search cold: the edit', ['search', 'marmalade', '--json']);
  await cold('cite verify', ['cite', 'verify', cited]);
  renameSync(path.join(notes, 'part-03'), path.join(notes, 'renamed-03'));
  await once('ingest after the rename of a folder', 'linear', ingest);
  for (let part = 1; part < PARTS; part += 2)
    rmSync(path.join(notes, path.dirname(scaleDocument(part).file)), { recursive: true, force: true });
  await once('ingest after half has gone', 'linear', [...ingest, '--allow-mass-delete']);
  await once('reset', 'linear', ['reset', '--data-only', '--yes']);

  let vectors = 0;
  if (existsSync(model)) {
    const meaning = new Home(path.join(work, `vectors-${size}`), notes, model);
    record('ingest, text and static vectors (half)', 'linear', await meaning.run(ingest));
    vectors = sizeOf(meaning.data);
    for (const mode of ['vector', 'hybrid'])
      await cold(
        `search cold: question, ${mode}`,
        ['search', 'how does air flow around a wing', '--mode', mode, '--json'],
        meaning,
      );
    rmSync(meaning.folder, { recursive: true, force: true });
  } else if (size === sizes[0]) process.stderr.write(`skipped: vectors, for there is no model in ${model}\n`);
  bytes.set(size, { text: sizeOf(notes), database, vectors });
  if (values.keep === undefined)
    for (const folder of [notes, home.folder]) rmSync(folder, { recursive: true, force: true });
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
async function warm(home: Home, record: (name: string, growth: Growth, cost: Cost) => void): Promise<void> {
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

function print(): void {
  const start = table.get('start (--version)')?.samples ?? [];
  console.log(
    `\nNode ${process.version}; wall / CPU in ms, peak in MB; the exponent is that of CPU above a start of the command`,
  );
  console.log(`${'operation'.padEnd(48)}${sizes.map((size) => String(size).padStart(22)).join('')}   exponent`);
  for (const [name, { growth, samples }] of table) {
    const isWarm = name.startsWith('search warm');
    const above = samples.map(({ size, cpuMs }) => ({
      size,
      value: Math.max(0.1, cpuMs - (isWarm ? 0 : (start.find((one) => one.size === size)?.cpuMs ?? 0))),
    }));
    const exponent = name.startsWith('start') ? 0 : slopeOf(above);
    const isOver = exponent > MAX_EXPONENT[growth];
    if (isOver) process.exitCode = 1;
    const cells = samples.map(({ wallMs, cpuMs, peakMb }) =>
      `${tidy(wallMs)} / ${tidy(cpuMs)} / ${peakMb.toFixed(0)}`.padStart(22),
    );
    console.log(
      `${name.padEnd(48)}${cells.join('')}   ${exponent.toFixed(2)}${isOver ? `  over ${MAX_EXPONENT[growth]}` : ''}`,
    );
  }
  for (const [size, { text, database, vectors }] of bytes)
    console.log(`${size}: text ${mb(text)}, database ${mb(database)}, with vectors of half ${mb(vectors)}`);
  const peaks = table.get('ingest, text')?.samples ?? [];
  const [base, largest] = [peaks.find(({ size }) => size >= 5000) ?? peaks[0], peaks.at(-1)];
  if (base === undefined || largest === undefined) return;
  const grown = largest.peakMb - base.peakMb;
  console.log(
    `memory of an ingest, ${base.size} to ${largest.size}: ${grown.toFixed(0)} MB more (at most ${MAX_GROWTH_MB})`,
  );
  if (grown > MAX_GROWTH_MB) process.exitCode = 1;
}

/** The slope of the straight line through the logarithms: the exponent of a power law. */
function slopeOf(points: readonly { readonly size: number; readonly value: number }[]): number {
  const logs = points.map(({ size, value }) => [Math.log(size), Math.log(value)] as const);
  const mean = (at: 0 | 1): number => logs.reduce((sum, pair) => sum + pair[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  const variance = logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}

function tidy(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : ms.toFixed(0);
}

function mb(size: number): string {
  return `${(size / 1e6).toFixed(1)} MB`;
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
