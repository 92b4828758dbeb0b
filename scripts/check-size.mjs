// Prints the size of the checkout beside its budgets, and fails if a number is over its limit: lines, source files that only one other file
// imports, and source files that a search by words runs.
//
//   node scripts/check-size.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * `limit` is enforced; `wanted` is the goal. A commit that takes something away lowers the limit; one that cannot stay below it raises it
 * here, and gives the reason in its message.
 */
const BUDGETS = {
  'lines beside tests': { limit: 136_830, wanted: 75_000 },
  'lines of core': { limit: 61_277, wanted: 32_000 },
  'lines of tests': { limit: 90_419, wanted: 45_000 },
  'files with one importer': { limit: 291, wanted: 120 },
  'files that a search by words runs': { limit: 114, wanted: 60 },
};

const root = fileURLToPath(new URL('..', import.meta.url));

const CODE = /\.(?:ts|mts|mjs|cjs|js|tsx|wat|css)$/;
const TYPES_OF_SCRIPTS = /\.d\.mts$/;
const TEST = /(?:^|\/)tests?\/|\.(?:test|bench)\.ts$|(?:^|\/)fixtures?\//;
const CORE = /^core\/src\//;

/** Counts the lines of code in a checkout, from the text of each of its files by path. */
export function countLines(texts) {
  const lines = { besideTests: 0, core: 0, tests: 0 };
  for (const [file, text] of texts) {
    if (!CODE.test(file) || TYPES_OF_SCRIPTS.test(file)) continue;
    const count = text.split('\n').length - 1;
    lines[TEST.test(file) ? 'tests' : 'besideTests'] += count;
    if (CORE.test(file)) lines.core += count;
  }
  return lines;
}

const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]+)\1/g;

/**
 * The source files that exactly one other source file imports, including for a type or on first use, from the text of each source file by
 * path. Entries (of packages, programs and threads) are left out, because something else names them.
 */
export function filesWithOneImporter(sources, entries) {
  const importers = new Map([...sources.keys()].map((file) => [file, new Set()]));
  for (const [file, text] of sources)
    for (const [, , imported] of text.matchAll(RELATIVE_IMPORT))
      importers.get(path.posix.join(path.posix.dirname(file), imported))?.add(file);
  return [...importers].flatMap(([file, from]) => (from.size === 1 && !entries.has(file) ? [file] : []));
}

/**
 * The source files of a checkout in which at least one function was called, from reports that V8 wrote with `NODE_V8_COVERAGE`. A file that
 * is only loaded does not count: a bundler leaves most of these out.
 */
function filesRun(reports, checkout) {
  const base = pathToFileURL(path.join(checkout, '/')).href;
  const scripts = reports.flatMap(({ result }) => result);
  // The first function is the module itself.
  const run = scripts.filter(({ functions }) => functions.slice(1).some(({ ranges }) => ranges[0].count > 0));
  const files = run.flatMap(({ url }) => (url.startsWith(base) ? [url.slice(base.length)] : []));
  return [...new Set(files)].filter((file) => /(?:^|\/)src\/.*\.ts$/.test(file) && !file.includes('node_modules/'));
}

/** A line for every number, and a complaint for every number that is over its limit, or zero: a check that reads nothing finds nothing. */
function compareWithBudgets(numbers, budgets) {
  const rows = Object.entries(budgets).map(([name, { limit, wanted }]) => {
    const [is, at, goal] = [numbers[name], limit, wanted].map((one) => one.toLocaleString('en'));
    return `${name.padEnd(34)} ${is.padStart(8)}   limit ${at.padStart(8)}   wanted ${goal.padStart(8)}`;
  });
  const over = Object.entries(budgets).flatMap(([name, { limit }]) => {
    if (numbers[name] === 0) return [`${name}: nothing was counted: is the check looking in the right place?`];
    if (numbers[name] <= limit) return [];
    return [
      `${name}: ${numbers[name]} is over the limit of ${limit}. Take something away, or raise the limit in scripts/check-size.mjs in the ` +
        'same commit, with the reason in its message.',
    ];
  });
  return { rows, over };
}

/** The text of each code file that a commit of this checkout would contain, by path. */
function readTexts() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  const files = listed.filter((file) => CODE.test(file) && existsSync(path.join(root, file)));
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** The sources of the workspaces, and the entries among them. */
function readSources(texts) {
  const { workspaces } = readManifest('.');
  const isSource = new RegExp(`^(${workspaces.join('|').replaceAll('*', '[^/]+')})/src/.*\\.ts$`);
  const sources = new Map([...texts].filter(([file]) => isSource.test(file)));
  const folders = new Set([...sources.keys()].map((file) => isSource.exec(file)[1]));
  const entries = [...folders].flatMap((folder) => [
    `${folder}/src/main.ts`, // the programs in bin/ start it
    ...Object.values(readManifest(folder).exports).flatMap(({ 'kebab-src': source }) =>
      source === undefined ? [] : [path.posix.join(folder, source)],
    ),
  ]);
  return { sources, entries: new Set(entries) };
}

function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
}

/** Markdown, which is read without another process. */
const NOTES = {
  tea: '# Green tea\n\nSteep for two minutes in water of 75 degrees.\n',
  bread:
    '# Sourdough\n\nFeed the starter.\n\n## Baking\n\nForty minutes, the first half covered; tea for whoever waits.\n',
  garden: '# Garden\n\n- green beans\n- leeks\n',
};

const PROGRAM = `
const { main } = await import(${JSON.stringify(new URL('../host-cli/src/main.ts', import.meta.url).href)});
await main(process.argv.slice(1));`;
/** What Node needs of the environment; everything else could change what a search does. */
const INHERITED = ['PATH', 'SystemRoot'];

/** Ingests a few notes with kebab run from source in a fresh home, searches them, and returns the reports of the search. */
function searchByWords() {
  const home = mkdtempSync(path.join(tmpdir(), 'kebab-size-'));
  const [notes, coverage] = [path.join(home, 'notes'), path.join(home, 'coverage')];
  const env = {
    ...Object.fromEntries(INHERITED.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : []))),
    ...Object.fromEntries(
      ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TMPDIR', 'TEMP'].map((one) => [one, home]),
    ),
    KEBAB_WORKSPACE_ROOT: notes,
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
    KEBAB_SERVICE: 'off',
  };
  const runTs = new URL('run-ts.mjs', import.meta.url).href;
  const kebab = (line, more = {}) => {
    const args = ['--import', runTs, '--input-type=module', '-e', PROGRAM, '--', ...line];
    return execFileSync(process.execPath, args, { cwd: home, env: { ...env, ...more }, encoding: 'utf8' });
  };
  try {
    mkdirSync(notes);
    for (const [name, text] of Object.entries(NOTES)) writeFileSync(path.join(notes, `${name}.md`), text);
    kebab(['ingest', '--quiet']);
    const found = kebab(['search', 'green tea', '--mode', 'lexical', '--json'], { NODE_V8_COVERAGE: coverage });
    if (!found.includes('tea.md')) throw new Error(`the search does not find its note: ${found}`);
    return readdirSync(coverage).map((name) => JSON.parse(readFileSync(path.join(coverage, name), 'utf8')));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function main() {
  const texts = readTexts();
  const lines = countLines(texts);
  const { sources, entries } = readSources(texts);
  const numbers = {
    'lines beside tests': lines.besideTests,
    'lines of core': lines.core,
    'lines of tests': lines.tests,
    'files with one importer': filesWithOneImporter(sources, entries).length,
    'files that a search by words runs': filesRun(searchByWords(), root).length,
  };
  const { rows, over } = compareWithBudgets(numbers, BUDGETS);
  for (const row of rows) console.log(row);
  for (const line of over) console.error(line);
  process.exitCode = over.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
