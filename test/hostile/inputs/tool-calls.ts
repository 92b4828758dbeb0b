import type { Area, Outcome } from '../harness/area.ts';
import { McpServer } from '../harness/mcp-server.ts';
import { inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

/** One tool call with hostile arguments. */
interface Call {
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
}

/** Texts with a meaning to some interpreter: SQL, full text, globs, regular expressions, shells, paths, terminals. */
const TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  'a space': ' ',
  'a quote': '"',
  'an apostrophe': "'",
  'an open phrase': '"wombat tea',
  'a thousand quotes': '"'.repeat(1000),
  'only operators': '+ - " + -',
  'only minus words': '-wombat -tea',
  'a plus for each word': '+wombat '.repeat(800),
  'full-text operators': 'wombat AND NOT NEAR(tea, 3) OR (^a* )',
  'a column filter': 'text:wombat {text heading}: tea',
  'a bare star': '*',
  'SQL that drops a table': "'; DROP TABLE documents; --",
  'SQL that joins': "x' UNION SELECT * FROM kv --",
  'a NUL': 'wombat\0tea',
  'half a character': '\ud83d wombat \ude00',
  'every control character': Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join(''),
  'escape sequences': '\u001b[2J\u001b]0;PWNED\u0007wombat',
  'right-to-left marks': '\u202ewombat\u2066\u200f',
  'ten thousand letters': 'a'.repeat(10_000),
  'ten thousand words': 'ab '.repeat(3300),
  'more than is allowed': 'a'.repeat(10_001),
  'a megabyte': 'wombat '.repeat(150_000),
  'Hangul without spaces': '가'.repeat(9000),
  'combining marks': `a${'\u0301'.repeat(9000)}`,
  'a family of faces': '👩‍👩‍👧‍👦'.repeat(900),
  'ligatures that fold': 'ﷺ'.repeat(3000),
  'letters that grow when folded': 'ßİŉ'.repeat(3000),
  'a path upwards': '../../../../etc/passwd',
  'a path of the system': '/etc/passwd',
  'a file URL': 'file:///etc/passwd',
  'a Windows device': '\\\\.\\pipe\\x',
  'a template': '${7*7}{{7*7}}<%=7%>',
  'a prototype': '__proto__',
  'a constructor': 'constructor',
  'a number': '1e999',
  brackets: '[[[[[[(((((({{{{{{'.repeat(300),
  backslashes: '\\'.repeat(5000),
  'per cent signs': '%'.repeat(5000),
  'an open per cent': '%f%%%E0%A4%A',
  'line ends of every kind': 'a\r\nb\rc\u2028d\u2029e\u0085f',
};

/** Globs that make a backtracking matcher slow, or that are invalid. */
const GLOBS: Readonly<Record<string, string>> = {
  'stars in a row': `${'*a'.repeat(20)}*b`,
  'double stars in a row': `${'**/a/'.repeat(20)}**/b`,
  'stars within stars': `${'**a'.repeat(20)}b`,
  'alternatives of nothing': `${'{,}'.repeat(30)}z`,
  'alternatives within alternatives': `${'{a,'.repeat(60)}b${'}'.repeat(60)}`,
  'alternatives of stars': `${'{a*,a*}'.repeat(12)}b`,
  'a hundred thousand characters': 'a'.repeat(100_000),
  'a hundred thousand stars': '*'.repeat(100_000),
  'a class that never ends': '[a',
  'a class of everything': `[${'\u0000-\uffff'.repeat(50)}]`,
  'a class upside down': '[z-a]',
  'classes in a row': '[!a]'.repeat(2000),
  'question marks': '?'.repeat(5000),
  'a trailing backslash': 'a\\',
  'extended globs': '+(a|b)!(c)@(d|e)?(f)*(g)'.repeat(50),
  'a range of numbers': '{1..99999999}',
  upwards: '../../**',
  'of the system': '/etc/**',
  nothing: '',
};

const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  [],
  {},
  [null],
  [[['a']]],
  { a: { b: 1 } },
  '',
  'x'.repeat(50_000),
  '\0',
  'NaN',
];
const SEARCH_FIELDS = ['query', 'k', 'mode', 'cursor', 'max_tokens', 'snippet_chars', 'min_score', 'min_relevance', 'page', 'detail', 'since', 'until', 'ingested_after', 'trust_min', 'media', 'lang', 'tag', 'doc_id', 'source', 'source_type', 'repo', 'code_lang'] as const; // prettier-ignore

const QUERIES: readonly Call[] = [
  ...Object.entries(TEXTS).flatMap(([name, query]) => [
    { name: `a query: ${name}`, tool: 'search', args: { query } },
    { name: `a tag: ${name}`, tool: 'search', args: { query: 'wombat', tag: [query] } },
    { name: `a lookup: ${name}`, tool: 'fetch', args: { path: query } },
  ]),
  ...Object.entries(GLOBS).flatMap(([name, glob]) => [
    { name: `a glob: ${name}`, tool: 'search', args: { query: 'wombat', path_glob: [glob] } },
    { name: `a glob of a list: ${name}`, tool: 'list_docs', args: { path_glob: glob } },
  ]),
  ...SEARCH_FIELDS.flatMap((field) =>
    VALUES.filter((_, i) => (i + field.length) % 3 === 0).map((value) => ({
      name: `${field} = ${JSON.stringify(value).slice(0, 40)}`,
      tool: 'search',
      args: { query: 'wombat', [field]: value },
    })),
  ),
];

const URIS: readonly string[] = [
  ...Object.values(TEXTS).slice(28),
  'notes/tea.md#L0', 'notes/tea.md#L9-L1', 'notes/tea.md#L1-', 'notes/tea.md#L99999999999999999999', 'notes/tea.md#L-1', 'notes/tea.md#L1.5',
  'notes/tea.md#p=0', 'notes/tea.md#p=99999', 'notes/tea.md#xywh=0,0,0,0', 'notes/tea.md#xywh=-1,-1,1e9,1e9', 'notes/tea.md#t=5,1', 'notes/tea.md#',
  'notes/tea.md##L1', 'notes/tea.md#L1#L2', '#L1', 'default:', 'default:notes/tea.md', 'nowhere:notes/tea.md', 'external:../../etc/passwd', 'notes//tea.md',
  './notes/tea.md', 'notes/../notes/tea.md', 'notes/a%23b%2520c.md', 'notes/a#b%20c.md', 'notes%2ftea.md', 'NOTES/TEA.MD', 'notes/tea.md\0.png', 'kebab://doc/x',
  'kebab://chunk/../../x', 'javascript:alert(1)', '~/.ssh/id_rsa', '/proc/self/environ', 'notes/tea.md?x=1', `${'a/'.repeat(5000)}b.md`, `${'../'.repeat(5000)}etc/passwd`,
]; // prettier-ignore

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CURSORS: readonly string[] = [
  '', 'x', '{}', '====', 'a'.repeat(5000), encoded(null), encoded([]), encoded({}), encoded({ v: 1 }), encoded({ v: 2, offset: 0 }), encoded('x'),
  ...[-1, 1e9, 1.5, '0', null, {}].map((offset) => encoded({ v: 1, offset, corpus_revision: 1, query_hash: '0'.repeat(16), stages: ['lexical'] })),
  ...[-1, 'x', null, 1e99].map((revision) => encoded({ v: 1, offset: 10, corpus_revision: revision, query_hash: '0'.repeat(16), stages: ['lexical'] })),
  ...['', 'x', '0'.repeat(15), '../../..', null, 7].map((hash) => encoded({ v: 1, offset: 10, corpus_revision: 1, query_hash: hash, stages: ['lexical'] })),
  ...[null, 'lexical', ['nothing'], [1], Array.from({ length: 100 }, () => 'lexical'), ['retriever:x@y']].map((stages) => encoded({ v: 1, offset: 10, corpus_revision: 1, query_hash: '0'.repeat(16), stages })),
  encoded({ ['__proto__']: { v: 1 } }), Buffer.from('{"v":1,"v":2').toString('base64url'), Buffer.from([0xff, 0xfe, 0]).toString('base64url'),
]; // prettier-ignore

const PLACES: readonly Call[] = [
  ...URIS.flatMap((uri) => [
    { name: `fetch ${uri.slice(0, 60)}`, tool: 'fetch', args: { uri } },
    { name: `verify ${uri.slice(0, 60)}`, tool: 'verify_citation', args: { uri, content_hash: '0'.repeat(16) } },
  ]),
  ...CURSORS.flatMap((cursor) => [
    { name: `a cursor ${cursor.slice(0, 60)}`, tool: 'search', args: { query: 'wombat', cursor } },
    { name: `a cursor of a list ${cursor.slice(0, 60)}`, tool: 'list_docs', args: { cursor } },
  ]),
  ...['', 'x', '0', 'g'.repeat(32), '0'.repeat(31), '0'.repeat(33), "' OR 1=1 --", '%', '_'.repeat(32)].flatMap(
    (id) => [
      { name: `a chunk ${id}`, tool: 'fetch', args: { chunk_id: id } },
      { name: `a document ${id}`, tool: 'fetch', args: { doc_id: id } },
    ],
  ),
];

const OTHERS: readonly Call[] = [
  { name: 'no searches at once', tool: 'bulk_search', args: { queries: [] } },
  { name: 'a thousand searches at once', tool: 'bulk_search', args: { queries: Array(1000).fill('wombat') } },
  { name: 'searches that are none', tool: 'bulk_search', args: { queries: [null, 1, {}, [], { query: 7 }] } },
  { name: 'searches of long texts', tool: 'bulk_search', args: { queries: Array(100).fill('wombat '.repeat(1000)) } },
  { name: 'a tool that is not there', tool: 'shell', args: { command: 'id' } },
  { name: 'a tool of the prototype', tool: 'constructor', args: {} },
  { name: 'arguments that are a list', tool: 'search', args: [] },
  { name: 'arguments that are a text', tool: 'search', args: 'wombat' },
  { name: 'an unknown argument', tool: 'search', args: { query: 'wombat', path: '/etc' } },
  { name: 'a question of nothing', tool: 'ask', args: { question: '' } },
  { name: 'a question that names files', tool: 'ask', args: { question: 'what of @../../etc/passwd and @notes/tea.md?' } },
  { name: 'a question of ten thousand references', tool: 'ask', args: { question: '@a '.repeat(3300) } },
  { name: 'a file outside', tool: 'ingest_file', args: { path: '/etc/passwd' } },
  { name: 'a file upwards', tool: 'ingest_file', args: { path: '../../../../../../../etc/hosts' } },
  { name: 'a device', tool: 'ingest_file', args: { path: '/dev/zero' } },
  { name: 'a folder as a file', tool: 'ingest_file', args: { path: '/' } },
  { name: 'a process', tool: 'ingest_file', args: { path: '/proc/self/environ' } },
  { name: 'a file with a NUL', tool: 'ingest_file', args: { path: 'a\0b.md' } },
  { name: 'a text with a title of a megabyte', tool: 'ingest_stdin', args: { content: '# a\n', title: 'x'.repeat(1_000_000) } },
  { name: 'a text whose title closes the front matter', tool: 'ingest_stdin', args: { content: '# b\n', title: 'x"\n---\ntrust: primary' } },
  { name: 'a text of nothing', tool: 'ingest_stdin', args: { content: '', title: 'x' } },
  { name: 'a text with an address that is none', tool: 'ingest_stdin', args: { content: '# c\n', title: 'x', source_uri: 'javascript:alert(1)\n\0' } },
  { name: 'a text of character references', tool: 'ingest_stdin', args: { content: '&amp;'.repeat(100_000), title: 'x' } },
  { name: 'a text of marks', tool: 'ingest_stdin', args: { content: 'a_'.repeat(400_000), title: 'x' } },
]; // prettier-ignore

/** Tool calls, whose arguments the command line parses in the same way. */
export const TOOL_AREAS: readonly Area[] = [
  { name: 'queries, filters and globs', calls: QUERIES },
  { name: 'addresses, cursors and ids', calls: PLACES },
  { name: 'other tools', calls: OTHERS },
].map(({ name, calls }) => ({
  name,
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const env = {
        ...LEXICAL,
        KEBAB_INDEXING_EXTRACT_TIMEOUT_S: '10',
        KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9',
      };
      const server = new McpServer(bench.cli, home, env);
      try {
        for (const call of bench.pick<Call>(calls)) {
          const { problem } = await server.call(call.tool, call.args);
          yield { name: call.name, problem: problem ?? (await beside(server)) };
        }
      } finally {
        server.close();
      }
    }),
}));

/** Checks that nothing else is lost: an indexed document is still found. */
async function beside(server: McpServer): Promise<string | null> {
  const { problem, answer } = await server.call('search', { query: 'eighty degrees', k: 1 });
  if (problem !== null) return problem;
  return JSON.stringify(answer?.result).includes('notes/tea.md') ? null : 'a document beside it is not found any more';
}
