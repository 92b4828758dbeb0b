// Ingests, and how the index reacts to files that change, move, disappear and come back.
import { mkdirSync, readFileSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { citationsOf, recordChecks, recordManyChecks } from './citing.mjs';
import { cursorOf, searchInBulk } from './searching.mjs';
import { documentsOf } from './reading.mjs';

const EDITED = new Date(Date.UTC(2024, 5, 1));

/** The first ingest and ingests without changes. */
export async function recordFirstIngests(recorder, world) {
  await recorder.cli(world, 'ingest', ['ingest'], { name: 'first' });
  const revision = await revisionOf(world);
  await recorder.cli(world, 'ingest', ['ingest'], { name: 'second, nothing changed' });
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only', '--verify'], { name: 'hashes everything' });
  await recorder.human(world, 'ingest', ['ingest', '--source', 'code'], { name: 'one source' });
  await recorder.human(world.with({ KEBAB_PROGRESS: 'plain' }), 'ingest', ['ingest', '--quiet'], { name: 'quiet' });
  const later = await revisionOf(world);
  recorder.keep('ingest', 'the corpus revision when nothing changed', later === revision ? 'stays' : 'grows');
}

async function revisionOf(world) {
  const { stdout } = await world.run(['schema', '--json']);
  return JSON.parse(stdout).models.corpus_revision;
}

/** Files change; results of searches, fetches and citations before and after the next ingest. */
export async function recordChanges(recorder, world, hits) {
  const citations = citationsOf(hits);
  const cursor = await cursorOf(world, 'memory');
  const revision = await revisionOf(world);
  await recordManyChecks(recorder, world, citations, { when: 'nothing changed' });
  await recordChecks(recorder, world, citations, { when: 'nothing changed' });
  changeFiles(world, citations);
  const queries = ['memory', 'byte order mark', 'parseHTTPUrl', 'peculiar file called', 'lorem ipsum', 'Normans'];
  const requests = queries.map((query) => ({ query, k: 20 }));
  await searchInBulk(recorder, world, requests, { prefix: 'files changed, ' });
  await recorder.human(world, 'search', ['search', 'byte', 'order', 'mark'], { name: 'files changed, for people' });
  await recorder.cli(world, 'fetch', ['fetch', 'uri', 'odd/bom.md#L1-L3'], { name: 'a changed file', human: true });
  await recorder.cli(world, 'doctor', ['doctor'], { name: 'files changed' });
  await recordManyChecks(recorder, world, citations, { when: 'files changed' });
  await recorder.cli(world, 'ingest', ['ingest'], { name: 'after changes' });
  const later = await revisionOf(world);
  recorder.keep('ingest', 'the corpus revision after changes', later > revision ? 'grows' : 'does not grow');
  await recorder.cli(world, 'ingest', ['ingest'], { name: 'after changes, again' });
  await searchInBulk(recorder, world, requests, { prefix: 'changes ingested, ' });
  await recorder.cli(world, 'search', ['search', 'memory', '-k', '2', '--cursor', cursor], {
    name: 'a cursor of before',
    human: true,
  });
  await recordManyChecks(recorder, world, citations, { when: 'changes ingested' });
  await recordChecks(recorder, world, citations, { when: 'changes ingested' });
  await recorder.cli(world, 'schema', ['schema'], { name: 'changes ingested' });
  const documents = await documentsOf(world);
  recorder.keep(
    'list docs',
    'changes ingested',
    documents.map(({ doc_path, doc_id, doc_version }) => ({ doc_path, doc_id, doc_version })),
  );
}

/** Lines above cited ones, changed words, other times, new names, removed files: each to every fifth of the cited files. */
function changeFiles(world, citations) {
  const paths = [
    ...new Set(citations.filter(({ kind, source_id: id }) => kind === 'line' && id === undefined).map((c) => c.path)),
  ];
  const always = ['odd/bom.md', 'odd/crlf.md', 'odd/twin-a.md'];
  const chosen = [...always, ...paths.filter((name) => !always.includes(name))].slice(0, 40);
  for (const [i, name] of chosen.entries()) {
    const file = world.at('notes', name);
    const text = readFileSync(file, 'utf8');
    const changes = [
      () => writeFileSync(file, `A line above.\n\n${text}`),
      () => writeFileSync(file, text.replaceAll('e', 'é')),
      () => undefined,
      () => renameSync(file, file.replace(/(\.\w+)$/, '-renamed$1')),
      () => unlinkSync(file),
    ];
    changes[i % 5]();
    if (i % 5 < 3) utimesSync(file, EDITED, EDITED);
  }
}

/** Files and texts from outside the sources. */
export async function recordAdditions(recorder, world) {
  const note = world.write(
    'work/outside.md',
    '---\ntags: [outside]\n---\n# Outside\n\nThis note lies outside every source.\n',
  );
  const code = world.write('work/outside.rs', '/// Outside.\npub fn outside_the_sources() -> u8 { 7 }\n');
  const odd = world.write('work/outside.xyz', 'no type\n');
  for (const file of [note, code, odd]) utimesSync(file, EDITED, EDITED);
  const add = (name, args, stdin) => recorder.cli(world, 'ingest-file', args, { name, stdin });
  await add('a note', ['ingest-file', note]);
  await add('the same note', ['ingest-file', note]);
  await add('code', ['ingest-file', 'outside.rs']);
  await add('a file of no type', ['ingest-file', odd]);
  await add('a file of a source', ['ingest-file', world.at('notes', 'odd', 'table.csv')]);
  await recorder.human(world, 'ingest-file', ['ingest-file', note], { name: 'a note, for people' });
  const text = (name, args, stdin) => recorder.cli(world, 'ingest-stdin', ['ingest-stdin', ...args], { name, stdin });
  await text('a text', ['--title', 'Typed', '--source-uri', 'https://example.org/typed'], 'Typed by hand: marzipan.\n');
  await text(
    'the same text',
    ['--title', 'Typed', '--source-uri', 'https://example.org/typed'],
    'Typed by hand: marzipan.\n',
  );
  await text(
    'a text with front matter',
    ['--title', 'Ignored'],
    '---\ntitle: Own\ntags: [own]\n---\nOwn front matter.\n',
  );
  await text('front matter without a title', ['--title', 'Added'], '---\ntags: [untitled]\n---\nNo title.\n');
  await text('nothing', ['--title', 'Empty'], '');
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only'], { name: 'after additions' });
  await recorder.cli(world, 'search', ['search', 'marzipan', 'outside', '--source', 'external'], { human: true });
  await recorder.cli(world, 'list docs', ['list', 'docs', '--source', 'external'], { human: true });
  recorder.keep('ingest-file', 'the ignore file afterwards', readFileSync(world.at('notes', '.kebabignore'), 'utf8'));
}

/** Sources that disappear completely or by half. */
export async function recordDeletions(recorder, world) {
  const [code, away] = [world.at('code'), world.at('code-away')];
  renameSync(code, away);
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only'], { name: 'a source is away' });
  await recorder.human(world, 'ingest', ['ingest', '--source', 'code'], { name: 'only a source that is away' });
  await recorder.cli(world, 'search', ['search', 'store', '--source', 'code', '-k', '3'], {
    name: 'a source is away',
    human: true,
  });
  await recorder.cli(world, 'doctor', ['doctor'], { name: 'a source is away', human: true });
  renameSync(away, code);
  for (const name of ['snippets', 'tools', 'scripts', 'deploy']) rmSync(path.join(code, name), { recursive: true });
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only'], { name: 'most of a source is gone' });
  await recorder.human(world, 'ingest', ['ingest'], { name: 'most of a source is gone' });
  await recorder.cli(world, 'ingest', ['ingest', '--allow-mass-delete'], { name: 'most of a source may go' });
  writeFileSync(world.at('notes', '.gitignore'), '*.tmp\ncomputing/\n');
  await recorder.cli(world, 'ingest', ['ingest', '--summary-only'], { name: 'a folder is ignored now' });
  await recorder.cli(world, 'search', ['search', 'fortran', '-k', '2'], { name: 'a folder is ignored now' });
  await recorder.cli(world, 'reset', ['reset', '--orphans-only', '--yes'], { name: 'orphans' });
  await recorder.cli(world, 'search', ['search', 'fortran', '-k', '2'], { name: 'orphans are gone' });
  await recorder.human(world, 'reset', ['reset', '--orphans-only', '--yes'], { name: 'orphans, again' });
}

/** A first run of the program: configuration, folders, a search without either. */
export async function recordFirstSteps(recorder, world) {
  const fresh = world.with({ KEBAB_WORKSPACE_ROOT: undefined });
  await recorder.cli(fresh, 'init', ['init'], { name: 'first' });
  const file = world.at('home', 'config', 'kebab', 'config.toml');
  recorder.keep('init', 'the configuration file', readFileSync(file, 'utf8').split('\n'), 'help');
  await recorder.cli(fresh, 'init', ['init'], { name: 'again' });
  await recorder.human(fresh, 'init', ['init', '--force'], { name: 'by force' });
  await recorder.cli(fresh, 'search', ['search', 'memory'], { name: 'an empty knowledge base', human: true });
  await recorder.cli(fresh, 'ask', ['ask', 'memory?'], { name: 'an empty knowledge base', human: true });
  await recorder.cli(fresh, 'list docs', ['list', 'docs'], { name: 'an empty knowledge base', human: true });
  await recorder.cli(fresh, 'schema', ['schema'], { name: 'an empty knowledge base' });
  await recorder.cli(fresh, 'ingest', ['ingest'], { name: 'an empty folder' });
  await recorder.human(fresh, 'ingest', ['ingest'], { name: 'an empty folder' });
  mkdirSync(world.at('work', 'empty'));
  await recorder.cli(fresh, 'try', ['try', 'empty', 'memory'], { name: 'an empty folder', human: true });
}
