import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App, SearchQuery } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/test/wire/parse-wire.ts';
import { hit, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

let state = '';
beforeEach(() => void (state = mkdtempSync(path.join(tmpdir(), 'kebab-state-'))));
afterEach(() => rmSync(state, { recursive: true, force: true }));

const run = (asked: SearchQuery[], line: readonly string[]) => {
  const app: Partial<App> = {
    search: async (query) => {
      asked.push(query);
      return responseOf(query.text === 'nothing' ? [] : [hit]);
    },
    showPassages: async () => [],
    listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total: 1, next_cursor: null }),
  };
  return runCommand(line, { app, env: { XDG_STATE_HOME: state } });
};

async function commandsAfter(...lines: readonly (readonly string[])[]): Promise<readonly string[]> {
  for (const line of lines) await run([], line);
  const { stdout } = await run([], ['history', '--json']);
  return parseWire('search_history', stdout.json[0]).searches.map(({ command }) => command);
}

describe('kebab history', () => {
  it('lists the last searches, latest first and each once, as commands that run them again', async () => {
    expect(
      await commandsAfter(
        ['search', 'kiln', 'shelf', '--since', '2w', '-k', '3'],
        ['search', 'nothing'],
        ['search', '--tag', 'a b'],
        ['search', '--', '--hidden'],
        ['search', 'it’s', "'quoted'"],
        ['search', 'nothing'],
      ),
    ).toEqual([
      'kebab search nothing',
      String.raw`kebab search 'it’s '\''quoted'\'''`,
      'kebab search -- --hidden',
      "kebab search --tag 'a b'",
      "kebab search 'kiln shelf' -k 3 --since 2w",
    ]);
  });

  it('exits with 1 and says so before the first search, and with a damaged file', async () => {
    expect(await run([], ['history'])).toMatchObject({ code: 1, stdout: { text: 'no searches\n' } });
    await run([], ['search', 'kiln']);
    writeFileSync(path.join(state, 'kebab', 'search-history.json'), '{"searches":[3,{"at":1}],"saved":');
    expect((await run([], ['history'])).code).toBe(1);
  });

  it('forgets the last searches, but no saved one', async () => {
    await run([], ['search', 'kiln', '--save', 'clay']);
    expect((await run([], ['history', '--clear'])).stdout.text).toBe('@clay  kebab search kiln\n');
    expect(await commandsAfter()).toEqual([]);
    expect((await run([], ['history', '--forget', 'clay'])).code).toBe(0);
    expect((await run([], ['history', '--forget', 'clay'])).code).not.toBe(0);
  });

  it('remembers nothing in read-only mode, where nothing is removed either', async () => {
    expect(await commandsAfter(['search', 'kiln', '--readonly'])).toEqual([]);
    await run([], ['search', 'kiln']);
    for (const line of [
      ['history', '--clear', '--readonly'],
      ['search', 'kiln', '--save', 'a', '--readonly'],
    ])
      expect((await run([], line)).code).not.toBe(0);
  });
});

describe('a saved search', () => {
  it('runs by its name, with further words and flags', async () => {
    const asked: SearchQuery[] = [];
    await run(asked, ['search', 'kiln', '--tag', 'clay', '-k', '3', '--save', 'pots']);
    await run(asked, ['search', '@pots']);
    await run(asked, ['search', '@pots', 'shelf', '-k', '7']);
    expect(asked.map(({ text, k, filters }) => [text, k, filters?.tag])).toEqual([
      ['kiln', 3, ['clay']],
      ['kiln', 3, ['clay']],
      ['kiln shelf', 7, ['clay']],
    ]);
  });

  it('is confirmed, and replaces another of its name', async () => {
    const saving = ['search', 'kiln', '--save', 'pots'];
    expect((await run([], saving)).stderr.text).toBe('saved: kebab search @pots\n');
    expect((await run([], saving)).stderr.text).toContain('in place of');
  });

  it.each(['@nobody', '@constructor', '@ pots', 'mail@pots'])('is not meant by %j', async (text) => {
    const asked: SearchQuery[] = [];
    await run([], ['search', 'kiln', '--save', 'pots']);
    await run(asked, ['search', text]);
    expect(asked[0]?.text).toBe(text);
  });

  it.each([
    ['@nobody', [], 'kebab search --save nobody QUERY saves one'],
    ['@nobody', ['pots', 'glaze'], 'there is: @pots, @glaze'],
    ['@pot', ['pots'], 'did you mean @pots?'],
    ['@pot shelf', ['pots'], 'did you mean @pots?'],
  ])('is missed by name: %j among %j', async (typed, saved, hint) => {
    for (const name of saved) await run([], ['search', 'kiln', '--save', name]);
    const { stderr } = await run([], ['search', typed]);
    expect(stderr.text).toContain(
      `notice: no search is saved as "${typed.slice(1).split(' ')[0]}", so the word was looked for — ${hint}`,
    );
  });

  it.each(['@ pots', 'mail@pots', '@pots shelf', 'pots'])('is not missed for %j', async (typed) => {
    expect((await run([], ['search', typed])).stderr.text).not.toContain('no search is saved');
  });

  it.each(['a b', '', '@pots', '-x', '../x'])('has no name such as %j', async (name) => {
    const asked: SearchQuery[] = [];
    expect((await run(asked, ['search', 'kiln', `--save=${name}`])).code).not.toBe(0);
    expect(asked).toEqual([]);
  });
});
