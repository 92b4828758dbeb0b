// Measures the cost of cutting source code compared with parsing it, per language: CPU time for parsing files with bare web-tree-sitter,
// and for parsing and cutting them with the language's pack, alternating in the same run. Then the peak memory of an ingest of 2,000 code
// files.
//   node --import ./scripts/run-ts.mjs bench/code-parse.mjs [folder]
// Files are sampled from the folder; by default from node_modules, and from a pack's fixtures if there are too few.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadGrammar } from '../kits/code/src/code-extractor.ts';
import { DEFAULT_POLICY } from '../core/src/testing/chunker-suite.ts';
import { fileNamesOf } from '../core/src/domain/media.ts';
import { silentCallContext } from '../core/src/testing/contract-suite.ts';
import { PackUnderTest, sampleFiles } from '../kits/code/src/testing/pack-under-test.ts';
import { bundle } from '../scripts/bundle.mjs';

const MIN_RATIO = 0.5;
const MAX_MIB = 250;
const FILES = 2000;
/** Rounds continue until this much was parsed, so that the code is warm and at least one round is undisturbed. */
const MIN_BYTES = 3_000_000;
const MIN_ROUNDS = 7;
const FEW_BYTES = 50_000;
const TINY_BYTES = 1000;
const LANGS = ['rust', 'python', 'typescript', 'javascript', 'go', 'java', 'kotlin', 'c', 'cpp'];

const context = silentCallContext();
const root = fileURLToPath(new URL('..', import.meta.url));
const samplesFrom =
  process.argv[2] === undefined
    ? new URL('../node_modules/', import.meta.url)
    : pathToFileURL(`${path.resolve(process.argv[2])}/`);

console.log('language      files     kB  bare MB/s  cut MB/s  ratio');
for (const lang of LANGS) {
  const { pack, default: plugin } = await import(`../plugins/code-${lang}/src/index.ts`);
  await measure(lang, { pack, plugin });
}
await measureMemory();

async function measure(lang, { pack, plugin }) {
  const files = filesOf(lang);
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const tried = await Promise.all(files.map(async (file) => ({ ...file, parsers: await parsersFor(pack, file) })));
  const under = new PackUnderTest(plugin, lang);
  const [extractor, chunker] = [await under.extractor(), await under.chunker()];
  const best = { bare: Infinity, cut: Infinity };
  const rounds = Math.max(MIN_ROUNDS, Math.ceil(MIN_BYTES / bytes));
  for (let round = 0; round < rounds; round++) {
    best.bare = Math.min(best.bare, await cpuMs(() => tried.forEach(parseBarely)));
    best.cut = Math.min(
      best.cut,
      await cpuMs(async () => {
        for (const { path: workspacePath, bytes: content } of files) {
          const { text, blocks } = await extractor.extract({ asset: { workspacePath }, bytes: content }, context);
          chunker.chunk({ text, blocks }, DEFAULT_POLICY);
        }
      }),
    );
  }
  const ratio = best.bare / best.cut;
  const columns = [
    lang.padEnd(12),
    String(files.length).padStart(6),
    (bytes / 1e3).toFixed(0).padStart(6),
    (bytes / 1e3 / best.bare).toFixed(2).padStart(10),
    (bytes / 1e3 / best.cut).toFixed(2).padStart(9),
    ratio.toFixed(2).padStart(6),
  ];
  console.log(`${columns.join(' ')} (at least ${MIN_RATIO}): ${ratio >= MIN_RATIO ? 'ok' : 'under'}`);
  if (ratio < MIN_RATIO) process.exitCode = 1;
}

function filesOf(lang) {
  const extensions = fileNamesOf(lang).flatMap((name) => (name.startsWith('*.') ? [name.slice(1)] : []));
  const files = sampleFiles(samplesFrom, { extensions, limit: 150 });
  if (files.reduce((sum, file) => sum + file.bytes.length, 0) > FEW_BYTES) return files;
  const fixtures = new URL(`../plugins/code-${lang}/test/fixtures/`, import.meta.url);
  const own = sampleFiles(fixtures, { extensions, limit: 50 }).filter((file) => file.bytes.length > TINY_BYTES);
  const copies = Math.ceil(FEW_BYTES / own.reduce((sum, file) => sum + file.bytes.length, 1));
  return Array.from({ length: copies }, () => own).flat();
}

/** The parsers to try for a file: the first, and the others while there are syntax errors. */
async function parsersFor(pack, { path: file, bytes }) {
  const parsers = [];
  for (const syntax of pack.syntaxesFor(file)) {
    const { parser } = await loadGrammar(syntax);
    parsers.push(parser);
    const tree = parser.parse(new TextDecoder().decode(bytes));
    const understood = !tree.rootNode.hasError;
    tree.delete();
    if (understood) break;
  }
  return parsers;
}

function parseBarely({ bytes, parsers }) {
  const text = new TextDecoder().decode(bytes);
  for (const parser of parsers) parser.parse(text).delete();
}

async function cpuMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measureMemory() {
  const home = mkdtempSync(path.join(tmpdir(), 'kebab-code-'));
  try {
    const folder = path.join(home, 'code');
    const extensions = LANGS.flatMap(fileNamesOf).map((name) => name.slice(1));
    const files = sampleFiles(samplesFrom, { extensions, limit: FILES });
    for (const { path: file, bytes } of files) {
      const target = path.join(folder, file.replaceAll('node_modules/', ''));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, bytes);
    }
    await bundle(path.join(root, 'host-cli', 'dist', 'bundle'));
    const { peakMib, report } = await ingest(home, folder);
    const verdict = peakMib <= MAX_MIB ? 'ok' : 'over';
    console.log(`\ningest of ${files.length} code files: ${peakMib.toFixed(0)} MiB (at most ${MAX_MIB}): ${verdict}`);
    console.log(
      `  new ${report.new}, errors ${report.errors}, skipped as generated ${report.skipped_generated ?? '?'}`,
    );
    if (peakMib > MAX_MIB) process.exitCode = 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Runs the command line and polls its peak memory while it runs. */
async function ingest(home, folder) {
  const env = {
    ...process.env,
    HOME: home,
    KEBAB_WORKSPACE_ROOT: folder,
    KEBAB_STORAGE_DATA_DIR: path.join(home, 'data'),
  };
  const cli = path.join(root, 'host-cli', 'bin', 'kebab.cjs');
  const child = spawn(process.execPath, [cli, 'ingest', '--json', '--summary-only'], { env, cwd: home });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.resume();
  let peakMib = 0;
  const watch = setInterval(() => (peakMib = Math.max(peakMib, highWaterMib(child.pid))), 20);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { peakMib, report: JSON.parse(output.trim().split('\n').at(-1)) };
}

function highWaterMib(pid) {
  try {
    return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended, or the system does not report it
  }
}
