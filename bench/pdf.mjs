// Measures speed and memory of reading PDFs:
// - pages per second of the extractor against `pdftotext` (poppler) on the same files, alternating in the same run, the best of
//   several rounds each: as wall time, like the ingest of a folder of PDFs, and as CPU time;
// - the peak memory of a process that reads a file of 350 pages.
//   node --import ./scripts/run-ts.mjs bench/pdf.mjs [rounds]
// Files come from ../shared/data/pdf, if available, besides a generated file.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentCallContext } from '../core/src/testing/contract-suite.ts';
import { createPdfExtractor } from '../plugins/pdf/src/pdf-extractor.ts';
import { lines, makePdf } from '../plugins/pdf/test/make-pdf.ts';
import { sharedData } from './lib/shared-data.ts';

const POPPLER = 'pdftotext';
const MIN_RATIO = 0.25;
const MAX_MIB = 300;
const PAGES = 350;
const SHARED = ['tracemonkey.pdf', 'GeoTopo-komprimiert.pdf', 'HCLT2019_deeplearningOCR.pdf'];

const context = silentCallContext();
if (process.argv[2] === 'read') await readOnce(process.argv[3]);
else await measure(Number(process.argv[2] ?? 5));

async function readOnce(file) {
  const { pages } = await extract(readFileSync(file));
  process.stdout.write(String(pages.length));
}

async function measure(rounds) {
  const home = mkdtempSync(path.join(tmpdir(), 'kebab-pdf-'));
  try {
    const book = path.join(home, `${PAGES}-pages.pdf`);
    writeFileSync(book, writeBook());
    if (spawnSync(POPPLER, ['-v']).error !== undefined) console.log('skipped: pdftotext is not installed');
    else await measureSpeed([...sharedFiles(), book], rounds);
    await measureMemory(book);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function sharedFiles() {
  const folder = sharedData('pdf');
  return folder === null ? [] : SHARED.map((name) => path.join(folder, name));
}

async function measureSpeed(files, rounds) {
  console.log('file                          pages  pdftotext/s  kebab/s  ratio  CPU ratio');
  const all = { pages: 0, theirs: { wall: 0, cpu: 0 }, ours: { wall: 0, cpu: 0 } };
  for (const file of files) {
    const bytes = readFileSync(file);
    const theirs = { wall: Infinity, cpu: Infinity };
    const ours = { wall: Infinity, cpu: Infinity };
    let pages = 0;
    for (let round = 0; round < rounds; round++) {
      keepBest(theirs, poppler(file));
      keepBest(
        ours,
        await timed(async () => {
          pages = (await extract(bytes)).pages.length;
        }),
      );
    }
    report(file, { pages, theirs, ours });
    all.pages += pages;
    for (const kind of ['wall', 'cpu']) {
      all.theirs[kind] += theirs[kind];
      all.ours[kind] += ours[kind];
    }
  }
  const ratio = report('all', all);
  console.log(
    `pages a second, ratio ${ratio.toFixed(2)} (at least ${MIN_RATIO}): ${ratio >= MIN_RATIO ? 'ok' : 'under'}`,
  );
  if (ratio < MIN_RATIO) process.exitCode = 1;
}

function report(file, { pages, theirs, ours }) {
  const ratio = theirs.wall / ours.wall;
  const columns = [
    path.basename(file).padEnd(29),
    String(pages).padStart(5),
    ((pages * 1000) / theirs.wall).toFixed(0).padStart(12),
    ((pages * 1000) / ours.wall).toFixed(0).padStart(8),
    ratio.toFixed(2).padStart(6),
    (theirs.cpu / ours.cpu).toFixed(2).padStart(10),
  ];
  console.log(columns.join(' '));
  return ratio;
}

function keepBest(best, { wall, cpu }) {
  best.wall = Math.min(best.wall, wall);
  best.cpu = Math.min(best.cpu, cpu);
}

/** bash reports the CPU time of a program that has ended. */
function poppler(file) {
  const begin = performance.now();
  const { stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$1" "$2" /dev/null', 'bash', POPPLER, file],
    {
      encoding: 'utf8',
    },
  );
  const wall = performance.now() - begin;
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: (user + system) * 1000 };
}

async function timed(work) {
  const begin = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - begin, cpu: (user + system) / 1000 };
}

function extract(bytes) {
  return createPdfExtractor().extract({ asset: { workspacePath: 'bench.pdf' }, bytes }, context);
}

/** Pages of 48 lines, all different. */
function writeBook() {
  const words = 'the rain in a far harbour keeps falling on boats and barrels while gulls cry over old stones'.split(
    ' ',
  );
  const line = (page, row) =>
    Array.from({ length: 13 }, (_, at) => words[(page * 7 + row * 5 + at * at) % words.length]).join(' ');
  const pages = Array.from({ length: PAGES }, (_, page) => ({
    texts: lines(
      Array.from({ length: 48 }, (__, row) => line(page, row)),
      { x: 60, y: 780, size: 11 },
    ),
  }));
  const outline = Array.from({ length: 35 }, (_, at) => ({ title: `Chapter ${at + 1}`, page: at * 10 + 1 }));
  return makePdf({ pages, outline, info: { Title: 'A book of rain' } });
}

async function measureMemory(book) {
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [...process.execArgv, program, 'read', book]);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.pipe(process.stderr);
  let peakMib = 0;
  const watch = setInterval(() => (peakMib = Math.max(peakMib, highWaterMib(child.pid))), 10);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  if (output !== String(PAGES)) throw new Error(`${PAGES} pages were written, ${output} were read`);
  const verdict = peakMib <= MAX_MIB ? 'ok' : 'over';
  console.log(`\n${PAGES} pages in one process: ${peakMib.toFixed(0)} MiB at most (at most ${MAX_MIB}): ${verdict}`);
  if (peakMib > MAX_MIB) process.exitCode = 1;
}

function highWaterMib(pid) {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended, or the system does not report it
  }
}
