import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Area, Bench, Outcome } from '../harness/area.ts';
import { McpServer } from '../harness/mcp-server.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { DOCUMENTS, inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

/** Damage to a database, as SQL or an action. */
const DAMAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['documents', 'chunks', 'document_texts', 'document_blocks', 'document_tags', 'assets', 'chunks_fts_data', 'chunks_fts_idx', 'kv', 'schema_meta', 'migrations', 'seen_places', 'embedding_records', 'derivations', 'quarantine']
      .map((table) => [`no table ${table}`, `DROP TABLE IF EXISTS ${table}`]),
  ),
  'no full text': 'DROP TABLE IF EXISTS chunks_fts',
  'an empty full text': 'DELETE FROM chunks_fts_data',
  'segments of the full text that are zeros': 'UPDATE chunks_fts_data SET block = zeroblob(length(block)) WHERE id > 10',
  'segments of the full text that are short': 'UPDATE chunks_fts_data SET block = substr(block, 1, 3)',
  'spans that are no JSON': "UPDATE chunks SET source_spans_json = '[{'",
  'spans that are another JSON': "UPDATE chunks SET source_spans_json = '{\"a\":[null]}'",
  'headings that are no JSON': "UPDATE chunks SET heading_path_json = 'x'",
  'metadata that are no JSON': "UPDATE documents SET metadata_json = '{\"title\":'",
  'metadata that are a number': "UPDATE documents SET metadata_json = '7'",
  'blocks that are no JSON': "UPDATE document_blocks SET blocks_json = 'null'",
  'chunks beyond their text': 'UPDATE chunks SET text_start = text_start + 1000000, text_end = text_end + 1000000',
  'chunks that end before they begin': 'UPDATE chunks SET text_end = text_start - 1',
  'texts that are gone': 'DELETE FROM document_texts',
  'texts that are bytes': "UPDATE document_texts SET text = x'fffe00'",
  'facts that are rubbish': "UPDATE kv SET value = 'rubbish'",
  'times that are none': "UPDATE documents SET updated_at = 'yesterday', created_at = ''",
}; // prettier-ignore

/** Every command that opens the database; the writing ones come last. */
const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'wombat', '--json'],
  ['get', 'notes/tea.md', '--json'],
  ['list', 'docs', '--json'],
  ['list', 'tags', '--json'],
  ['cite', 'verify', 'notes/tea.md#L7', '--json'],
  ['inspect', 'doc', 'notes/tea.md', '--json'],
  ['fetch', 'uri', 'notes/tea.md#L7', '--json'],
  ['ask', 'how hot?', '--json'],
  ['status', '--json'],
  ['doctor', '--deep', '--json'],
  ['schema', '--json'],
  ['eval', 'list', '--json'],
  ['rm', 'list.txt', '--json'],
  ['ingest', '--json', '--quiet'],
];

const ENV = { ...LEXICAL, KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' };

/**
 * Damage inside a database, tried with every third command in turn: each fails with a code, and a repair makes everything searchable again.
 */
const DAMAGED: Area = {
  name: 'damaged databases',
  isLong: true,
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const data = path.join(home.folder, 'data');
      cpSync(data, `${home.folder}-whole`, { recursive: true });
      try {
        for (const [i, [name, sql]] of bench.pick([...Object.entries(DAMAGES).entries()])) {
          rmSync(data, { recursive: true });
          cpSync(`${home.folder}-whole`, data, { recursive: true });
          damage(home, sql);
          for (const line of COMMANDS.filter((_, at) => (at + i) % 3 === 0)) {
            const run = await watched(bench.cli.start(line, { home, env: ENV }), { deadlineMs: 30_000 });
            yield { name: `${name}, ${line.slice(0, 2).join(' ')}`, problem: problemOfRun(run) };
          }
          yield { name: `${name}, repaired`, problem: await afterRepair(bench, home) };
        }
      } finally {
        rmSync(`${home.folder}-whole`, { recursive: true, force: true });
      }
    }),
};

function damage(home: CliHome, sql: string): void {
  const db = new Sqlite(path.join(home.folder, 'data', 'kebab', 'kebab.sqlite'));
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  db.pragma('foreign_keys = OFF');
  db.exec(sql);
  db.close();
}

async function afterRepair({ cli }: Bench, home: CliHome): Promise<string | null> {
  for (const line of [
    ['repair', '--quiet'],
    ['ingest', '--quiet'],
  ]) {
    const run = await watched(cli.start(line, { home, env: ENV }), { deadlineMs: 30_000 });
    const problem = problemOfRun(run) ?? (run.code === 0 ? null : `ends with ${String(run.code)}: ${run.stderr}`);
    if (problem !== null) return `${line[0]}: ${problem}`;
  }
  const run = await watched(cli.start(['search', 'wombat', '--json', '-k', '20'], { home, env: ENV }));
  const lost = Object.keys(DOCUMENTS).filter((file) => !run.stdout.includes(JSON.stringify(file)));
  return problemOfRun(run) ?? (lost.length === 0 ? null : `not found any more: ${lost.join(', ')}`);
}

/** Things that replace an indexed file. */
const THINGS: Readonly<Record<string, (place: string) => void>> = {
  'nothing': () => undefined,
  'a pipe': (place) => void execFileSync('mkfifo', [place]),
  'a folder': (place) => mkdirSync(place),
  'a link to endless zeros': (place) => symlinkSync('/dev/zero', place),
  'a link to a terminal': (place) => symlinkSync('/dev/tty', place),
  'a link to standard input': (place) => symlinkSync('/dev/stdin', place),
  'a link to a page map': (place) => symlinkSync('/proc/self/pagemap', place),
  'a link to the memory of its process': (place) => symlinkSync('/proc/self/mem', place),
  'a link to the log of the kernel': (place) => symlinkSync('/proc/kmsg', place),
  'a link out of the root': (place) => symlinkSync('/etc/passwd', place),
  'a link to itself': (place) => symlinkSync(path.basename(place), place),
  'a file of 5 GB': (place) => {
    writeFileSync(place, '');
    truncateSync(place, 5 * 2 ** 30);
  },
}; // prettier-ignore

const PLACE = 'notes/tea.md';

/** Everything that reads the file of a document again: freshness, citations, lines. */
const SWAPPED: Area = {
  name: 'something else in the place of an indexed file',
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const env = { ...ENV, KEBAB_INDEXING_AUTO_REFRESH: 'off' };
      const server = new McpServer(bench.cli, home, env);
      const calls: readonly (readonly [tool: string, args: object])[] = [
        ['search', { query: 'wombat', k: 5 }],
        ['fetch', { uri: `${PLACE}#L7` }],
        ['verify_citation', { uri: `${PLACE}#L7`, content_hash: '0'.repeat(16) }],
        ['list_docs', {}],
        ['ingest_file', { path: PLACE }],
      ];
      try {
        for (const [thing, put] of bench.pick(Object.entries(THINGS))) {
          rmSync(path.join(home.workspace, PLACE), { recursive: true, force: true });
          put(path.join(home.workspace, PLACE));
          for (const [tool, args] of calls)
            yield { name: `${thing}, ${tool}`, problem: (await server.call(tool, args)).problem };
          for (const line of [
            ['cite', 'verify', `${PLACE}#L7`],
            ['get', `${PLACE}:7`],
            ['status'],
            ['ingest', '--quiet'],
          ]) {
            const run = await watched(bench.cli.start([...line, '--json'], { home, env }), { deadlineMs: 20_000 });
            yield { name: `${thing}, ${line[0]}`, problem: problemOfRun(run) };
          }
          rmSync(path.join(home.workspace, PLACE), { recursive: true, force: true });
          home.write(PLACE, DOCUMENTS[PLACE] ?? '');
          await watched(bench.cli.start(['ingest', '--quiet'], { home, env }));
        }
      } finally {
        server.close();
      }
    }),
};

/** Damage to the index, and to the files it was built from. */
export const DAMAGE_AREAS: readonly Area[] = [DAMAGED, SWAPPED];
