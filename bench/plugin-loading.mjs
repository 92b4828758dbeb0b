// Measures what plugins cost a cold `kebab search … --json` that uses none of them: processor time of whole processes, alternating.
// - All built-in plugins against the few that a search needs: two command lines, bundled from the same sources with a long and
//   a short list of built-ins.
// - Thirty third-party plugins with extractors, named in `plugins`, against none.
//   node bench/plugin-loading.mjs [rounds]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { shadowCheckout } from './lib/shadow-checkout.mjs';

const MAX_ADDED_MS = 10;
const THIRD_PARTIES = 30;
const rounds = Number(process.argv[2] ?? 25);
const home = mkdtempSync(path.join(tmpdir(), 'kebab-loading-'));
/** A clean environment: NODE_EXTRA_CA_CERTS, for example, makes an empty process three times as expensive. */
const env = {
  PATH: process.env.PATH,
  HOME: home,
};

/** The plugins that a search uses: the stores, and the embedder of the default configuration. */
const NEEDED = ['store-sqlite', 'vectors-local', 'embed-transformers'];

/** The list of built-ins with only the plugins that a search uses. */
function needed(text) {
  return text
    .split('\n')
    .filter((line) => {
      const plugin = /'@kebab\/plugin-([a-z-]+)(?:\/package\.json)?'/.exec(line)?.[1];
      return plugin === undefined || NEEDED.includes(plugin);
    })
    .join('\n');
}

/** The active plugins according to `kebab plugin list`, by origin. */
function listed(cli, more = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, 'plugin', 'list', '--json'], {
    env: { ...env, ...more },
    cwd: home,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`the plugins cannot be listed: ${stderr}`);
  const active = JSON.parse(stdout).plugins.filter(({ state }) => state === 'active');
  const count = (from) => active.filter(({ origin }) => origin === from).length;
  return { builtin: count('builtin'), package: count('package') };
}

/** User and system milliseconds of one process; measured by bash, because Node does not report the CPU time of a child. */
function cpuMs(args, more = {}) {
  const timed = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > "$OUTPUT"', 'bash', process.execPath, ...args],
    {
      env: { ...env, OUTPUT: path.join(home, 'output'), ...more },
      cwd: home,
      encoding: 'utf8',
    },
  );
  const [user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  if (timed.status !== 0 || Number.isNaN(user + system)) throw new Error(`${args.join(' ')} failed: ${timed.stderr}`);
  return (user + system) * 1000;
}

/** Writes thirty packages with one extractor each, none of which may run. Returns the value of `KEBAB_PLUGINS`. */
function writeThirdParties() {
  const names = Array.from({ length: THIRD_PARTIES }, (_, n) => `kebab-plugin-third-party-${n}`);
  for (const [n, name] of names.entries()) {
    const folder = path.join(home, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    const kebab = {
      apiVersion: 1,
      contributes: { extractor: [`third-party-${n}`] },
      permissions: { fs: 'none', net: [], spawn: [] },
    };
    const manifest = {
      name,
      version: '1.0.0',
      type: 'module',
      exports: './index.js',
      keywords: ['kebab-plugin'],
      kebab,
    };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'index.js'), `throw new Error('a search ran ${name}');\n`);
  }
  return JSON.stringify(names);
}

const search = (cli) => [cli, 'search', 'sourdough', '--json'];

function summary(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { min: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}

function printRow(name, { min, median }, baseline) {
  const ratio = (min / baseline.min).toFixed(2);
  console.log(
    `${name.padEnd(44)} ${min.toFixed(1).padStart(6)} / ${median.toFixed(1).padStart(6)} ms   ${ratio} × node -e 0`,
  );
}

/** Judged by the median difference of the rounds, which is robust against a slow process. */
function judge(name, given, without) {
  const added = summary(given.map((ms, round) => ms - without[round]));
  const best = summary(given).min - summary(without).min;
  const isOk = added.median <= MAX_ADDED_MS;
  const verdict = isOk ? 'ok' : 'too slow';
  console.log(
    `${name}: ${added.median.toFixed(1)} ms more in the median round, ${best.toFixed(1)} ms from best to best (at most ${MAX_ADDED_MS}): ${verdict}`,
  );
  if (!isOk) process.exitCode = 1;
}

try {
  const all = await shadowCheckout(path.join(home, 'all'));
  const few = await shadowCheckout(path.join(home, 'few'), { 'builtins/src/index.ts': needed });
  const workspace = path.join(home, 'KnowledgeBase');
  mkdirSync(workspace);
  for (let n = 0; n < 200; n++)
    writeFileSync(
      path.join(workspace, `note-${n}.md`),
      `# Note ${n}\n\nAbout sourdough, number ${n}, and ${'rye '.repeat(n % 7)}.\n`,
    );
  cpuMs([all, 'init']);
  cpuMs([all, 'ingest', '--quiet']);
  const thirdParties = { KEBAB_PLUGINS: writeThirdParties() };
  const counts = { few: listed(few), all: listed(all), thirdParties: listed(all, thirdParties) };
  if (counts.thirdParties.package !== THIRD_PARTIES || counts.few.builtin !== NEEDED.length + 1)
    throw new Error(`other plugins are active than this program expects: ${JSON.stringify(counts)}`);
  for (let n = 0; n < 3; n++) for (const one of [all, few]) cpuMs(search(one));
  const samples = { empty: [], few: [], all: [], thirdParties: [] };
  const before = loadavg()[0];
  for (let n = 0; n < rounds; n++) {
    samples.empty.push(cpuMs(['-e', '0']));
    samples.few.push(cpuMs(search(few)));
    samples.all.push(cpuMs(search(all)));
    samples.thirdParties.push(cpuMs(search(all), thirdParties));
  }
  const [empty, short, builtin, foreign] = [samples.empty, samples.few, samples.all, samples.thirdParties].map(summary);
  const load = `${before.toFixed(1)} to ${loadavg()[0].toFixed(1)}`;
  console.log(`Node ${process.version}, ${rounds} rounds in turns, minimum / median, load ${load}`);
  printRow('node -e 0', empty, empty);
  printRow(`kebab search, ${counts.few.builtin} built-in plugins`, short, empty);
  printRow(`kebab search, all ${counts.all.builtin} built-in plugins`, builtin, empty);
  printRow(`kebab search, and ${THIRD_PARTIES} named in plugins`, foreign, empty);
  judge('all built-in plugins', samples.all, samples.few);
  judge(`${THIRD_PARTIES} plugins of others`, samples.thirdParties, samples.all);
} finally {
  rmSync(home, { recursive: true, force: true });
}
