// Finding passages: every query in every mode, filters, pages, budgets, explanations.
import { FILTERED, QUERIES, REFUSED, SHAPED } from '../queries.mjs';

const MODES = ['lexical', 'vector', 'hybrid'];
const HUMAN = ['memory', '"byte order mark"', 'compute_mrr', '한국', 'zyzzyva', 'lorem ipsum', 'tags rust'];

const bulkInput = (queries) => queries.map((query) => `${JSON.stringify(query)}\n`).join('');
const responseOf = (lines) => lines.find((line) => line?.schema_version === 'search_response.v1');

/** Runs queries a hundred at a time and records each answer under its own name. Returns the hits. */
export async function searchInBulk(recorder, world, queries, { prefix = '' } = {}) {
  const hits = [];
  for (let from = 0; from < queries.length; from += 100) {
    const part = queries.slice(from, from + 100);
    const { stdout } = await world.run(['search', '--bulk', '--json'], { stdin: bulkInput(part) });
    const items = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    for (const [i, query] of part.entries()) {
      recorder.keep('search', `${prefix}bulk ${JSON.stringify(query)}`, items[i] ?? 'no answer');
      hits.push(...(items[i]?.response?.hits ?? []));
    }
  }
  return hits;
}

/** All searches over one knowledge base. Returns the hits of the queries. */
export async function recordSearches(recorder, world) {
  const everyMode = QUERIES.flatMap((query) => MODES.map((mode) => ({ query, mode })));
  const filtered = FILTERED.flatMap((request) => ['lexical', 'hybrid'].map((mode) => ({ ...request, mode })));
  const shaped = SHAPED.flatMap((request) => MODES.map((mode) => ({ ...request, mode })));
  const [hits] = await Promise.all([
    searchInBulk(recorder, world, everyMode),
    searchInBulk(recorder, world, [...filtered, ...shaped, ...REFUSED]),
  ]);
  await Promise.all([
    ...HUMAN.map((query) => recorder.cli(world, 'search', ['search', query], { human: true })),
    ...MODES.map((mode) =>
      recorder.cli(world, 'search', ['search', 'exception', 'handler', '--mode', mode, '--explain', '-k', '3'], {
        human: true,
      }),
    ),
    ...flagLines().map((flags) => recorder.cli(world, 'search', ['search', ...flags])),
    ...bulkLines().map(({ name, stdin }) =>
      recorder.cli(world, 'search', ['search', '--bulk'], { name: `bulk of ${name}`, stdin, human: true }),
    ),
    recordPages(recorder, world, { query: 'memory', mode: 'lexical' }),
    recordPages(recorder, world, { query: 'exception handling', mode: 'hybrid' }),
  ]);
  return hits;
}

/** Flags as they are typed: repeated, with commas, with `=`, short. */
function flagLines() {
  return [
    ['memory', '--media', 'md,txt', '--lang', 'en', '-k3'],
    ['memory', '--media=md', '--media', 'txt', '--k=2'],
    ['return', '--code-lang', 'rust,python', '--source', 'code', '-k', '4'],
    ['notes', '--source-type', 'code', '--path-glob', '**/*.rs', '--path-glob', '**/*.java'],
    ['keys', '--tag', 'rust', '--trust-min', 'generated'],
    ['store', '--repo', 'samples', '--no-cache', '-k', '2'],
    ['memory', '--max-tokens', '500', '--snippet-chars', '80'],
    ['memory', '--ingested-after', '2020-01-01', '-k', '1'],
    ['memory', '--quiet', '-k', '1'],
    ['memory', '--readonly', '-k', '1'],
    ['byte', 'order', 'mark', '-k', '2'],
    ['memory', '--expect', 'odd/bom.md#L3', '-k', '2'],
    ['byte order mark', '--expect', 'odd/bom.md#L3', '-k', '2'],
    ['memory', '--expect', 'nowhere.md#L3', '-k', '2'],
  ];
}

function bulkLines() {
  return [
    { name: 'strings and objects', stdin: '"memory"\n{"query":"byte order mark","k":2}\n' },
    { name: 'a broken line', stdin: '{"query":"memory","k":1}\n{broken\n\n"x"\n' },
    { name: 'nothing found', stdin: '"zyzzyva"\n' },
    { name: 'nothing', stdin: '' },
    { name: 'more than a hundred', stdin: '"memory"\n'.repeat(101) },
    { name: 'a list', stdin: '["memory"]\n' },
  ];
}

/** Follows the cursor of a search for some pages, with pages of different sizes. */
async function recordPages(recorder, world, { query, mode }) {
  let cursor = null;
  for (const [page, k] of [3, 5, 2, 10].entries()) {
    const args = ['search', query, '--mode', mode, '-k', String(k), ...(cursor === null ? [] : ['--cursor', cursor])];
    const name = `${query} ${mode}, page ${page + 1}`;
    const response = responseOf(await recorder.cli(world, 'search', args, { name, human: page === 1 }));
    cursor = response?.next_cursor ?? null;
    if (cursor === null) return;
  }
  await recorder.cli(world, 'search', ['search', 'another query', '--cursor', cursor], {
    name: `${query} ${mode}, the cursor with another query`,
  });
}

/** A cursor from before a change of the index, used after it. */
export async function cursorOf(world, query) {
  const { stdout } = await world.run(['search', query, '-k', '2', '--json']);
  return responseOf([JSON.parse(stdout.split('\n')[0] || '{}')])?.next_cursor ?? 'none';
}
