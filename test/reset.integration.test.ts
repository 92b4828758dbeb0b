import { existsSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cliHere } from '../host-cli/test/fakes/cli-here.ts';

const cli = cliHere();
afterAll(() => cli.remove());

describe('kebab reset', { timeout: 60_000 }, () => {
  it('refuses scopes that keep a database of another version of kebab, but removes such a database', async () => {
    const home = cli.newHome();
    home.write('a.md', '# A\n');
    const database = path.join(home.folder, 'data', 'kebab', 'kebab.sqlite');
    for (const schema of [4, 99]) {
      expect((await cli.run(['ingest', '--quiet'], { home })).code).toBe(0);
      const db = new Sqlite(database);
      db.prepare("UPDATE schema_meta SET value = ? WHERE key = 'schema_version'").run(String(schema));
      db.close();
      for (const scope of ['--orphans-only', '--vector-only']) {
        const { code, stderr } = await cli.run(['reset', scope, '--yes', '--json'], { home });
        expect([code, JSON.parse(stderr)]).toMatchObject([
          2,
          { code: 'not_indexed', details: { found: `schema ${schema}` } },
        ]);
      }
      expect(await cli.run(['reset', '--yes'], { home })).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(database)).toBe(false);
    }
  });
});
