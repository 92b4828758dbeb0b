import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';

const cli = cliHere();

afterAll(() => cli.remove());

const databaseOf = (home: CliHome): string => path.join(home.folder, 'data', 'kebab', 'kebab.sqlite');

/** A home whose knowledge base holds a few documents. */
async function ingested(): Promise<CliHome> {
  const home = cli.newHome();
  for (let n = 0; n < 30; n++) home.write(`note-${n}.md`, `# Note ${n}\n\nabout alpha and beta\n`);
  const run = await cli.run(['ingest', '--quiet'], { home });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return home;
}

/** The JSON error of a failing command. */
async function failureOf(home: CliHome, line: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stderr } = await cli.run([...line, '--json'], { home, env });
  return { exit: code, ...(JSON.parse(stderr) as { code: string; message: string; hint: string; details: object }) };
}

describe('kebab meets', { timeout: 60_000 }, () => {
  it('a database of a newer kebab: not_indexed, and leaves it as it is', async () => {
    const home = await ingested();
    const db = new Sqlite(databaseOf(home));
    db.exec("UPDATE schema_meta SET value = '99'; INSERT INTO migrations VALUES (99, 'later', 'future', 'x')");
    db.close();
    const before = readFileSync(databaseOf(home));
    const folder = path.join(home.folder, 'more');
    mkdirSync(folder);
    const lines = [
      ['search', 'alpha'],
      ['ingest'],
      ['list', 'sources'],
      ['add', folder],
      ['sessions', 'list'],
      ['remove', 'default', '--yes'],
    ];
    for (const line of lines)
      expect(await failureOf(home, line), line.join(' ')).toMatchObject({
        exit: 2,
        code: 'not_indexed',
        details: { found: 'schema 99' },
      });
    expect(readFileSync(databaseOf(home)).equals(before)).toBe(true);
  });

  it('a file that is no database in its place: io_error, and a reset refuses to touch it', async () => {
    const home = await ingested();
    rmSync(databaseOf(home));
    writeFileSync(databaseOf(home), 'somebody put this here\n'.repeat(400));
    expect(await failureOf(home, ['ingest'])).toMatchObject({
      exit: 2,
      code: 'io_error',
      hint: `move ${databaseOf(home)} away, then build the index again with \`kebab ingest\``,
    });
    expect(await failureOf(home, ['reset', '--yes'])).toMatchObject({ exit: 2, code: 'io_error' });
    expect(existsSync(databaseOf(home))).toBe(true);
  });

  it('a folder with nothing to ingest: says so, and where to look', async () => {
    const home = cli.newHome();
    home.write('program.exe', 'nothing');
    const { code, stdout } = await cli.run(['ingest'], { home });
    expect(code).toBe(0);
    expect(stdout).toContain('no documents found');
    expect(stdout).not.toContain('kebab search');
  });
});
