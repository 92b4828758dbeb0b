import { isKebabError } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import type { CommandValues } from '../../src/command/command-values.ts';

function values(line: string[]): CommandValues & { readonly name: string } {
  const parsed = parseCommandLine(line, COMMANDS);
  if (parsed.kind !== 'run') throw new Error(`${line.join(' ')} does not run`);
  return Object.assign(parsed.values, { name: parsed.command.name });
}

function failure(line: string[]) {
  try {
    parseCommandLine(line, COMMANDS);
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return { message: error.message, hint: error.hint, ...error.details };
    throw error;
  }
  throw new Error(`${line.join(' ')} was taken`);
}

describe('parseCommandLine', () => {
  it.each([
    ['search words', 'search'],
    ['fetch chunk 9b4a8c', 'fetch chunk'],
    ['--json list docs', 'list docs'],
    ['--config x.toml plugin list', 'plugin list'],
    ['fetch --json doc 9b4a8c', 'fetch doc'],
    ['ingest --summary-only', 'ingest'],
  ])('finds the command in "kebab %s"', (line, name) => {
    expect(values(line.split(' ')).name).toBe(name);
  });

  it('joins the words of a query, so that it needs no quotes', () => {
    expect(values(['search', 'markdown', '--k', '3', 'chunking rules']).arg('QUERY')).toBe('markdown chunking rules');
    expect(values(['try', 'folder', 'two', 'words']).arg('QUESTION')).toBe('two words');
  });

  it('treats everything after -- as arguments, with or without a dash', () => {
    expect(values(['search', '--json', '--', '--k', '-draft', 'x']).arg('QUERY')).toBe('--k -draft x');
    expect(values(['cite', 'verify', '-']).arg('URI')).toBe('-');
  });

  it('accepts short and long names, and values with and without =', () => {
    expect(values(['search', '-k', '3', 'x']).number('k')).toBe(3);
    expect(values(['search', '--k=4', 'x']).number('k')).toBe(4);
    expect(values(['search', '-k5', 'x']).number('k')).toBe(5);
    expect(values(['search', '-k=6', 'x']).number('k')).toBe(6);
    expect(values(['snap', '-oa.png', 'x']).text('output')).toBe('a.png');
    expect(values(['ingest-stdin', '--title=a=b', '--source-uri=']).text('title')).toBe('a=b');
  });

  it('collects repeated flags, and splits at commas only where that is documented', () => {
    const { values: parsed } = { values: values(['search', '--tag', 'a,b', '--tag', 'c', '--lang', 'en, ko', 'x']) };
    expect(parsed.all('tag')).toEqual(['a,b', 'c']);
    expect(parsed.all('lang')).toEqual(['en', 'ko']);
  });

  it('has no values for flags and arguments that were not given', () => {
    const parsed = values(['search', 'x']);
    expect([parsed.has('json'), parsed.text('cursor'), parsed.all('tag'), parsed.number('k')]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ]);
    expect(values(['trust']).arg('PATH')).toBe('');
  });

  it.each([
    [['help'], 'help', COMMANDS.length],
    [['help', 'search'], 'help', 1],
    [['help', 'fetch'], 'help', 4],
    [['help', 'fetch', 'chunk'], 'help', 1],
    [['--help'], 'help', COMMANDS.length],
    [['-h'], 'help', COMMANDS.length],
    [['fetch'], 'help', 4],
    [['fetch', '--help'], 'help', 4],
    [['search', 'x', '--help'], 'help', 1],
  ] as const)('parses "kebab %s" as a request for %s', (line, kind, topics) => {
    const parsed = parseCommandLine(line, COMMANDS);
    expect(parsed).toMatchObject({ kind, topic: { length: topics } });
  });

  it('parses kebab without arguments as kebab status', () => {
    expect(values([]).name).toBe('status');
    expect(values(['--json']).has('json')).toBe(true);
  });

  it('fails for an incomplete command in a program, and shows help for it to people', () => {
    expect(failure(['fetch', '--json'])).toMatchObject({
      field: 'command',
      hint: 'one of: kebab fetch chunk, kebab fetch doc, kebab fetch span, kebab fetch uri',
    });
    expect(parseCommandLine(['fetch', '--json', '--help'], COMMANDS).kind).toBe('help');
  });

  it('names the nearest command when help is requested for an unknown one', () => {
    expect(failure(['help', 'serach'])).toMatchObject({ suggestion: 'search' });
  });

  it('accepts --version with and without a command', () => {
    for (const line of [['-V'], ['version']]) expect(parseCommandLine(line, COMMANDS)).toEqual({ kind: 'version' });
    expect(parseCommandLine(['--version'], COMMANDS)).toEqual({ kind: 'version' });
    expect(parseCommandLine(['search', '--version', 'x'], COMMANDS)).toEqual({ kind: 'version' });
  });
});

describe('what parseCommandLine rejects', () => {
  it.each([
    [['serach', 'x'], 'serach', 'search'],
    [['fetch', 'chunck', 'x'], 'fetch chunck', 'fetch chunk'],
    [['zzzzzz'], 'zzzzzz', null],
  ])('names the nearest command for %s', (line, value, suggestion) => {
    expect(failure(line)).toMatchObject({ field: 'command', value, suggestion });
  });

  it.each([
    'rese',
    'resett',
    'remov',
    'remvoe',
    'rmm',
    'recent',
    'delete',
    'plugin remov',
    'sessions delet',
    'config unse',
  ])('does not lead from "%s" to a command that removes something', (line) => {
    const { suggestion, hint } = failure(line.split(' '));
    expect(`${suggestion} ${hint}`).not.toMatch(/\b(?:reset|remove|rm|delete|unset)\b/);
  });

  it.each([
    ['ls papers', 'list docs', 'kebab list docs papers'],
    ['cat notes/a.md', 'get', 'kebab get notes/a.md'],
    ['rg kiln log', 'search', 'kebab search kiln log'],
    ['find kiln', 'search', 'kebab search kiln'],
    ['update', 'ingest', 'kebab ingest'],
    ['index', 'ingest', 'kebab ingest'],
    ['reindex --json', 'ingest', 'kebab ingest --json'],
    ['install docx', 'plugin install', 'kebab plugin install docx'],
  ])('leads from "%s" to the command that does this', (line, suggestion, command) => {
    expect(failure(line.split(' '))).toMatchObject({ suggestion, hint: `run \`${command}\`` });
  });

  it.each([
    [['search', '--modus', 'lexical', 'x'], '--modus', '--mode'],
    [['--jsn', 'doctor'], '--jsn', '--json'],
    [['list', 'docs', '--mode', 'lexical'], '--mode', null],
    [['search', 'x', '--limit', '3'], '--limit', '-k'],
    [['related', 'x', '-k', '3'], '-k', '--limit'],
    [['list', 'docs', '--type=md'], '--type', '--media'],
  ])('names the nearest flag for %s', (line, field, suggestion) => {
    expect(failure(line)).toMatchObject({ field, suggestion });
  });

  it('explains how to exclude a word whose dash was read as a flag', () => {
    expect(failure(['search', 'rust', '-draft']).hint).toContain('put -- before words that begin with a dash');
  });

  it.each([
    [['search', '--k=-1', 'x'], '--k'],
    [['search', '--k', '1.5', 'x'], '--k'],
    [['search', '--k', '1', '--k', '2', 'x'], '--k'],
    [['search', '--lang', ',', 'x'], '--lang'],
    [['search', '--cursor'], '--cursor'],
    [['search', '--cursor', '--json', 'x'], '--cursor'],
    [['search', '-jk', 'x'], '-jk'],
    [['search', '--json=yes', 'x'], '--json'],
    [['fetch', 'chunk'], 'ID'],
    [['fetch', 'chunk', 'a', 'b'], 'arguments'],
    [['doctor', 'now'], 'arguments'],
  ])('names what is wrong in %s', (line, field) => {
    expect(failure(line)).toMatchObject({ field });
  });

  it.each([
    [['-k', '0'], '-k takes a whole number from 1 to 100, not 0'],
    [['--k', '101'], '--k takes a whole number from 1 to 100, not 101'],
    [['-k', 'abc'], '-k takes a whole number from 1 to 100, not "abc"'],
    [['--page', '0'], '--page takes a whole number from 1, not 0'],
    [['-C', '-1'], '-C takes a whole number from 0 to 1000, not -1'],
    [['--context', '1001'], '--context takes a whole number from 0 to 1000, not 1001'],
    [['--min-score', 'abc'], '--min-score takes a number, not "abc"'],
    [['--min-relevance', '2'], '--min-relevance takes a number from 0 to 1, not 2'],
  ])('names in the error for %j the flag as typed, and the numbers that it accepts', (flags, message) => {
    expect(() => parseCommandLine(['search', ...flags, 'x'], COMMANDS)).toThrow(message);
  });

  it.each([
    [['fetch', 'doc', 'a.md', '--max-tokens', '0'], '--max-tokens takes a whole number from 1, not 0'],
    [['snap', 'a.pdf#p=1', '--max-pixels', '0'], '--max-pixels takes a whole number from 1 to 10000, not 0'],
    [['eval', 'run', '-k', '0'], '-k takes a whole number from 1 to 100, not 0'],
    [['plugin', 'test', '.', '--timeout-s', '0'], '--timeout-s takes a whole number from 1, not 0'],
  ])('rejects a number that makes no sense in %j', (line, message) => {
    expect(() => parseCommandLine(line, COMMANDS)).toThrow(message);
  });

  it.each([
    [['add', ''], 'PATH', 'PATH is empty: kebab add takes the folder'],
    [['get', 'a.md', ' '], 'PATH', 'PATH is empty: kebab get takes '],
    [['models', 'pull', ''], 'MODEL', 'MODEL is empty: kebab models pull takes '],
  ])('rejects the empty argument that an unset variable leaves in %j', (line, field, message) => {
    expect(() => parseCommandLine(line, COMMANDS)).toThrow(message);
    expect(failure(line)).toMatchObject({ field, value: '' });
  });

  it.each([
    ['--config', ['--config', '', 'doctor']],
    ['--plugin', ['doctor', '--plugin=']],
    ['--suite', ['eval', 'run', '--suite', '']],
  ])('rejects an empty path of %s', (flag, line) => {
    expect(failure(line)).toMatchObject({ message: `${flag} is empty: it takes a path`, field: flag });
  });

  it('accepts an empty value of a setting', () => {
    expect(parseCommandLine(['config', 'set', 'models.llm.api_key', ''], COMMANDS).kind).toBe('run');
  });

  it('rejects an argument of version', () => {
    expect(() => parseCommandLine(['version', 'x'], COMMANDS)).toThrow(
      'kebab version takes no argument; "x" is one too many',
    );
  });

  it('accepts a search with a budget of 0, which shows one hit', () => {
    expect(parseCommandLine(['search', '--max-tokens', '0', 'x'], COMMANDS).kind).toBe('run');
  });

  it('parses a negative number as a number, not as a flag', () => {
    const line = parseCommandLine(['search', '--min-score', '-1.5', 'x'], COMMANDS);
    expect(line.kind === 'run' && line.values.number('min-score')).toBe(-1.5);
  });

  it.each([
    [['serach', 'sour dough', '-k', '3'], "run `kebab search 'sour dough' -k 3`"],
    [['--quiet', 'list', '--json', 'dosc'], 'run `kebab --quiet list docs --json`'],
    [['cite-verify', 'a.md#L1'], "run `kebab cite verify 'a.md#L1'`"],
    [['serach', 'x'.repeat(300)], 'run `kebab search`'],
  ])('repeats the line %j with the command that was meant', (line, hint) => {
    expect(() => parseCommandLine(line, COMMANDS)).toThrow(expect.objectContaining({ hint }) as Error);
  });

  it('names the commands that add a folder or file, when ingest gets one as an argument', () => {
    expect(() => parseCommandLine(['ingest', 'notes'], COMMANDS)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('`kebab add FOLDER`') as string }) as Error,
    );
  });

  it('names the values of a closed set', () => {
    expect(failure(['search', '--mode', 'foo', 'x']).hint).toBe('for example lexical');
    expect(failure(['search', '--mode', 'lexicl', 'x'])).toMatchObject({
      allowed: ['lexical', 'vector', 'hybrid'],
      suggestion: 'lexical',
    });
  });
});
