import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, type CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';
import { lines, makePdf } from '../plugins/pdf/test/make-pdf.ts';

/** Made-up secrets, assembled here so that no scanner mistakes them for real ones. */
const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
const ADDRESS = ['https://someone', 'passw0rd12@example.com'].join(':');
const NOTE = `---\ntitle: Deploying ${TOKEN}\ntags: [ops]\n---\n# Deploying\n\nThe wombat signs in with ${TOKEN} today.\n\nIt calls ${ADDRESS}/x then.\n`;
const PROGRAM = `def sign_in():\n    """The wombat signs in."""\n    return "${TOKEN}"\n`;

const cli = cliHere();
let home: CliHome;

beforeAll(newHome);
afterAll(() => cli.remove());

const env = (secrets: string) => ({ KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_INDEXING_SECRETS: secrets });

async function run(secrets: string, ...line: readonly string[]) {
  return cli.run([...line, '--json'], { home, env: env(secrets) });
}

async function ingest(secrets: string) {
  const { code, stdout, stderr } = await run(secrets, 'ingest', '--quiet');
  expect([code, stderr]).toEqual([0, '']);
  return jsonLines(stdout).at(-1);
}

/** Everything that is stored, as one text. */
function stored(): string {
  const db = new Sqlite(path.join(home.folder, 'data', 'kebab', 'kebab.sqlite'), { readonly: true });
  try {
    const texts = db.prepare('SELECT text FROM document_texts ORDER BY doc_seq, start').pluck().all();
    const documents = db.prepare('SELECT title, metadata_json, provenance_json FROM documents').all();
    const chunks = db.prepare('SELECT heading_path_json, section_label FROM chunks').all();
    const blocks = db.prepare('SELECT blocks_json FROM document_blocks').pluck().all();
    return JSON.stringify([texts, documents, chunks, blocks]);
  } finally {
    db.close();
  }
}

function newHome(): void {
  home = cli.newHome();
  mkdirSync(home.workspace);
  home.write('deploy.md', NOTE);
  home.write('sign_in.py', PROGRAM);
  home.write(
    'paper.pdf',
    makePdf({ pages: [{ texts: lines([`The wombat pays with ${TOKEN} here.`], { x: 72, y: 700 }) }] }),
  );
  home.write('tea.md', '# Tea\n\nThe wombat steeps tea at eighty degrees.\n');
}

// Each test continues with the index that the one before has left.
describe('secrets in documents', { timeout: 120_000 }, () => {
  it('are indexed like any text by default', async () => {
    expect(await ingest('allow')).toMatchObject({ new: 4, skipped: 0 });
    expect(stored().split(TOKEN).length).toBeGreaterThan(3);
    const { stdout } = await run('allow', 'doctor');
    expect(stdout).toContain('not looked for');
  });

  it('are blanked by `redact` in Markdown, code and PDF, and every place is reported', async () => {
    expect(await ingest('redact')).toMatchObject({ updated: 4 });
    expect(await ingest('redact')).toMatchObject({ unchanged: 4 });
    expect(stored()).not.toContain(TOKEN);
    expect(stored()).not.toContain('passw0rd12');
    const shown = await run('redact', 'get', 'deploy.md');
    const blanked = NOTE.replaceAll(TOKEN, '*'.repeat(TOKEN.length)).replace(ADDRESS, '*'.repeat(ADDRESS.length));
    expect(JSON.parse(shown.stdout)).toMatchObject({ text: blanked });
    const found = await run('redact', 'search', 'wombat signs in today', '--media', 'markdown');
    const [hit] = (JSON.parse(found.stdout) as { hits: readonly { citation: { uri: string; content_hash: string } }[] })
      .hits;
    expect(hit?.citation.uri).toContain('deploy.md#L');
    const check = await run(
      'redact',
      'cite',
      'verify',
      hit?.citation.uri ?? '',
      '--hash',
      hit?.citation.content_hash ?? '',
    );
    expect(JSON.parse(check.stdout)).toMatchObject({ status: 'exact', freshness: 'fresh' });
    const { stdout } = await run('redact', 'doctor');
    expect(stdout).toContain('3 documents with some');
  });

  it('come back with `allow`', async () => {
    expect(await ingest('allow')).toMatchObject({ updated: 4 });
    expect(stored()).toContain(TOKEN);
  });

  it('exclude their files with `skip`, which counts them and removes them from the index', async () => {
    expect(await ingest('skip')).toMatchObject({ skipped_secrets: 3, purged: 3, updated: 1 });
    expect(await ingest('skip')).toMatchObject({ skipped_secrets: 3, purged: 0, unchanged: 1 });
    expect(stored()).not.toContain(TOKEN);
    const { stdout } = await cli.run(['ingest'], { home, env: env('skip') });
    expect(stdout).toContain('with secrets 3');
  });
});
