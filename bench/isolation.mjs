// Measures the cost of running the Markdown extractor in another process: the first ingest of a folder, alternating between three ways.
// - small texts on the calling thread, as on a machine with two processors;
// - all texts in a process, many at a time, as on larger machines;
// - as a third-party plugin, in a restricted process and file by file: the same extractor as a package with another name.
// Prints wall and processor time of whole process trees, and the difference of each to the first.
//   node bench/isolation.mjs [rounds] [folder]
// Without a folder it unpacks ../shared/data/md5k/md5k.tar.gz.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { markdownCorpus } from './lib/markdown-corpus.mjs';
import { shadowCheckout } from './lib/shadow-checkout.mjs';

const MAX_ADDED = 0.15;
const rounds = Number(process.argv[2] ?? 5);
const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 'kebab-isolation-'));

/** The Markdown plugin as a third-party package, in the node_modules of `folder`. */
async function writeThirdParty(folder) {
  const target = path.join(folder, 'node_modules', 'kebab-plugin-markdown');
  const graph = await rolldown({
    cwd: root,
    input: 'plugins/md/src/index.ts',
    platform: 'node',
    resolve: { conditionNames: ['kebab-src', 'import', 'module', 'node', 'default'] },
    external: [/^satteri/],
  });
  await graph.write({ dir: target, format: 'esm', entryFileNames: 'md.js' });
  await graph.close();
  const { kebab } = JSON.parse(readFileSync(path.join(root, 'plugins', 'md', 'package.json'), 'utf8'));
  const manifest = { name: 'kebab-plugin-markdown', version: '1.0.0', type: 'module', exports: './index.js', kebab };
  writeFileSync(path.join(target, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(target, 'index.js'),
    `import md from './md.js';\nexport default { ...md, name: 'kebab-plugin-markdown', version: '1.0.0', kebab: '*' };\n`,
  );
}

/** Wall and processor milliseconds of one first ingest, which must ingest every file. */
function ingest(cli, { folder, files, more }) {
  const data = mkdtempSync(path.join(home, 'data-'));
  const env = {
    ...process.env,
    HOME: data,
    XDG_CONFIG_HOME: '',
    XDG_DATA_HOME: '',
    XDG_STATE_HOME: '',
    XDG_CACHE_HOME: '',
    KEBAB_WORKSPACE_ROOT: folder,
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
    OUTPUT: path.join(data, 'output'),
    ...more,
  };
  const line = [process.execPath, cli, 'ingest', '--summary-only', '--json'];
  const timed = spawnSync('bash', ['-c', 'TIMEFORMAT="%3R %3U %3S"; time "$@" > "$OUTPUT"', 'bash', ...line], {
    cwd: path.dirname(path.dirname(path.dirname(cli))), // the third-party plugin is resolved from here
    env,
    encoding: 'utf8',
  });
  const [real, user, system] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  const report = JSON.parse(readFileSync(env.OUTPUT, 'utf8').trim().split('\n').at(-1));
  if (timed.status !== 0 || report.new !== files)
    throw new Error(`${cli} indexed ${report.new} of ${files}: ${timed.stderr}`);
  rmSync(data, { recursive: true, force: true });
  return { wall: real * 1000, cpu: (user + system) * 1000 };
}

/** Arguments that make the command line behave as on a machine with this many processors. */
const withProcessors = (count) => ({
  'host-cli/src/main.ts': (text) => text.replace('environment: {', `environment: { processors: ${count},`),
});

const markdownFiles = (folder) =>
  readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md')).length;

function summary(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  return { min: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}

function printRow(name, samples, baseline) {
  const columns = ['wall', 'cpu'].map((kind) => {
    const { min, median } = summary(samples.map((one) => one[kind]));
    const added = summary(samples.map((one, round) => one[kind] / baseline[round][kind] - 1)).median;
    const sign = added < 0 ? '−' : '+';
    return `${kind} ${min.toFixed(0).padStart(6)} / ${median.toFixed(0).padStart(6)} ms  ${sign}${Math.abs(added * 100)
      .toFixed(1)
      .padStart(4)} %`;
  });
  console.log(`${name.padEnd(32)} ${columns.join('   ')}`);
}

/** Judged by the additional wall time of the median round, since throughput is files per second. */
function judge(name, samples, baseline) {
  const added = summary(samples.map(({ wall }, round) => wall / baseline[round].wall - 1)).median;
  const isOk = added <= MAX_ADDED;
  console.log(
    `${name}: ${(added * 100).toFixed(1)} % more time (at most ${MAX_ADDED * 100} %): ${isOk ? 'ok' : 'too slow'}`,
  );
  if (!isOk) process.exitCode = 1;
}

try {
  const folder = markdownCorpus(home, process.argv[3]);
  const files = markdownFiles(folder);
  const asIs = await shadowCheckout(path.join(home, 'inline'), withProcessors(2));
  const apart = await shadowCheckout(path.join(home, 'process'), withProcessors(4));
  await writeThirdParty(path.join(home, 'inline'));
  const given = { folder, files, more: {} };
  const ways = {
    inline: () => ingest(asIs, given),
    process: () => ingest(apart, given),
    thirdParty: () => ingest(asIs, { ...given, more: { KEBAB_PLUGINS: '["kebab-plugin-markdown"]' } }),
  };
  const samples = { inline: [], process: [], thirdParty: [] };
  const before = loadavg()[0];
  for (let round = -1; round < rounds; round++)
    for (const [name, run] of Object.entries(ways)) {
      const sample = run();
      if (round >= 0) samples[name].push(sample); // the first round of each only fills the caches
    }
  const load = `${before.toFixed(1)} to ${loadavg()[0].toFixed(1)}`;
  console.log(
    `Node ${process.version}, ${files} files, ${rounds} rounds in turns, minimum / median, median added, load ${load}`,
  );
  printRow('on the calling thread', samples.inline, samples.inline);
  printRow('in a process', samples.process, samples.inline);
  printRow('as a third-party plugin', samples.thirdParty, samples.inline);
  judge('in a process', samples.process, samples.inline);
  judge('as a third-party plugin', samples.thirdParty, samples.inline);
} finally {
  rmSync(home, { recursive: true, force: true });
}
