import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { schema, sourceAdded, sourceList, sourceRemoved } from '../examples.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

function run(line: readonly string[], test: CommandTest = {}) {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    addSource: async (request) => {
      asked.push(request);
      return sourceAdded;
    },
    removeSource: async (name) => {
      asked.push(name);
      return sourceRemoved;
    },
    listSources: async () => sourceList,
    schema: async () => ({ ...schema, stats: { ...schema.stats, source_breakdown: { orphan: 3 } } }),
  };
  return { asked, result: runCommand(line, { app, ...test }) };
}

describe('kebab add', () => {
  it('shows the added folder, its contents and the next command', async () => {
    const { asked, result } = run(['add', '~/work', '--name', 'work'], { columns: 80 });
    const { stdout } = await result;
    expect(asked).toEqual([{ path: '~/work', name: 'work' }]);
    expect(stdout.text).toBe(
      'added    work  ~/work  (~/.config/kebab/config.toml)\n' +
        'holds    1216 files: 1200 Markdown, 1 PDF, 1 picture, 14 of other kinds; 3 files\n         of kinds that are not read\n' +
        'next     kebab ingest\n',
    );
  });
});

describe('kebab remove', () => {
  it.each([
    ['y\n', ['work']],
    ['\n', []],
  ])('asks on a terminal with the number of documents, and follows the answer %j', async (answer, removed) => {
    const { asked, result } = run(['remove', 'work'], { columns: 80, stdin: [answer], stdinIsTerminal: true });
    const { code, stderr } = await result;
    expect([code, asked]).toEqual([0, removed]);
    expect(stderr.text).toMatch(
      /^Remove the source work \(~\/work, 0 documents\) from the index\? Its files stay\.\n\[y\/N\] /,
    );
  });

  it('asks only about existing sources, including those of which only documents are left', async () => {
    const terminal = { columns: 80, stdin: ['\n'], stdinIsTerminal: true };
    const unknown = run(['remove', 'nope'], terminal);
    expect((await unknown.result).stderr.text).toBe('');
    expect(unknown.asked).toEqual(['nope']);
    expect((await run(['remove', 'orphan'], terminal).result).stderr.text).toMatch(/^Remove the source orphan from/);
  });

  it('is rejected without --yes if there is no terminal, and reports what it removed with it', async () => {
    const refused = await run(['remove', 'work', '--user']).result;
    expect(refused.code).toBe(2);
    expect(refused.stderr.text).toContain('run `kebab remove work --user --yes` if you mean it');
    const { stdout } = await run(['remove', 'work', '--yes'], { columns: 80 }).result;
    expect(stdout.text).toBe(
      'removed  work  412 documents; the files in ~/work stay\nchanged  ~/.config/kebab/config.toml\n',
    );
  });
});

describe('kebab list sources', () => {
  it('prints one line per source, with its problems', async () => {
    const { stdout } = await run(['list', 'sources']).result;
    const [first = '', second = ''] = stdout.text.split('\n');
    expect(first).toMatch(/^default {2}12 documents {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}~\/KnowledgeBase$/);
    expect(second).toMatch(/^work +0 documents +- +~\/work +not ingested yet$/);
  });

  it.each([
    [0, true],
    [3, false],
  ])('asks for a folder only if none was indexed, not if one with %i documents is missing', async (documents, asks) => {
    const [source] = sourceList.sources.map((one) => ({ ...one, documents, state: 'missing' as const }));
    const listSources: App['listSources'] = async () => ({
      ...sourceList,
      sources: source === undefined ? [] : [source],
    });
    const { stdout } = await runCommand(['list', 'sources'], { app: { listSources } });
    expect(stdout.text).toContain('folder is missing or cannot be read');
    expect(stdout.text.includes('kebab add FOLDER')).toBe(asks);
  });
});
