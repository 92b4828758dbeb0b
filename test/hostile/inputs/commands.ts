import type { Area, Outcome } from '../harness/area.ts';
import { problemOfRun, watched } from '../harness/watched-process.ts';
import { inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

/** A command line with hostile input. */
interface Command {
  readonly name: string;
  readonly line: readonly string[];
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

const FLAG_VALUES = [
  '',
  ' ',
  '-1',
  '0',
  '99999999999999999999',
  '1e999',
  'NaN',
  '0x10',
  "'; --",
  '\u001b[2J',
  '../..',
  '{}',
  '[',
  'a,b,,c',
  '-',
  '--',
  '\ud800',
  'x'.repeat(100_000),
];
const FLAGS = [
  '-k',
  '--mode',
  '--page',
  '--cursor',
  '--since',
  '--path-glob',
  '--format',
  '--max-tokens',
  '--min-relevance',
  '--snippet-chars',
  '--expect',
  '--config',
  '--plugin',
  '--color',
  '--schema-version',
  '--hyperlink-format',
];

const FLAG_COMMANDS: readonly Command[] = [
  ...FLAGS.flatMap((flag, i) =>
    FLAG_VALUES.filter((_, j) => (i + j) % 4 === 0).map((value) => ({
      name: `${flag} ${JSON.stringify(value).slice(0, 30)}`,
      line: ['search', 'wombat', `${flag}=${value}`, '--json'],
    })),
  ),
  ...[
    [], ['--'], ['-'], [''], ['--json'], ['__proto__'], ['constructor'], ['search', '--__proto__=x'], ['search', '--k'], ['search', '-kk', '5'],
    ['help', '\u001b[2J'], ['fetch', 'uri'], ['fetch', 'span', 'notes/tea.md', '9', '1'], ['fetch', 'span', 'notes/tea.md', '-1', '1e9'], ['get', '../../etc/passwd'],
    ['get', '/etc/passwd'], ['open', 'notes/tea.md#L99'], ['inspect', 'chunk', "' OR 1"], ['rm', 'notes/tea.md'], ['rm', '../../x'], ['remove', '__proto__'], ['add', '/nowhere'],
    ['add', '\0'], ['config', 'get', '__proto__.x'], ['config', 'set', 'search.default_k', '1e999'], ['config', 'set', '__proto__.polluted', 'x'], ['config', 'unset', 'constructor'],
    ['eval', 'run', '--suite', '/dev/null'], ['ingest-file', '/dev/zero'], ['ingest-file', '/proc/kmsg'], ['ingest-file', '.'], ['snap', 'notes/tea.md#p=1', '--out', '/proc/x.png'],
    ['models', 'pull', '../../x'], ['trust', '/nowhere'], ['completion', 'x'], ['plugin', 'explain', '\u001b[2J'], ['vectors', 'copy', '--to', 'x'], ['mcp', '--port', '99999'], ['mcp', '--port', '-1'],
  ].map((line) => ({ name: line.join(' ') || 'nothing', line: [...line, '--json'] })),
]; // prettier-ignore

const repeatedLine = (line: string, count: number): string => `${line}\n`.repeat(count);
const BULK: Readonly<Record<string, string | Uint8Array>> = {
  'nothing': '', 'empty lines': '\n\n\n', 'no JSON': 'wombat\n', 'half an object': '{"query":\n', 'a list': '["wombat"]\n', 'null': 'null\n', 'a number': '5\n', 'no query': '{}\n',
  'a query that is a list': '{"query":["a"]}\n', 'an unknown member': '{"query":"wombat","path":"/etc"}\n', 'a prototype': '{"__proto__":{"query":"x"}}\n', '101 lines': repeatedLine('"wombat"', 101),
  'ten thousand lines': repeatedLine('"wombat"', 10_000), 'a line of 10 MB': JSON.stringify('x'.repeat(10_000_000)), 'a line of 60 MB': JSON.stringify('wombat '.repeat(8_600_000)),
  'nested lists': '['.repeat(200_000), 'nested members': `{"query":"x","tag":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`, 'no UTF-8': Uint8Array.of(0xff, 0xfe, 0x0a), 'a NUL': '"\0"\n', 'a BOM': '\uFEFF"wombat"\n',
  'carriage returns': '"wombat"\r"tea"\r', 'half a character': '"\\ud800"\n', 'escape sequences': '"\\u001b[2J"\n', 'one bad among good': '"wombat"\n{"query":7}\n"tea"\n', 'globs that take long': `{"query":"wombat","path_glob":["${'{,}'.repeat(30)}z"]}\n`,
}; // prettier-ignore

const BULK_COMMANDS: readonly Command[] = [
  ...Object.entries(BULK).map(([name, stdin]) => ({ name, line: ['search', '--bulk', '--json'], stdin })),
  ...Object.entries(BULK).filter((_, i) => i % 2 === 0).map(([name, stdin]) => ({ name: `as Markdown: ${name}`, line: ['ingest-stdin', '--title', 'x', '--json'], stdin })),
  { name: 'as citations', line: ['cite', 'verify', '-', '--json'], stdin: '{"hits":[{"citation":{"uri":7}}]}\n' },
  { name: 'as citations, nested', line: ['cite', 'verify', '-', '--json'], stdin: '['.repeat(200_000) },
]; // prettier-ignore

/** Runs each command in its own process, over the same documents. */
function commandArea(name: string, commands: readonly Command[]): Area {
  return {
    name,
    replay: (bench) =>
      inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
        for (const command of bench.pick<Command>(commands)) {
          const options = { home, env: { ...LEXICAL, KEBAB_MODELS_HUB: 'http://127.0.0.1:9', ...command.env } };
          const line = command.line.map((word) => word.replaceAll('\0', ''));
          const run = await watched(bench.cli.start(line, options), { stdin: command.stdin, deadlineMs: 30_000 });
          yield { name: command.name, problem: problemOfRun(run) };
        }
      }),
  };
}

/** Command lines, and their standard input. */
export const COMMAND_AREAS: readonly Area[] = [
  commandArea('command lines and flags', FLAG_COMMANDS),
  commandArea('lines on standard input', BULK_COMMANDS),
];
