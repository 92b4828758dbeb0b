// Prints the figures of a checkout as one JSON object, for comparison with another: size of the source, number of exported names and tests,
// modules loaded by a cold search; and the cost of a cold search, the start of the MCP server, a warm search and a first ingest, each
// beside a plain program, alternating in the same run. Times are user + system CPU, except `p50_ms`, which is latency.
//   node bench/figures.mjs [--out FILE] [runs]        after `npm run build`; about three minutes
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const FILES = 1000;
const WARM_ROUNDS = 7;
const SEARCHES_A_ROUND = 150;
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-figures-'));
const notes = path.join(home, 'notes');
/** A clean environment: NODE_EXTRA_CA_CERTS, for example, makes an empty process three times as expensive. */
const CLEAN = { PATH: process.env.PATH, HOME: home };
const env = { ...CLEAN, KEBAB_WORKSPACE_ROOT: notes, KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };

/** Files and lines of TypeScript in the source folders of all workspaces; generated files are counted separately. */
function sourceSize() {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const size = { files: 0, lines: 0, generated_files: 0, generated_lines: 0 };
  for (const name of spawnSync('git', ['ls-files', '*.ts'], { cwd: root, encoding: 'utf8' }).stdout.split('\n')) {
    const isSource = workspaces.some((each) => isBelow(name, each));
    if (!isSource) continue;
    const lines = readFileSync(path.join(root, name), 'utf8').split('\n').length - 1;
    const kind = name.endsWith('.generated.ts') ? 'generated_' : '';
    size[`${kind}files`]++;
    size[`${kind}lines`] += lines;
  }
  return size;
}

/** Whether a file is in the `src` of a workspace, which may be `folder` or `folder/*`. */
function isBelow(name, workspace) {
  const parts = name.split('/');
  return (
    workspace.split('/').every((part, i) => part === '*' || part === parts[i]) &&
    parts[workspace.split('/').length] === 'src'
  );
}

/** Public names of the vocabulary, from the list that a test maintains. */
function exportedNames() {
  return { values: linesIn('test/surface/core.txt'), types: linesIn('test/surface/core-types.txt') };
}

function linesIn(file) {
  return readFileSync(path.join(root, file), 'utf8').split('\n').filter(Boolean).length;
}

function testCount() {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const listed = spawnSync(process.execPath, [vitest, 'list', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const tests = JSON.parse(listed.stdout.slice(listed.stdout.indexOf('[\n')));
  return { tests: tests.length, files: new Set(tests.map(({ file }) => file)).size };
}

const COUNTING_HOOKS = `
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n');
    return next(url, context);
  }`;

/** Modules that a lexical search loads when run from source: our own, and those of packages. */
function loadedModules() {
  const loaded = path.join(home, 'loaded.txt');
  const hooks = path.join(home, 'hooks.mjs');
  const start = path.join(home, 'start.mjs');
  writeFileSync(hooks, COUNTING_HOOKS);
  const main = pathToFileURL(path.join(root, 'host-cli', 'src', 'main.ts')).href;
  writeFileSync(
    start,
    `import { register } from 'node:module';\nregister(${JSON.stringify(pathToFileURL(hooks).href)});\n` +
      `const { main } = await import(${JSON.stringify(main)});\nawait main(process.argv.slice(2));\n`,
  );
  const runTs = path.join(root, 'scripts', 'run-ts.mjs');
  const args = ['--import', runTs, start, 'search', 'memory', '--mode', 'lexical', '--json'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: home,
    env: { ...env, LOADED: loaded },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a search from sources failed: ${stderr}`);
  const urls = [...new Set(readFileSync(loaded, 'utf8').split('\n'))];
  return {
    own: urls.filter((url) => url.endsWith('.ts')).length,
    of_packages: urls.filter((url) => url.includes('/node_modules/')).length,
  };
}

/** CPU milliseconds of a whole process; measured by bash, because Node does not report the CPU time of a child. */
function cpuMs(args, { input = '' } = {}) {
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > "$OUTPUT"', 'bash', process.execPath, ...args],
    {
      cwd: home,
      env: { ...env, OUTPUT: path.join(home, 'output') },
      encoding: 'utf8',
      input,
    },
  );
  const [user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (timed.status !== 0 || Number.isNaN(user + system)) throw new Error(`${args.join(' ')} failed: ${timed.stderr}`);
  return (user + system) * 1000;
}

/** An empty process, a cold search and a server that answers one request, alternating. */
function coldStarts(runs) {
  const search = [cli, 'search', 'memory', '--mode', 'lexical', '--json'];
  const initialize = {
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })}\n`,
  };
  const samples = { empty: [], search: [], server: [] };
  for (let run = -2; run < runs; run++) {
    const taken = {
      empty: cpuMs(['-e', '0']),
      search: cpuMs(search),
      server: cpuMs([cli, 'mcp', '--readonly'], initialize),
    };
    if (run >= 0) for (const [name, ms] of Object.entries(taken)) samples[name].push(ms);
  }
  const [empty, searching, server] = Object.values(samples).map(minAndMedian);
  const over = ({ min, median }) => ({ min: ratio(min, empty.min), median: ratio(median, empty.median) });
  return {
    runs,
    node_e_0_cpu_ms: empty,
    cold_search_cpu_ms: searching,
    cold_search_over_node_e_0: over(searching),
    mcp_start_cpu_ms: server,
    mcp_start_over_node_e_0: over(server),
  };
}

function minAndMedian(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { min: round(sorted[0]), median: round(sorted[Math.floor(sorted.length / 2)]) };
}

const round = (value) => Math.round(value * 100) / 100;
const ratio = (value, base) => round(value / base);

/** Searches of three words on a warm server, all different. The best round counts, because others were delayed by the machine. */
async function warmSearches() {
  const words =
    'memory string function class compiler error file value type exception pointer thread library object'.split(' ');
  const child = spawn(process.execPath, [cli, 'mcp', '--readonly'], {
    cwd: home,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()(line));
  const request = (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: waiting.length + 1, method, params })}\n`);
    return new Promise((resolve) => waiting.push(resolve));
  };
  await request('initialize', INITIALIZE);
  const rounds = [];
  for (let at = 0, turn = 0; turn < WARM_ROUNDS; turn++) {
    const waits = [];
    const cpuBefore = cpuTicksOf(child.pid);
    for (let n = 0; n < SEARCHES_A_ROUND; n++, at++) {
      const query = [at, Math.floor(at / 14) + 3, Math.floor(at / 196) + 7]
        .map((i) => words[i % words.length])
        .join(' ');
      const begin = performance.now();
      await request('tools/call', { name: 'search', arguments: { query: `${query} ${at}`, mode: 'lexical' } });
      waits.push(performance.now() - begin);
    }
    const cpu = ((cpuTicksOf(child.pid) - cpuBefore) * 10) / SEARCHES_A_ROUND;
    rounds.push({ p50: waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)], cpu });
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  return {
    files: FILES,
    p50_ms: round(Math.min(...rounds.map(({ p50 }) => p50))),
    cpu_ms: round(Math.min(...rounds.map(({ cpu }) => cpu))),
  };
}

/** Hundredths of a second that a process has used; Linux only. */
function cpuTicksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Every n-th file of a corpus of 5,000. */
function writeNotes() {
  const archive = path.join(root, '..', 'shared', 'data', 'md5k', 'md5k.tar.gz');
  const all = path.join(home, 'all');
  mkdirSync(all);
  if (spawnSync('tar', ['-xzf', archive, '-C', all]).status !== 0) throw new Error(`cannot unpack ${archive}`);
  const names = readdirSync(all, { recursive: true }).map(String);
  const files = names.filter((name) => name.endsWith('.md')).toSorted((a, b) => (a < b ? -1 : 1));
  const step = Math.floor(files.length / FILES);
  for (const name of files.filter((_, i) => i % step === 0).slice(0, FILES))
    cpSync(path.join(all, name), path.join(notes, name));
  rmSync(all, { recursive: true });
}

/** The ratio that bench/ingest.mjs prints for the first ingest of all 5,000 files. */
function firstIngest(runs) {
  const bench = path.join(root, 'bench', 'ingest.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [bench, String(runs)], { env: CLEAN, encoding: 'utf8' });
  const [, ms, base, over] = /^first ingest.* (\d+) ms \/ +(\d+) ms = ([\d.]+)/m.exec(stdout) ?? [];
  if (over === undefined) throw new Error(`bench/ingest.mjs printed no ratio: ${stdout}${stderr}`);
  return {
    files: 5000,
    runs,
    first_ingest_cpu_ms: Number(ms),
    read_and_fts5_cpu_ms: Number(base),
    ratio: Number(over),
  };
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const runs = Number(positionals[0] ?? 25);
try {
  const loads = [loadavg()[0]];
  writeNotes();
  cpuMs([cli, 'init']);
  cpuMs([cli, 'ingest', '--quiet', '--summary-only']);
  const figures = {
    commit: spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim(),
    node: process.version,
    cores: availableParallelism(),
    source: sourceSize(),
    exported_by_core: exportedNames(),
    modules_of_a_cold_search: loadedModules(),
    cold_starts: coldStarts(runs),
    warm_searches: await warmSearches(),
    first_ingest: firstIngest(3),
  };
  loads.push(loadavg()[0]);
  const text = JSON.stringify({ ...figures, tests: testCount(), load: loads.map(round) }, null, 2);
  if (values.out !== undefined) writeFileSync(values.out, `${text}\n`);
  console.log(text);
} finally {
  rmSync(home, { recursive: true, force: true });
}
