// Measures what starts a process compared with an empty Node process: `kebab --version`, a cold search by words in the process and answered
// by the service, a hybrid search answered by the service, and an MCP server up to its first answer. User + system CPU of whole processes,
// alternating in one environment, minimum and median.
//   node bench/cold-search.mjs [runs]
// Hybrid searches need ../shared/models and are left out without it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';

/** The budgets: how many times an empty process each may take. */
const BUDGETS = { version: 1.6, search: 4, served: 2, hybrid: 2, mcp: 5 };
const runs = Number(process.argv[2] ?? 25);
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-cold-'));
const model = path.join(root, '..', 'shared', 'models', 'potion-base-4M-int8');
const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
/** A clean environment: NODE_EXTRA_CA_CERTS, for example, makes an empty process three times as expensive. */
const env = {
  PATH: process.env.PATH,
  HOME: home,
  ...(existsSync(model) ? { KEBAB_MODELS_EMBEDDING_MODEL: model } : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }),
};

/** CPU milliseconds of one process; measured by bash, because Node does not report the CPU time of a child. */
function cpuMs(args, { input = '', ...more } = {}) {
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > "$OUTPUT"', 'bash', process.execPath, ...args],
    {
      cwd: home, // in a checkout `kebab init` would create the knowledge base of that project
      env: { ...env, OUTPUT: path.join(home, 'output'), ...more },
      encoding: 'utf8',
      input,
    },
  );
  const [user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (timed.status !== 0 || Number.isNaN(user + system)) throw new Error(`${args.join(' ')} failed: ${timed.stderr}`);
  return (user + system) * 1000;
}

function summary(name, samples, baseline) {
  const sorted = samples.toSorted((a, b) => a - b);
  const [min, median] = [sorted[0], sorted[Math.floor(sorted.length / 2)]];
  const ratios =
    baseline === undefined
      ? ''
      : `   ratio ${(min / baseline.min).toFixed(2)} / ${(median / baseline.median).toFixed(2)}`;
  console.log(`${name.padEnd(34)} ${min.toFixed(1).padStart(6)} / ${median.toFixed(1).padStart(6)} ms${ratios}`);
  return { min, median };
}

try {
  await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
  const workspace = path.join(home, 'KnowledgeBase');
  mkdirSync(workspace);
  for (let n = 0; n < 500; n++) {
    const words = Array.from({ length: 300 }, (_, i) => `word${(n * 7 + i * 13) % 997}`).join(' ');
    writeFileSync(
      path.join(workspace, `note-${n}.md`),
      `# Note ${n}\n\nAbout sourdough, number ${n}.\n\n## Details\n\n${words}\n`,
    );
  }
  cpuMs([cli, 'init']);
  cpuMs([cli, 'ingest']);
  const search = [cli, 'search', 'sourdough', 'word42', '--json', '--mode', 'lexical'];
  for (let n = 0; n < 3; n++) cpuMs(search);
  const service = spawn(process.execPath, [cli, 'serve'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  await Promise.race([once(service.stderr, 'data'), once(service, 'exit')]);
  const hybrid = [...search.slice(0, -1), 'hybrid'];
  for (const one of [search, hybrid]) cpuMs(one);
  const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })}\n`;
  const off = { KEBAB_SERVICE: 'off' };
  const samples = { empty: [], version: [], search: [], served: [], hybrid: [], mcp: [] };
  for (let n = 0; n < runs; n++) {
    samples.empty.push(cpuMs(['-e', '0']));
    samples.version.push(cpuMs([cli, '--version']));
    samples.search.push(cpuMs(search, off));
    samples.served.push(cpuMs(search));
    if (existsSync(model)) samples.hybrid.push(cpuMs(hybrid));
    samples.mcp.push(cpuMs([cli, 'mcp', '--readonly'], { ...off, input: initialize }));
  }
  service.kill('SIGTERM');
  await once(service, 'exit');
  console.log(`Node ${process.version}, ${runs} runs each, minimum / median`);
  const baseline = summary('node -e 0', samples.empty);
  for (const [name, budget] of Object.entries(BUDGETS)) {
    if (samples[name].length === 0) continue;
    const ratio = summary(name, samples[name], baseline).min / baseline.min;
    if (ratio <= budget) continue;
    console.log(`${name} takes ${ratio.toFixed(2)} × node -e 0, at most ${budget} are allowed`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
