import { toErrorV1, invalidInput, type App, type BulkSearchItem } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/src/wire/validate-wire.ts';
import { hit, responseOf } from '../examples/searches.ts';
import { runCommand } from '../fakes/run-command.ts';

/** Answers "x" with a hit, "y" with none, anything else with an error. */
function bulkApp() {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    async *bulkSearch(queries) {
      for (const query of queries) {
        asked.push(query);
        const text = typeof query === 'object' ? query.query : '';
        const base = { schema_version: 'bulk_search_item.v1', query: null } as const;
        if (text === 'x') yield { ...base, response: responseOf([hit]), error: null };
        else if (text === 'y') yield { ...base, response: responseOf([]), error: null };
        else yield { ...base, response: null, error: toErrorV1(invalidInput('no')) };
      }
    },
  };
  return { asked, app };
}

async function bulk(stdin: string, flags: readonly string[] = ['--json']) {
  const { asked, app } = bulkApp();
  const outcome = await runCommand(['search', '--bulk', ...flags], { app, stdin: [stdin] });
  return { asked, ...outcome };
}

describe('kebab search --bulk', () => {
  it('takes objects and strings, a line each, and answers a line each', async () => {
    const { code, asked, stdout, stderr } = await bulk('{"query":"x","k":2}\n\n"y"\n');
    expect(asked).toEqual([{ query: 'x', k: 2 }, { query: 'y' }]);
    const items = stdout.json.map((item): BulkSearchItem => parseWire('bulk_search_item', item));
    expect(items.map(({ query, response }) => [query, response?.hits.length])).toEqual([
      [{ query: 'x', k: 2 }, 1],
      [{ query: 'y' }, 0],
    ]);
    expect([code, stderr.text]).toEqual([0, '']);
  });

  it('lets flags hold for lines that do not say otherwise, and repeats each line as it came', async () => {
    const { asked, stdout } = await bulk('{"query":"x","k":2}\n"y"\n', ['--json', '--k', '5', '--tag', 'a']);
    expect(asked).toEqual([
      { k: 2, tag: ['a'], query: 'x' },
      { k: 5, tag: ['a'], query: 'y' },
    ]);
    expect(stdout.json).toMatchObject([{ query: { query: 'x', k: 2 } }, { query: { query: 'y' } }]);
  });

  it.each([
    ['"x"\n"y"', 0],
    ['"y"', 1],
    ['', 1],
    ['"x"\n"z"', 2],
    ['"x"\nno json', 2],
    ['[1]', 2],
  ])('for %j ends with %i', async (stdin, code) => {
    expect((await bulk(stdin)).code).toBe(code);
  });

  it('repeats null for a line that is no query', async () => {
    expect((await bulk('no json')).stdout.json).toMatchObject([{ query: null, error: { code: 'invalid_input' } }]);
  });

  it('shows people each query with its hits, and a summary on stderr', async () => {
    const { stdout, stderr } = await bulk('"x"\n"z"', []);
    expect(stdout.text).toMatch(/^» x\n1\. 0\.82 {2}notes/);
    expect(stdout.text).toContain('» z\nerror: no\n');
    expect(stderr.text).toBe('bulk_summary: total=2 succeeded=1 failed=1\n');
  });

  it('takes no query from the command line', async () => {
    const { code, stderr } = await bulk('"x"', ['--json', 'words']);
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { field: 'QUERY' } }]]);
  });
});
