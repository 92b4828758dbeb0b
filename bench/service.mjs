// Measures the benefit of the warm service, compared with an empty Node process and with the same operation without a service, in the same
// run: a cold vector and lexical search (wall clock and CPU of the command), and the memory of twenty MCP servers on pipes.
//   node bench/service.mjs MODEL_FOLDER [runs]
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';

const [model, given] = process.argv.slice(2);
if (model === undefined) throw new Error('node bench/service.mjs MODEL_FOLDER [runs]');
const runs = Number(given ?? 31);
const CLIENTS = 20;
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kb-'));
const env = { PATH: process.env.PATH, HOME: home, KEBAB_MODELS_EMBEDDING_MODEL: path.resolve(model) };

/** Wall clock and CPU of one process in milliseconds; measured by bash, because Node does not report the CPU time of a child. */
function cost(args, more = {}) {
  const begin = performance.now();
  const command = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null';
  const timed = spawnSync('bash', ['-c', command, 'bash', process.execPath, ...args], {
    cwd: home,
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  const wall = performance.now() - begin;
  const [user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (Number.isNaN(user + system)) throw new Error(timed.stderr);
  return { wall, cpu: (user + system) * 1000 };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Resident and proportional memory of processes together, in MiB. */
function memoryOf(children) {
  const sum = { rss: 0, pss: 0 };
  for (const { pid } of children) {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    for (const name of ['Rss', 'Pss'])
      sum[name.toLowerCase()] += Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)[1]) / 1024;
  }
  return sum;
}

/** Twenty servers, each of which has listed its tools and answered a search. */
async function servers(more = {}) {
  const children = Array.from({ length: CLIENTS }, () =>
    spawn(process.execPath, [cli, 'mcp'], { cwd: home, env: { ...env, ...more }, stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  for (const child of children) {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const request = async (method, params) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      return JSON.parse((await lines.next()).value);
    };
    const clientInfo = { name: 'bench', version: '1' };
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await request('tools/list', {});
    await request('tools/call', { name: 'search', arguments: { query: 'boats', mode: 'vector' } });
  }
  return children;
}

async function memory(start) {
  const children = await start();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const measured = memoryOf(children);
  for (const child of children) child.kill();
  return measured;
}

try {
  await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
  mkdirSync(path.join(home, 'KnowledgeBase'));
  for (let n = 0; n < 20; n++)
    writeFileSync(
      path.join(home, 'KnowledgeBase', `note-${n}.md`),
      `# Note ${n}\n\nBoats come into harbour ${n} with the tide.\n`,
    );
  cost([cli, 'ingest', '--quiet']);
  const service = spawn(process.execPath, [cli, 'serve'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise((resolve) => createInterface({ input: service.stderr }).once('line', resolve));
  const byMeaning = [cli, 'search', 'ships arriving', '--mode', 'vector', '--json'];
  const byWords = [cli, 'search', 'boats tide', '--mode', 'lexical', '--json'];
  const off = { KEBAB_SERVICE: 'off' };
  const samples = { 'node -e 0': [], 'by meaning': [], 'by words': [], 'by words, no service': [] };
  for (let n = 0; n < runs + 3; n++) {
    const round = [cost(['-e', '0']), cost(byMeaning), cost(byWords), cost(byWords, off)];
    if (n >= 3) for (const [i, name] of Object.keys(samples).entries()) samples[name].push(round[i]);
  }
  const alone = Array.from({ length: 3 }, () => cost(byMeaning, off));
  const base = samples['node -e 0'];
  const empty = { wall: median(base.map(({ wall }) => wall)), cpu: median(base.map(({ cpu }) => cpu)) };
  for (const [name, measured] of Object.entries({ ...samples, 'by meaning, no service': alone })) {
    const wall = median(measured.map((one) => one.wall));
    const cpu = median(measured.map((one) => one.cpu));
    const beyond = `beyond an empty process ${(wall - empty.wall).toFixed(1)} / ${(cpu - empty.cpu).toFixed(1)} ms`;
    console.log(
      `${name.padEnd(24)} wall ${wall.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms = ${(cpu / empty.cpu).toFixed(2)} ×; ${beyond}`,
    );
  }
  const bare = await memory(async () =>
    Array.from({ length: CLIENTS }, () =>
      spawn(process.execPath, ['-e', 'process.stdin.resume()'], { env, stdio: ['pipe', 'ignore', 'ignore'] }),
    ),
  );
  const served = await memory(servers);
  const words = (kind) => `${served[kind].toFixed(0)} MiB, ${(served[kind] / bare[kind]).toFixed(2)} × bare Node`;
  console.log(`${CLIENTS} MCP servers          RSS ${words('rss')}; PSS ${words('pss')} (at most 1.3)`);
  const held = memoryOf([service]);
  console.log(`the service              RSS ${held.rss.toFixed(0)} MiB`);
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
} finally {
  rmSync(home, { recursive: true, force: true });
}
