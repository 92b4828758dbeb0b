import type { ErrorV1 } from '@kebab/core/app';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_TOOLS } from '../src/kebab-surface.ts';
import type { JsonObject } from '../src/protocol/surface.ts';
import { initialize, request, type Called } from './fakes/call.ts';
import type { Connection, ReceivedResponse } from './fakes/connection.ts';
import { ingest, newHome, type TestHome } from './fakes/test-home.ts';

/** A longer run: KEBAB_HOSTILE_CALLS=3000, and other calls with another KEBAB_HOSTILE_SEED. */
const CALLS = Number(process.env['KEBAB_HOSTILE_CALLS'] ?? 300);
const MAX_ANSWER_CHARS = 200_000;

/** Numbers from 0 to 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = seeded(Number(process.env['KEBAB_HOSTILE_SEED'] ?? 1));

/** One of some values. */
function pick<T>(values: readonly T[]): T {
  const [value] = values.slice(Math.floor(random() * values.length));
  if (value === undefined) throw new RangeError('there is nothing to pick from');
  return value;
}

/** Cursors that earlier calls of any tool were given. */
const cursors: string[] = ['x'];

const TEXTS = [
  '',
  ' ',
  'tea',
  'tea.md',
  'tea.md#L1-L3',
  'garden/roses.md',
  'code/brew.py:1-2',
  'brew',
  '../../../../etc/passwd',
  '/etc/passwd',
  'garden/../../tea.md',
  'tea\u0000.md',
  '\u0000',
  '\u202e\u2066\ufeff',
  '\ud800',
  '찾기 😀 é',
  'x'.repeat(20_000),
  '('.repeat(300),
  '(a+)+$',
  '[',
  '**/{a,b,{c,d}}*',
  '!'.repeat(50),
  '{"a": 1}',
  '[1, null, "x"]',
  '[[[[[[',
  '{"query": {"query": "x"}}',
  'null',
  'true',
  '-1',
  '1e999',
  'NaN',
  '"" -"" +"" "',
  'AND OR NOT ( ) * ^ "',
  'kebab://doc/zz#L1',
  'kebab://chunk/../../x',
  'deadbeef',
  'f'.repeat(32),
  '2024-13-45',
  'lexical',
  'constructor',
  '__proto__',
];
const NUMBERS = [0, -1, 1, 3, 1.5, 1e9, 2 ** 53, -(2 ** 60), Number.MAX_VALUE];

function anyValue(depth = 0): unknown {
  const kind = random();
  if (kind < 0.4) return pick(TEXTS);
  if (kind < 0.5) return pick(cursors);
  if (kind < 0.7) return pick(NUMBERS);
  if (kind < 0.8) return pick([null, true, false]);
  if (depth > 3) return {};
  const count = pick([0, 1, 2, 120]);
  if (kind < 0.92) return Array.from({ length: count }, () => anyValue(depth + 1 + Math.floor(count / 100) * 3));
  return Object.fromEntries(Array.from({ length: pick([0, 1, 3]) }, () => [pick(TEXTS), anyValue(depth + 1)]));
}

/** A good call of each tool, which is then changed. */
const GOOD: Readonly<Record<string, JsonObject>> = {
  search: { query: 'green tea', k: 3, max_tokens: 300 },
  bulk_search: { queries: ['tea', { query: 'roses', k: 2 }] },
  grep: { pattern: 'tea', path_glob: ['**/*.md'] },
  ask: { question: 'How hot is green tea?' },
  fetch: { path: 'long.md', max_tokens: 50 },
  symbol: { name: 'brew' },
  list_docs: { limit: 5 },
  verify_citation: { uri: 'tea.md#L1-L3', content_hash: 'f'.repeat(64) },
  related: { uri: 'tea.md' },
  ingest_file: { path: 'tea.md' },
  ingest_stdin: { content: '# More tea\n', title: 'More' },
};

/** Arguments of a tool, some of them good, some of other tools, most of them odd. */
function hostileArguments({ name: tool, input }: (typeof ALL_TOOLS)[number]): unknown {
  if (random() < 0.03) return anyValue();
  const args: Record<string, unknown> = { ...GOOD[random() < 0.9 ? tool : pick(Object.keys(GOOD))] };
  for (let changes = pick([0, 1, 1, 2, 5]); changes > 0; changes--) {
    const name = pick([...Object.keys(input), pick(TEXTS)]);
    const values = input[name]?.kind === 'enum' ? input[name].values : TEXTS;
    if (name !== undefined) args[name] = random() < 0.7 ? anyValue() : pick<unknown>(values);
  }
  if ('cursor' in input && random() < 0.3) args['cursor'] = pick(cursors);
  return random() < 0.1 ? JSON.stringify(args) : args;
}

let home: TestHome;
let connection: Connection;

beforeAll(async () => {
  home = newHome({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' } });
  home.write('long.md', `# Long\n\n${'tea '.repeat(10_000)}\n`);
  for (let at = 0; at < 30; at++) home.write(`many/${at}.md`, `# Tea ${at}\n\nTea number ${at} is green.\n`);
  await ingest(home);
  connection = home.connection();
  await initialize(connection);
}, 60_000);

afterAll(() => home.close());

const TOOL_NAMES = new RegExp(`\\b(?:${ALL_TOOLS.map(({ name }) => name).join('|')})\\b`);
/** Hints that only the user can follow. */
const FOR_USER = /`kebab |the user|in the configuration/;

/** What is wrong with an answer; null for a result, or an error that says what to do. */
function faultOf({ input }: (typeof ALL_TOOLS)[number], { result, error }: ReceivedResponse): string | null {
  if (error !== undefined) return error.code === -32_602 ? null : `protocol error ${error.code}`;
  if (JSON.stringify(result).length > MAX_ANSWER_CHARS) return 'a long answer';
  const { content, structuredContent: object, isError } = result as unknown as Partial<Called>;
  if (typeof object?.['schema_version'] !== 'string' || content?.[0]?.type !== 'text') return 'no content';
  if (typeof object['next_cursor'] === 'string') cursors.push(object['next_cursor']);
  if (isError !== true) return null;
  const { code, message, hint } = object as unknown as ErrorV1;
  if (code === 'generic') return `generic: ${message}`;
  const isUseful = TOOL_NAMES.test(hint ?? '') || FOR_USER.test(hint ?? '');
  return isUseful || Object.keys(input).some((name) => hint?.includes(name)) ? null : `${message}; hint: ${hint}`;
}

it(`answers ${CALLS} hostile calls with a result, or an error that names a tool or an argument`, async () => {
  const bytesBefore = process.memoryUsage.rss();
  const faults: string[] = [];
  for (let at = 0; at < CALLS; at++) {
    const tool = pick(ALL_TOOLS);
    const args = hostileArguments(tool);
    const fault = faultOf(tool, await request(connection, 'tools/call', { name: tool.name, arguments: args }));
    const said = `${tool.name} ${JSON.stringify(args).slice(0, 500)}`;
    if (fault !== null) faults.push(`${said}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(cursors.length).toBeGreaterThan(1);
  expect((process.memoryUsage.rss() - bytesBefore) / 2 ** 20).toBeLessThan(400);
});
