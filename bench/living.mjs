// Measures the cost and latency of the living index: `npm run build && node bench/living.mjs [FOLDER]`. Cold searches with and without a
// look, alternating; then `kebab watch`: from a save to its event, idle, and all files touched at once. Without a folder it unpacks
// ../shared/data/md5k/md5k.tar.gz. Times are printed beside those of the same run without a look.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { markdownCorpus } from './lib/markdown-corpus.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kebab = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
const home = mkdtempSync(path.join(tmpdir(), 'kebab-living-bench-'));
const notes = path.join(home, 'KnowledgeBase');
/** Without a service, which a search over so many files would start, because the look in the process is measured. */
const env = {
  PATH: process.env.PATH,
  HOME: home,
  KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
  KEBAB_SERVICE: 'off',
};
const RUNS = 10;
const SAVES = 20;

try {
  const folder = markdownCorpus(home, process.argv[2]);
  cpSync(folder, notes, { recursive: true });
  const files = readdirSync(notes, { recursive: true }).map((name) => path.join(notes, name));
  const texts = files.filter((file) => file.endsWith('.md') && statSync(file).isFile());
  const first = timed(() => run('ingest', '--quiet'));
  console.log(`${texts.length} files, first ingest ${Math.round(first)} ms`);
  coldSearches();
  await watching(texts);
} finally {
  rmSync(home, { recursive: true, force: true });
}

function coldSearches() {
  const looks = [];
  const plain = [];
  for (let i = 0; i < RUNS; i++) {
    looks.push(cpuOf('search', 'configuration file', '--json'));
    plain.push(cpuOf('search', 'configuration file', '--json', '--no-refresh'));
  }
  const [look, none] = [median(looks), median(plain)];
  console.log(
    `cold search: ${none.toFixed(0)} ms CPU without a look, ${look.toFixed(0)} with one (${(look / none).toFixed(2)} times)`,
  );
}

async function watching(texts) {
  const child = spawn(process.execPath, [kebab, 'watch', '--json', '--no-ingest'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const events = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (kind) => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error('kebab watch has ended');
      const event = JSON.parse(value);
      if (event.kind === kind) return event;
    }
  };
  await next('watching');
  const saves = [];
  const atFirst = ticksOf(child.pid);
  for (let i = 0; i < SAVES; i++) {
    await delay(100);
    const started = performance.now();
    appendFileSync(texts[(i * 37) % texts.length], '\nsaved\n');
    await next('ingested');
    saves.push(performance.now() - started);
  }
  const cpu = ((ticksOf(child.pid).ticks - atFirst.ticks) * 10) / SAVES;
  console.log(
    `save to findable: median ${median(saves).toFixed(0)} ms, p95 ${quantile(saves, 0.95).toFixed(0)} ms; CPU ${cpu.toFixed(0)} ms each`,
  );
  const before = ticksOf(child.pid);
  await delay(10_000);
  const { rssMiB, ticks } = ticksOf(child.pid);
  console.log(`idle: ${((ticks - before.ticks) / 10).toFixed(2)} % CPU, ${rssMiB.toFixed(0)} MiB in all`);
  const started = performance.now();
  const now = Date.now() / 1000;
  for (const file of texts) {
    appendFileSync(file, '\nstorm\n');
    utimesSync(file, now, now);
  }
  let [updated, runs] = [0, 0];
  for (; updated < texts.length; runs++) updated += (await next('ingested')).updated;
  console.log(`all files at once: ${Math.round(performance.now() - started)} ms in ${runs} runs`);
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
}

function run(...args) {
  return execFileSync(process.execPath, [kebab, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** CPU of a whole process, as the system counts it for this one's children. */
function cpuOf(...args) {
  const code = `const {spawnSync}=require('child_process');spawnSync(process.execPath,${JSON.stringify([kebab, ...args])},{stdio:'ignore'});
    const u=require('fs').readFileSync('/proc/self/stat','utf8').split(') ')[1].split(' ');console.log((Number(u[13])+Number(u[14]))*10)`;
  return Number(spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' }).stdout);
}

/** Clock ticks of 10 ms that a process has used, and its memory. */
function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return { ticks: Number(fields[11]) + Number(fields[12]), rssMiB: (pages * 4096) / 1024 ** 2 };
}

function timed(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}
