// Measures the time from `create-kebab-plugin` to passing tests for a plugin author: generate, install, build and test, in seconds and as a
// multiple of an empty Node process in the same run. Downloads are timed separately and not counted.
// @kebab/core and create-kebab-plugin are packed from their dist folders: run it after `npm run build`.
//   node bench/create-plugin.mjs [KIND …]     (extractor and retriever without any; `all` for every kind)
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_SECONDS = 90;
const BASELINE_RUNS = 9;
const root = fileURLToPath(new URL('..', import.meta.url));
const workshop = mkdtempSync(path.join(tmpdir(), 'kebab-create-plugin-'));
const env = { ...process.env, npm_config_cache: path.join(workshop, 'npm-cache'), npm_config_loglevel: 'error' };

/** Packs a package of this repository; returns the path of the tarball. */
function pack(folder) {
  const target = path.join(workshop, folder);
  mkdirSync(target);
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target];
  execFileSync('npm', args, { cwd: path.join(root, folder), env, stdio: ['ignore', 'ignore', 'inherit'] });
  return path.join(target, readdirSync(target)[0]);
}

/** Wall-clock seconds of a program that must succeed, with its output. */
function timed(program, args, cwd) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return { seconds, stdout };
}

/** One plugin of a kind, from generation to passing tests. */
function measure(kind, { create, core }) {
  const folder = path.join(workshop, `plugin-${kind}`);
  mkdirSync(folder);
  const generate = timed(process.execPath, [create, `my-${kind}`, '--kind', kind], folder).seconds;
  const project = path.join(folder, readdirSync(folder)[0]);
  const install = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', core];
  const download = timed('npm', install, project).seconds;
  rmSync(path.join(project, 'node_modules'), { recursive: true });
  const offline = timed('npm', [...install, '--offline'], project).seconds;
  const { seconds: test, stdout } = timed('npm', ['test'], project);
  const passed = Number(/^(?:#|ℹ) pass (\d+)$/m.exec(stdout)?.[1] ?? 0);
  if (passed === 0) throw new Error(`no test of ${kind} passed:\n${stdout}`);
  return { kind, generate, download, offline, test, counted: generate + offline + test, passed };
}

function row(name, cells) {
  console.log(name.padEnd(14) + cells.map((cell) => String(cell).padStart(18)).join(''));
}

try {
  const [core, creator] = [pack('core'), pack('create-kebab-plugin')];
  execFileSync('tar', ['-xzf', creator], { cwd: workshop });
  const create = path.join(workshop, 'package', 'bin', 'create-kebab-plugin.js');
  const { TEMPLATE_KINDS } = await import(path.join(workshop, 'package', 'dist', 'index.js'));
  const asked = process.argv.slice(2);
  const kinds = asked[0] === 'all' ? TEMPLATE_KINDS : asked.length > 0 ? asked : ['extractor', 'retriever'];
  const empty = Array.from({ length: BASELINE_RUNS }, () => timed(process.execPath, ['-e', '0'], workshop).seconds);
  const baseline = empty.toSorted((a, b) => a - b)[Math.floor(BASELINE_RUNS / 2)];
  const shown = (seconds) => `${seconds.toFixed(1)} s (${(seconds / baseline).toFixed(0)}×)`;

  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}; ` +
      `node -e 0: ${(baseline * 1000).toFixed(0)} ms (1×)`,
  );
  row('kind', ['generate', 'download', 'install', 'build + test', 'counted', 'tests passed']);
  let worst = 0;
  for (const kind of kinds) {
    const { generate, download, offline, test, counted, passed } = measure(kind, { create, core });
    row(kind, [...[generate, download, offline, test, counted].map(shown), passed]);
    worst = Math.max(worst, counted);
  }
  const isWithin = worst <= MAX_SECONDS;
  console.log(`${worst.toFixed(1)} s at most (asked: ${MAX_SECONDS}): ${isWithin ? 'ok' : 'too slow'}`);
  process.exitCode = isWithin ? 0 : 1;
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
