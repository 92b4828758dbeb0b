import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toErrorV1, invalidInput, type App, type BulkSearchItem, type SearchResponse } from '@kebab/core/app';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { commitResult, configView, hit, lexicalHit, responseOf } from '../examples.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

type Asked = Parameters<App['search']>;

function searching(response: SearchResponse, total = 5) {
  const asked: Asked[] = [];
  const app: Partial<App> = {
    search: async (...call: Asked) => {
      asked.push(call);
      return response;
    },
    configView: async () => configView,
    listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total, next_cursor: null }),
  };
  return { asked, app };
}

async function search(line: readonly string[], response: SearchResponse, test: CommandTest = {}) {
  const { asked, app } = searching(response);
  return { asked, ...(await runCommand(['search', ...line], { app, ...test })) };
}

describe('kebab search --commits', () => {
  const looking = (result = commitResult) => {
    const asked: unknown[] = [];
    const app: Partial<App> = {
      searchCommits: async (request) => {
        asked.push(request);
        return result;
      },
    };
    return { asked, app };
  };

  it('asks for the last commits with the filters that they have', async () => {
    const { asked, app } = looking();
    await runCommand(['search', '--commits', '200', '-k', '3', '--source', 'work', '--since', '2w', 'two', 'words'], {
      app,
    });
    expect(asked).toEqual([{ query: 'two words', commits: 200, k: 3, source: ['work'], since: '2w' }]);
  });

  it('prints each commit, and below it its lines', async () => {
    const { code, stdout } = await runCommand(['search', '--commits', '200', 'gauge'], looking());
    expect(code).toBe(0);
    expect(stdout.text.split('\n')).toEqual([
      '1 commit of 200 searched, as far as time allowed',
      '3f2a1b9c3f2a 2026-03-01 Kim: Read the gauge twice',
      '  The first reading is stale.',
      '  widgets:src/gauge.py:12:-return read()',
      '  widgets:src/gauge.py:13:+return read_twice()',
      '  (+3 more lines)',
      '',
    ]);
  });

  it('ends with 1 where nothing is found, and refuses flags that commits have no use for', async () => {
    const { app } = looking({ schema_version: 'commit_result.v1', commits: [], searched: [] });
    expect((await runCommand(['search', '--commits', '9', 'gauge'], { app })).code).toBe(1);
    const { code, stderr } = await runCommand(['search', '--commits', '9', '--tag', 'work', 'gauge'], { app });
    expect([code, stderr.text]).toEqual([2, expect.stringContaining('--tag does not go with --commits')]);
  });
});

describe('kebab search', () => {
  it('passes its flags and the query to the App', async () => {
    const filters = ['--tag', 'a', '--media', 'md,code', '--path-glob', 'notes/**', '--trust-min', 'secondary'];
    const flags = ['-k', '3', '--mode', 'lexical', '--max-tokens', '500', '--snippet-chars', '60', '--cursor', 'c'];
    const { asked } = await search([...filters, ...flags, '--explain', '--no-cache', 'two', 'words'], responseOf([]));
    expect(asked[0]).toMatchObject([
      {
        text: 'two words',
        k: 3,
        mode: 'lexical',
        filters: { tag: ['a'], media: ['markdown', 'code'], pathGlob: ['notes/**'], trustMin: 'secondary' },
      },
      { maxTokens: 500, snippetChars: 60, cursor: 'c', explain: true, cache: false },
    ]);
  });

  it('accepts a path as the document to search', async () => {
    const { asked, app } = searching(responseOf([]));
    const id = '1'.repeat(32);
    await runCommand(['search', 'x', '--doc-id', 'a.md'], { app: { ...app, resolveId: async () => id } });
    expect(asked[0]?.[0]).toMatchObject({ filters: { docId: [id] } });
  });

  it('names on stderr the files that could not be searched, with the reason and the remedy', async () => {
    const file = {
      source_id: 'work',
      doc_path: 'plan.docx',
      why: 'no plugin reads it',
      remedy: 'kebab plugin install docx',
    };
    for (const hits of [[], [hit]]) {
      const { stderr } = await search(['plan'], { ...responseOf(hits), unread: [file] });
      expect(stderr.text).toContain(
        'notice: not searched: work:plan.docx: no plugin reads it — kebab plugin install docx\n',
      );
    }
  });

  it('passes only given flags to the App', async () => {
    const { asked } = await search(['x'], responseOf([hit]));
    expect(asked[0]?.[0]).toEqual({ filters: {}, text: 'x' });
  });

  it('reports once a day that a large folder was not checked completely, and changed files every time', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'kebab-state-'));
    onTestFinished(() => rmSync(state, { recursive: true, force: true }));
    const noted = async (changed: number, hint: string): Promise<string> => {
      const index = { changed, refreshed: 0, reason: 'budget', hint } as const;
      const environment = { env: { XDG_STATE_HOME: state } };
      return (await search(['x'], responseOf([hit], { index }), environment)).stderr.text;
    };
    expect([await noted(0, '7 of 9 files'), await noted(0, '8 of 9 files')]).toEqual(['notice: 7 of 9 files\n', '']);
    const changed = 'notice: 2 files changed since the last ingest: kebab ingest\n';
    expect([await noted(2, 'kebab ingest'), await noted(2, 'kebab ingest')]).toEqual([changed, changed]);
  });

  it('prints the truncation note with the cursor on stderr', async () => {
    const cut = await search(['x'], responseOf([hit], { truncated: true, next_cursor: 'eyJ2IjoxfQ' }));
    expect(cut.stderr.text).toBe('[truncated; use --cursor eyJ2IjoxfQ for the next page]\n');
    const short = await search(['x'], responseOf([hit], { truncated: true }));
    expect(short.stderr.text).toBe('[truncated; widen --max-tokens for fuller text]\n');
  });

  it('prints one notice for a degraded search on stderr', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    const { stderr } = await search(['x'], responseOf([lexicalHit], { degraded }));
    expect(stderr.text).toBe(
      'notice: vector search off (model_not_pulled); lexical results only — kebab models pull\n',
    );
  });

  it('prints no notice about vectors if the configuration switches them off', async () => {
    const degraded = [{ stage: 'vector', reason: 'provider_none', hint: 'name one' }] as const;
    const { app } = searching(responseOf([lexicalHit], { degraded }));
    const configured = (value: string): Partial<App> => {
      const entry = { key: 'models.embedding.provider', value, origin: 'env' } as const;
      return { ...app, configView: async () => ({ schema_version: 'config_view.v1', entries: [entry] }) as never };
    };
    expect((await runCommand(['search', 'x'], { app: configured('none') })).stderr.text).toBe('');
    expect((await runCommand(['search', 'x'], { app: configured('mine') })).stderr.text).toContain('provider_none');
  });

  it('wraps notices at spaces on a terminal, but not commands', async () => {
    const notices = [{ text: 'AND', hint: 'word '.repeat(20).trim() }];
    const suggestions = { query: 'word '.repeat(20).trim(), words: [], filters: [] };
    const { app } = searching(responseOf([], { notices, suggestions }));
    const { stderr } = await runCommand(['search', 'x'], { app, columns: 40 });
    const lines = stderr.text.trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 40)).toEqual([expect.stringContaining('did you mean: kebab search')]);
    expect(lines.length).toBeGreaterThan(3);
  });

  it('reports hits without text, and how to get their text', async () => {
    const unread = { ...hit, snippet: '', unread: 'kebab config set pdf.ocr auto, then kebab ingest' };
    const { stderr } = await search(['x'], responseOf([unread, { ...unread, doc_path: 'b.pdf' }, hit]));
    expect(stderr.text).toBe(
      `notice: found by name, without text: ${hit.doc_path}, b.pdf — kebab config set pdf.ocr auto, then kebab ingest\n`,
    );
  });

  it('reports operators of the query that were read as words', async () => {
    const notices = [{ text: 'AND', hint: '+word demands one' }];
    const { stderr } = await search(['x AND y'], responseOf([hit], { notices }));
    expect(stderr.text).toBe('notice: "AND" is read as words: +word demands one\n');
  });

  it('prints the probably intended command, with the typed flags', async () => {
    const words = [{ word: 'backof', nearest: ['backoff', 'back'] }];
    const tag = { filter: 'tag', value: 'planing', nearest: 'planning', known: ['planning', 'work'] } as const;
    const suggestions = { query: "it's backoff", words, filters: [tag] };
    const line = ["it's backof", '-k', '3', '--tag', '#planing', '--mode', 'lexical', '--explain'];
    const { stdout, stderr } = await search(line, responseOf([], { suggestions }));
    expect(stdout.text).toMatch(/^no hits\n/);
    expect(stderr.text).toBe(
      [
        'no document has tag "planing" — did you mean planning? there is: work',
        String.raw`did you mean: kebab search 'it'\''s backoff' --mode lexical -k 3 --explain --tag planning`,
        'near to "backof": backoff, back',
        '',
      ].join('\n'),
    );
    const hopeless = { query: null, words: [], filters: [{ ...tag, nearest: null }] };
    const other = await search(['x', '--tag', 'planing'], responseOf([], { suggestions: hopeless }));
    expect(other.stderr.text).toBe('no document has tag "planing"; there is: planning, work\n');
    const quoted = await search(['"a b"'], responseOf([], { suggestions: { query: 'a b', words: [], filters: [] } }));
    expect(quoted.stderr.text).toBe(
      "no passage holds the words of the phrase in a row\ndid you mean: kebab search 'a b'\n",
    );
    const glob = { filter: 'path_glob', value: '[', nearest: null, known: ['tea/'] } as const;
    const paths = await search(['x'], responseOf([], { suggestions: { query: null, words: [], filters: [glob] } }));
    expect(paths.stderr.text).toBe('no document has a path that matches "["; there is: tea/\n');
  });

  it('reports on stderr which requirements of the query were dropped', async () => {
    const relaxed = { phrases: ['in the sea'], excluded: ['salt', 'sand'] };
    const { stderr } = await search(['x'], responseOf([lexicalHit], { relaxed }));
    expect(stderr.text).toBe(
      'notice: query relaxed: passages without "in the sea" are listed too; insist with +"…"; every passage found holds what was excluded: "salt", "sand"\n',
    );
  });

  it('says what to do when the knowledge base is empty', async () => {
    const { app } = searching(responseOf([]), 0);
    const { stdout, stderr } = await runCommand(['search', 'x'], { app });
    expect(stdout.text).toBe('no hits\n0 hits  lexical  index v1.2  bm25\n');
    expect(stderr.text).toBe('notice: the knowledge base is empty — run kebab ingest\n');
  });

  it('says that it only searched the project when that has nothing', async () => {
    const { app } = searching(responseOf([]), 1);
    const files = ['/home/ada/.config/kebab/config.toml', '/p/.kebab/config.toml'];
    const paths = { project: '/p', config_files: files.map((file) => ({ path: file, trusted: true, exists: true })) };
    const inProject = { ...app, configPaths: async () => paths } as unknown as Partial<App>;
    const { stderr } = await runCommand(['search', 'x'], { app: inProject });
    expect(stderr.text).toContain('only the project /p was searched; --config /home/ada/.config/kebab/config.toml');
  });

  it('prints the response unchanged with --json, and nothing on stderr', async () => {
    const response = responseOf([hit], { truncated: true, next_cursor: 'c' });
    const { stdout, stderr } = await search(['--json', 'x'], response);
    expect([stdout.json, stderr.text]).toEqual([[response], '']);
  });

  it('rejects a value outside a closed set before anything is opened', async () => {
    const { code, opened, stderr } = await search(['--media', 'film', '--json', 'x'], responseOf([]));
    expect([code, opened.length]).toEqual([2, 0]);
    expect(stderr.json[0]).toMatchObject({ code: 'invalid_input', details: { field: 'media' } });
  });
});

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
  it('reads an object or string per line, and prints one item per line', async () => {
    const { code, asked, stdout, stderr } = await bulk('{"query":"x","k":2}\n\n"y"\n');
    expect(asked).toEqual([{ query: 'x', k: 2 }, { query: 'y' }]);
    const items = stdout.json.map((item): BulkSearchItem => parseWire('bulk_search_item', item));
    expect(items.map(({ query, response }) => [query, response?.hits.length])).toEqual([
      [{ query: 'x', k: 2 }, 1],
      [{ query: 'y' }, 0],
    ]);
    expect([code, stderr.text]).toEqual([0, '']);
  });

  it('answers a line that is nested too deeply to be serialised, without echoing it', async () => {
    const { stdout } = await bulk(`{"query":"z","tag":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n"x"\n`);
    expect(stdout.json).toMatchObject([{ query: null, error: { code: 'invalid_input' } }, { query: { query: 'x' } }]);
  });

  it('uses flags as defaults for lines, and echoes each line unchanged', async () => {
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
  ])('with the lines %j exits with %i', async (stdin, code) => {
    expect((await bulk(stdin)).code).toBe(code);
  });

  it('echoes null for a line that is not a query', async () => {
    expect((await bulk('no json')).stdout.json).toMatchObject([{ query: null, error: { code: 'invalid_input' } }]);
  });

  it('shows people each query with its hits, and a summary on stderr', async () => {
    const { stdout, stderr } = await bulk('"x"\n"z"', []);
    expect(stdout.text).toMatch(/^» x\n1\. 0\.82 {2}notes/);
    expect(stdout.text).toContain('» z\nerror: no\n');
    expect(stderr.text).toBe('bulk_summary: total=2 succeeded=1 failed=1\n');
  });

  it('shows people a line that is not a query as typed, shortened', async () => {
    const { stdout } = await bulk(`no json\n[${'1,'.repeat(100)}1]`, []);
    expect(stdout.text).toContain('» no json\nerror: no\n');
    expect(stdout.text).toMatch(/» \[1,1,1.{90,95}…\nerror: no\n/);
  });

  it('rejects a query on the command line', async () => {
    const { code, stderr } = await bulk('"x"', ['--json', 'words']);
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { field: 'QUERY' } }]]);
  });
});
