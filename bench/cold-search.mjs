// Measures `kebab --version` and a cold `kebab search … --json --mode lexical` compared with an empty Node process: user + system CPU of
// whole processes, alternating in one environment, minimum and median, in the process and answered by a service (docs/decisions/0046).
//   node bench/cold-search.mjs [runs]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';

/** The budgets: how many times an empty process each may take. */
const BUDGETS = { version: 1.6, search: 4, served: 2 };
const runs = Number(process.argv[2] ?? 25);
const root = fileURLToPath(new URL('..', import.meta.url));
const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-cold-'));
/** A clean environment: NODE_EXTRA_CA_CERTS, for example, makes an empty process three times as expensive. */
const env = {
  PATH: process.env.PATH,
  HOME: home,
};

/** CPU milliseconds of one process; measured by bash, because Node does not report the CPU time of a child. */
function cpuMs(args, more = {}) {
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > "$OUTPUT"', 'bash', process.execPath, ...args],
    {
      cwd: home, // in a checkout `kebab init` would create the knowledge base of that project
      env: { ...env, OUTPUT: path.join(home, 'output'), ...more },
      encoding: 'utf8',
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
  cpuMs(search);
  const off = { KEBAB_SERVICE: 'off' };
  const samples = { empty: [], version: [], search: [], served: [] };
  for (let n = 0; n < runs; n++) {
    samples.empty.push(cpuMs(['-e', '0']));
    samples.version.push(cpuMs([cli, '--version']));
    samples.search.push(cpuMs(search, off));
    samples.served.push(cpuMs(search));
  }
  service.kill('SIGTERM');
  await once(service, 'exit');
  console.log(`Node ${process.version}, ${runs} runs each, minimum / median`);
  const baseline = summary('node -e 0', samples.empty);
  for (const [name, budget] of Object.entries(BUDGETS)) {
    const ratio = summary(name, samples[name], baseline).min / baseline.min;
    if (ratio <= budget) continue;
    console.log(`${name} takes ${ratio.toFixed(2)} × node -e 0, at most ${budget} are allowed`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
