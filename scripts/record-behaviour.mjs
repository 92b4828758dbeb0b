// Records the output of kebab for a mixed corpus, and compares recordings: a safety net for changes that must not affect behaviour.
//   node scripts/record-behaviour.mjs record --out FILE [--cli PATH/host-cli/bin/kebab.cjs]
//   node scripts/record-behaviour.mjs compare A B [--ignore OPERATION,FORM…] [--ignore-members NAME…]
// `record` runs a built command line, by default that of this checkout; with --cli that of another. A FILE that ends in .gz is compressed.
// `compare` prints differences by operation and exits with 1, or reports that there are none. record-behaviour/volatile.mjs lists what is
// removed before comparing. Forms are json, human and help. It needs the corpora in ../shared and exits with 2 if they are missing.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { compareRecordings, comparisonText } from './record-behaviour/comparison.mjs';
import { findShared, writeCorpus, writeGarden } from './record-behaviour/corpus.mjs';
import { startLanguageModel } from './record-behaviour/language-model.mjs';
import { Recorder } from './record-behaviour/recorder.mjs';
import { digestOfBundle, programOf, unfitness } from './record-behaviour/program.mjs';
import { recordAnswers } from './record-behaviour/scenes/asking.mjs';
import {
  recordConfiguration,
  recordHelp,
  recordInstalling,
  recordReports,
} from './record-behaviour/scenes/describing.mjs';
import { recordEvaluations } from './record-behaviour/scenes/evaluating.mjs';
import * as garden from './record-behaviour/scenes/gardening.mjs';
import * as ingesting from './record-behaviour/scenes/ingesting.mjs';
import * as reading from './record-behaviour/scenes/reading.mjs';
import { recordMistakes, recordNothingIndexed } from './record-behaviour/scenes/refusing.mjs';
import { FILTERED, QUERIES } from './record-behaviour/queries.mjs';
import { recordSearches, searchInBulk } from './record-behaviour/scenes/searching.mjs';
import { recordHttp, recordServer, recordWritingTools } from './record-behaviour/scenes/serving.mjs';
import { volatile } from './record-behaviour/volatile.mjs';
import { World } from './record-behaviour/world.mjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));

async function record({ out, cli = path.join(checkout, 'host-cli', 'bin', 'kebab.cjs') }) {
  if (out === undefined) throw new Error('record needs --out FILE');
  const shared = findShared(checkout);
  if (shared === null) {
    console.error(`cannot record: the corpora of ${path.resolve(checkout, '..', 'shared')} are not there`);
    return 2;
  }
  const program = programOf(realpathSync(cli));
  const unfit = unfitness(program);
  if (unfit !== null) {
    console.error(`cannot record: ${unfit}`);
    return 2;
  }
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-behaviour-')));
  try {
    const recording = await recordingOf({ folder, shared, cli: realpathSync(cli), program });
    const text = JSON.stringify(recording);
    writeFileSync(out, out.endsWith('.gz') ? gzipSync(text) : text);
    const took = Math.round((Date.now() - Date.parse(recording.recorded_at)) / 1000);
    console.log(`${recording.answers.length} answers in ${took} s, load ${loadavg()[0].toFixed(1)}: ${out}`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function recordingOf({ folder, shared, cli, program }) {
  const since = Date.now();
  const places = [
    [folder, '<folder>'],
    [program.checkout, '<checkout>'],
    [shared, '<shared>'],
  ];
  const recorder = new Recorder(volatile({ places, since }));
  const model = await startLanguageModel(shared);
  const newWorld = (name, env = {}) =>
    new World(path.join(folder, name), {
      cli,
      env: { KEBAB_MODELS_LLM_ENDPOINT: model.url, KEBAB_MODELS_LLM_MODEL: 'tiny', ...env },
    });
  const local = { KEBAB_MODELS_EMBEDDING_MODEL: path.join(shared, 'models', 'potion-base-4M-int8') };
  const stage = stages();
  try {
    const corpus = await recordLibrary({ recorder, model, shared, stage, world: newWorld('library', local) });
    await recordWordsAlone({
      recorder,
      model,
      shared,
      stage,
      world: newWorld('words', { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }),
    });
    await recordGarden({
      recorder,
      model,
      shared,
      stage,
      core: path.join(program.checkout, 'core'),
      world: newWorld('garden', local),
    });
    await ingesting.recordFirstSteps(recorder, newWorld('first', local));
    await recordNothingIndexed(recorder, newWorld('nothing', { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }));
    stage('first steps');
    return {
      format: 1,
      recorded_at: new Date(since).toISOString(),
      program: digestOfBundle(program),
      corpus,
      answers: recorder.answers,
    };
  } finally {
    await model.close();
  }
}

/** Two sources with vectors: all reading operations, then all writing ones. */
async function recordLibrary({ recorder, model, shared, stage, world }) {
  const corpus = writeSources(world, shared);
  await ingesting.recordFirstIngests(recorder, world);
  stage('first ingests');
  const hits = await recordSearches(recorder, world);
  stage('searches');
  const documents = await reading.documentsOf(world);
  await reading.recordLists(recorder, world);
  const inspections = await reading.recordInspections(recorder, world, documents);
  await reading.recordFetches(recorder, world, inspections);
  await reading.recordPlaces(recorder, world, inspections);
  stage('reading');
  await recordAnswers(recorder, world, model);
  stage('answers');
  await recordEvaluations(recorder, world, documents);
  await recordReports(recorder, world);
  await recordHelp(recorder, world);
  await recordConfiguration(recorder, world);
  await recordInstalling(recorder, world);
  await recordMistakes(recorder, world);
  stage('evaluation, reports, mistakes');
  await recordServer(recorder, world, { inspections, documents, model });
  await recordHttp(recorder, world);
  stage('MCP');
  await ingesting.recordChanges(recorder, world, hits);
  await ingesting.recordAdditions(recorder, world);
  await ingesting.recordDeletions(recorder, world);
  stage('changes');
  return corpus;
}

/** Writes the corpus and a configuration with both sources. */
function writeSources(world, shared) {
  world.write(
    'home/config/kebab/config.toml',
    `schema_version = 1\n\n[workspace]\nexclude = [".git/**", "node_modules/**", ".obsidian/**", "drafts/**"]\n\n` +
      `[[workspace.sources]]\nid = "code"\nroot = ${JSON.stringify(world.at('code'))}\ntrust_level = "secondary"\n\n` +
      '[indexing]\nmax_file_mb = 1\n',
  );
  return writeCorpus(world.folder, shared);
}

/** The same corpus without an embedding model. */
async function recordWordsAlone({ recorder, model, shared, stage, world }) {
  writeSources(world, shared);
  const prefix = 'without embedding, ';
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only'], { name: `${prefix}first` });
  await searchInBulk(recorder, world, [...QUERIES.map((query) => ({ query })), ...FILTERED], { prefix });
  model.script = {};
  await Promise.all([
    recorder.cli(world, 'search', ['search', 'memory', '--mode', 'vector'], { name: `${prefix}vector`, human: true }),
    recorder.cli(world, 'search', ['search', 'memory', '--explain', '-k', '3'], {
      name: `${prefix}explained`,
      human: true,
    }),
    recorder.cli(world, 'ask', ['ask', 'Where did the Normans settle?'], { name: `${prefix}an answer` }),
    recorder.cli(world, 'doctor', ['doctor'], { name: `${prefix}doctor`, human: true }),
    recorder.cli(world, 'schema', ['schema'], { name: `${prefix}schema` }),
  ]);
  stage('without embedding');
}

async function recordGarden({ recorder, model, shared, stage, core, world }) {
  writeGarden(world.at('notes'), shared);
  await garden.recordSettings(recorder, world);
  await garden.recordTry(recorder, world);
  await garden.recordProviders(recorder, world, { model, shared });
  model.script = {};
  await garden.recordPlugins(recorder, world, { core });
  await recordWritingTools(recorder, world);
  stage('garden');
  await garden.recordRecognition(recorder, world);
  await garden.recordResets(recorder, world);
  stage('recognition, resets');
}

/** Reports the duration of each part on standard error. */
function stages() {
  let from = Date.now();
  return (name) => {
    console.error(`${name}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
    from = Date.now();
  };
}

function compare([before, after], options) {
  if (after === undefined) throw new Error('compare needs two recordings');
  const [a, b] = [readRecording(before), readRecording(after)];
  if (a.corpus !== b.corpus) console.log('the two were recorded over different corpora: record both again\n');
  if (a.program !== undefined && a.program === b.program) console.log('both are recordings of one build');
  const comparison = compareRecordings(a, b, options);
  process.stdout.write(comparisonText(comparison));
  return comparison.differing.length === 0 ? 0 : 1;
}

function readRecording(file) {
  const bytes = readFileSync(file);
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
}

function namesIn(list) {
  return list.split(',').filter(Boolean);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      cli: { type: 'string' },
      ignore: { type: 'string', default: '' },
      'ignore-members': { type: 'string', default: '' },
    },
  });
  const [verb, ...rest] = positionals;
  if (verb === 'record') return record(values);
  if (verb === 'compare')
    return compare(rest, { ignore: namesIn(values.ignore), ignoreMembers: namesIn(values['ignore-members']) });
  console.error(
    'usage: node scripts/record-behaviour.mjs record --out FILE [--cli FILE] | compare A B [--ignore NAMES]',
  );
  return 2;
}

process.exitCode = await main();
