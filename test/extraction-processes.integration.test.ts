import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IngestReport, OpenAppOptions } from '@kebab/core/app';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const present = existsSync(data);
const SAMPLE = 25;
/** The plugins that process files of the sample, which are ingested once more with these as third-party plugins. */
const PLUGINS = ['md', 'code-typescript'];
/** Columns that depend on the time or on the run. */
const TIMES = new Set(['committed_at', 'indexed_at', 'discovered_at', 'provenance_json']);
const TABLES = ['assets', 'documents', 'document_texts', 'document_blocks', 'document_tags', 'chunks', 'full_text'];

/** The rows of every table that an ingest fills, with documents and chunks in the order of their numbers. */
function rowsIn(database: string): Readonly<Record<string, unknown>> {
  const db = new Database(database);
  try {
    // The full text as terms and positions: the number of batches that documents were written in does not affect the results.
    db.exec("CREATE VIRTUAL TABLE temp.full_text USING fts5vocab('main', 'chunks_fts', 'instance')");
    return Object.fromEntries(
      TABLES.map((table) => {
        const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
        return [table, rows.map((row) => Object.entries(row).filter(([name]) => !TIMES.has(name)))];
      }),
    );
  } finally {
    db.close();
  }
}

interface Example {
  readonly markdown: string;
}

function jsonIn(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes a built-in plugin as a third-party package, whose code runs in a process of its own; returns its folder. */
function thirdParty(name: string, folder: string): string {
  const own = new URL(`../plugins/${name}/`, import.meta.url);
  const { kebab } = jsonIn(fileURLToPath(new URL('package.json', own))) as { readonly kebab: object };
  const place = path.join(folder, 'plugins', name);
  mkdirSync(place, { recursive: true });
  const packageJson = { name: `third-party-${name}`, version: '0.1.0', type: 'module', exports: './index.mjs', kebab };
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(packageJson));
  const code = new URL('src/index.ts', own).href;
  writeFileSync(path.join(place, 'index.mjs'), `export { default } from '${code}';\n`);
  return place;
}

/** Writes some documents of each evaluation corpus, each as a file of its own, and the examples of CommonMark. */
function writeCorpora(root: string): void {
  for (const corpus of readdirSync(data).filter((name) => existsSync(path.join(data, name, 'corpus.jsonl')))) {
    mkdirSync(path.join(root, corpus), { recursive: true });
    const lines = readFileSync(path.join(data, corpus, 'corpus.jsonl'), 'utf8')
      .split('\n')
      .slice(0, SAMPLE);
    for (const line of lines.filter((one) => one !== '')) {
      const { _id: id = '', title = '', text = '' } = JSON.parse(line) as Record<string, string>;
      writeFileSync(path.join(root, corpus, `${id.replaceAll(/\W/g, '_')}.md`), `# ${title}\n\n${text}\n`);
    }
  }
  const examples = path.join(data, 'commonmark', 'spec.json');
  for (const [n, { markdown }] of (existsSync(examples) ? (jsonIn(examples) as readonly Example[]) : []).entries())
    writeFileSync(path.join(root, `example-${n}.md`), markdown);
  const archive = path.join(data, 'md5k', 'md5k.tar.gz');
  if (existsSync(archive)) {
    const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
    const markdown = names.filter((name) => name.endsWith('.md'));
    const chosen = markdown.filter((_, n) => n % Math.ceil(markdown.length / SAMPLE) === 0);
    execFileSync('tar', ['-xzf', archive, '-C', root, ...chosen]);
  }
}

describe.skipIf(!present)(
  `extraction processes on real files${present ? '' : ' (skipped: ../shared/data is not there)'}`,
  { timeout: 600_000 },
  () => {
    const home = new UserHome();
    const folder = present ? home.folder : '';
    const root = path.join(folder, 'KnowledgeBase');

    const ingest = (name: string, more: Partial<OpenAppOptions>): Promise<IngestReport> =>
      home.run(
        (app) => app.ingest(),
        { ...process.env, KEBAB_STORAGE_DATA_DIR: path.join(folder, name), KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' },
        more,
      );

    beforeAll(() => {
      mkdirSync(root, { recursive: true });
      const own = fileURLToPath(new URL('../core/src/extraction/', import.meta.url));
      for (const name of readdirSync(own).filter((file) => file.endsWith('.ts')))
        copyFileSync(path.join(own, name), path.join(root, name));
      writeFileSync(path.join(root, 'long.md'), `# Long\n\n${'words of a long text\n\n'.repeat(5000)}`);
      writeCorpora(root);
    });

    afterAll(() => home.remove());

    it('produce the same rows in every table as the calling thread, and so do third-party plugins', async () => {
      const here = await ingest('here', {});
      expect(here.new).toBeGreaterThan(50);
      const worker = new URL('../host-cli/src/extraction-worker.ts', import.meta.url);
      const rows = rowsIn(path.join(folder, 'here', 'kebab.sqlite'));
      for (const [name, more] of [
        ['there', { extractionWorkerUrl: worker }],
        ['third-party', { flags: { plugins: PLUGINS.map((plugin) => thirdParty(plugin, folder)) } }],
      ] satisfies [string, Partial<OpenAppOptions>][]) {
        expect(await ingest(name, more)).toMatchObject({ new: here.new, errors: 0, skipped: here.skipped });
        const others = rowsIn(path.join(folder, name, 'kebab.sqlite'));
        for (const table of TABLES) expect(others[table], `${table}, ${name}`).toEqual(rows[table]);
      }
    });
  },
);
