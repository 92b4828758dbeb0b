import { invalidInput, type App, type Notice } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { doctor } from '../examples.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';
import { runCommand } from '../fakes/run-command.ts';

const HEALTHY = { doctor: async () => ({ ...doctor, ok: true, checks: [] }) };

function failing(failure: unknown) {
  return {
    doctor: async () => {
      throw failure;
    },
  };
}

const interrupted = () => Promise.reject(new DOMException('interrupted by SIGINT', 'AbortError'));
const INTERRUPTED = { search: interrupted, listDocs: interrupted, resolveId: interrupted, fetch: interrupted };

describe('runCli', () => {
  it('closes the App and ends with the exit code of the command', async () => {
    const { code, opened, closed } = await runCommand(['doctor'], { app: HEALTHY });
    expect([code, opened.length, closed]).toEqual([0, 1, 1]);
  });

  it('prints help and version on stdout without opening anything', async () => {
    for (const line of [['help'], ['--help'], ['search', '--help'], ['--version'], ['-V']]) {
      const { code, stdout, stderr, opened } = await runCommand(line);
      expect([code, stderr.text, opened.length]).toEqual([0, '', 0]);
      expect(stdout.text).toMatch(/kebab/);
    }
  });

  it('prints one wire object and nothing else with --json', async () => {
    const { code, stdout, stderr } = await runCommand(['doctor', '--json'], { app: HEALTHY });
    expect([code, stdout.json.length, stderr.text]).toEqual([0, 1, '']);
    expect(() => parseWire('doctor', stdout.json[0])).not.toThrow();
  });

  it('prints notices on stderr, including those that occur while the command runs', async () => {
    const notices: Notice[] = [{ kind: 'configuration', text: 'KEBAB_FOO means nothing' }];
    const app = {
      notices,
      doctor: async () => {
        notices.push({ kind: 'plugin', text: 'plugin x does not run' });
        return { ...doctor, ok: true, checks: [] };
      },
    };
    const { stderr } = await runCommand(['doctor'], { app });
    expect(stderr.text).toBe('notice: KEBAB_FOO means nothing\nnotice: plugin x does not run\n');
  });

  it.each([['--quiet'], ['--json']])('prints no notices with %s', async (flag) => {
    const { stderr } = await runCommand(['doctor', flag], {
      app: { ...HEALTHY, notices: [{ kind: 'plugin', text: 'something' }] },
    });
    expect(stderr.text).toBe('');
  });

  it('passes the global flags on to the App', async () => {
    const line = ['doctor', '--config', 'my.toml', '--plugin', 'some-plugin', '--readonly', '--debug'];
    const { opened } = await runCommand(line, { app: HEALTHY });
    expect(opened[0]?.flags).toEqual({
      config: '/work-folder/my.toml',
      plugins: ['some-plugin'],
      readonly: true,
      debug: true,
      values: [],
    });
  });

  it.each(['./nope', '/nope/plugin', '~/nope', ''])('rejects --plugin %j, which does not exist', async (plugin) => {
    const { code, stderr, opened } = await runCommand(['doctor', '--plugin', plugin, '--json'], { app: HEALTHY });
    expect([code, stderr.json]).toMatchObject([
      2,
      [{ code: 'invalid_input', details: { field: '--plugin', value: plugin } }],
    ]);
    expect(opened).toEqual([]);
  });

  it('accepts --schema-version v1 and nothing else', async () => {
    expect((await runCommand(['doctor', '--schema-version', 'v1'], { app: HEALTHY })).code).toBe(0);
    const { code, stderr } = await runCommand(['doctor', '--schema-version', 'v2', '--json'], { app: HEALTHY });
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { allowed: ['v1'] } }]]);
  });
});

describe('errors of a command line', () => {
  const error = invalidInput('the query is empty', { field: 'query', hint: 'type some words' });

  it('are one line and a hint on stderr, exit code 2', async () => {
    const { code, stdout, stderr, closed } = await runCommand(['doctor'], { app: failing(error) });
    expect([code, stdout.text, stderr.text]).toEqual([2, '', 'error: the query is empty\n  hint: type some words\n']);
    expect(closed).toBe(1);
  });

  it('name a flag as it is typed if its value is invalid', async () => {
    const { stderr } = await runCommand(['search', 'x', '--trust-min', 'high']);
    expect(stderr.text).toMatch(/^error: --trust-min must be one of primary, secondary, generated, not "high"\n/);
    const since = await runCommand(['list', 'docs', '--since', 'monday', '--json']);
    expect(since.stderr.json).toMatchObject([{ message: expect.stringMatching(/^--since must be a date/) }]);
  });

  it('show their causes with --verbose', async () => {
    const cause = new Error('middle', { cause: new RangeError('innermost\nof all') });
    const { stderr } = await runCommand(['doctor', '--verbose'], { app: failing(new Error('outer', { cause })) });
    expect(stderr.text.split('\n').slice(0, 3)).toEqual([
      'error: outer',
      '  cause: Error: middle',
      '  cause: RangeError: innermost␊of all',
    ]);
  });

  it('are one error.v1 line with --json', async () => {
    const { code, stdout, stderr } = await runCommand(['doctor', '--json'], { app: failing(error) });
    expect([code, stdout.text, stderr.json.length]).toEqual([2, '', 1]);
    expect(parseWire('error', stderr.json[0])).toMatchObject({ code: 'invalid_input', hint: 'type some words' });
  });

  it('are JSON also when the command line itself is wrong', async () => {
    const { code, stderr } = await runCommand(['--json', 'serach', 'x']);
    expect(code).toBe(2);
    expect(parseWire('error', stderr.json[0])).toMatchObject({ details: { suggestion: 'search' } });
    expect((await runCommand(['serach', '--', '--json'])).stderr.text).toMatch(/^error: /);
  });

  it('have the code "cancelled" after an abort, whatever was thrown', async () => {
    const abort = new DOMException('interrupted by SIGINT', 'AbortError');
    const { code, stderr } = await runCommand(['doctor', '--json'], { app: failing(abort) });
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'cancelled', details: { operation: 'doctor' } }]]);
  });

  it.each([
    ['search', ['search', 'x']],
    ['search', ['search', 'x', '--json']],
    ['list docs', ['list', 'docs']],
    ['fetch doc', ['fetch', 'doc', 'a.md']],
  ])('end %s with 130 after Ctrl-C and still report that it was cancelled', async (operation, line) => {
    const { code, stderr } = await runCommand(line, { app: INTERRUPTED, signal: AbortSignal.abort() });
    expect(code).toBe(130);
    if (line.includes('--json')) expect(stderr.json).toMatchObject([{ code: 'cancelled', details: { operation } }]);
    else expect(stderr.text).toMatch(new RegExp(`^error: ${operation} was cancelled`));
  });

  it('end a command with 2 if something other than Ctrl-C failed or cancelled it', async () => {
    const abort = new DOMException('the time is up', 'AbortError');
    expect((await runCommand(['doctor'], { app: failing(abort) })).code).toBe(2);
    const stopped = { app: failing(error), signal: AbortSignal.abort() };
    expect((await runCommand(['doctor'], stopped)).code).toBe(2);
  });

  it('include those of closing the App', async () => {
    const close = async () => {
      throw new Error('the disk is full');
    };
    const { code, stderr } = await runCommand(['doctor'], { app: { ...HEALTHY, close } });
    expect([code, stderr.text]).toMatchObject([2, expect.stringMatching(/^error: the disk is full\n/)]);
  });

  it('do not include a reader of stdout that is gone', async () => {
    const stdout = new MemoryOutput();
    stdout.closed = true;
    const { code, stderr } = await runCommand(['doctor', '--json'], { app: HEALTHY, stdout });
    expect([code, stderr.text]).toEqual([0, '']);
  });
});

describe('a narrow terminal', () => {
  // oxlint-disable-next-line no-control-regex
  const plain = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');
  const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

  it('gets output, notices and errors wrapped at spaces', async () => {
    const notices = [{ kind: 'configuration', text: 'the key search.defualt_k is not known; did you mean default_k?' }];
    const app = { notices, doctor: async () => doctor } as unknown as Partial<App>;
    const { stdout, stderr } = await runCommand(['doctor'], { app, columns: 40 });
    expect(longest(plain(stdout.text))).toBeLessThanOrEqual(40);
    expect(stderr.text).toBe('notice: the key search.defualt_k is\n  not known; did you mean default_k?\n');
    const failed = await runCommand(['search', 'x', '--mdoe', 'lexical'], { columns: 40 });
    expect(longest(plain(failed.stderr.text))).toBeLessThanOrEqual(40);
  });
});

describe('a process that can run no command', () => {
  const problem = new Error('the working directory does not exist any more');

  it.each([['search', 'tea'], ['ingest'], ['doctor'], ['config', 'path']])('says why: kebab %s %s', async (...line) => {
    const { code, stdout, stderr, opened } = await runCommand(line.filter(Boolean), { problem });
    expect([code, stdout.text, opened]).toEqual([2, '', []]);
    expect(stderr.text).toContain('the working directory does not exist any more');
  });

  it.each(['--version', '--help'])('still shows %s', async (flag) => {
    const { code, stderr } = await runCommand([flag], { problem });
    expect([code, stderr.text]).toEqual([0, '']);
  });
});
