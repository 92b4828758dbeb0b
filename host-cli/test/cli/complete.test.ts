import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '@kebab/core/app';
import { TEMPLATE_KINDS } from 'create-kebab-plugin';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { openWord } from '../../src/cli/complete.ts';
import { SCRIPTS } from '../../src/cli/completion.ts';
import { runCommand } from '../fakes/run-command.ts';

/** The candidates for the last word, as a shell shows them. */
function offered(...words: readonly string[]): readonly string[] {
  const { prefix, typed, offers } = openWord(words, COMMANDS);
  return offers.filter(({ value }) => value.startsWith(typed)).map(({ value }) => prefix + value);
}

describe('openWord', () => {
  it.each([
    ['the first words of commands', ['se'], ['search', 'sessions', 'serve']],
    ['the second words of a group', ['eval', ''], ['run', 'aggregate', 'compare']],
    ['a second word beside a command of one', ['mcp', 'i'], ['install']],
    ['commands behind help', ['help', 'se'], ['search', 'sessions', 'serve']],
    ['second words behind help', ['help', 'cite', ''], ['verify']],
    ['everything behind help', ['help', 'al'], ['all']],
    ['the flags of a command', ['search', '--mo'], ['--mode']],
    ['the flags of a command of two words', ['eval', 'run', '--su'], ['--suite']],
    ['the flags of every command before any', ['--qu'], ['--quiet']],
    ['the values of a flag', ['search', '--mode', ''], ['lexical', 'vector', 'hybrid']],
    ['a value behind an equals sign', ['search', '--mode=le'], ['--mode=lexical']],
    ['a value behind a comma', ['search', '--media', 'markdown,te'], ['markdown,text']],
    ['the values of a filter', ['list', 'docs', '--trust-min', 'p'], ['primary']],
    ['the clients of mcp install', ['mcp', 'install', '--client', 'claude-d'], ['claude-desktop']],
    ['the values of a flag of every command', ['--color', 'al'], ['always']],
    ['no flag behind two dashes', ['search', '--', '--mo'], []],
    ['nothing for a flag that there is not', ['search', '--nosuch=x'], []],
    ['nothing in a query', ['search', 'sourdough', ''], []],
    ['nothing behind a command that there is not', ['serach', ''], []],
  ])('offers %s', (_what, words, values) => {
    expect(offered(...words)).toEqual(values);
  });

  it.each([
    ['paths of documents', ['get', ''], 'path'],
    ['paths of documents by the name of a group', ['fetch', 'no'], 'path'],
    ['every path of a command that takes several', ['get', 'a.md', 'b'], 'path'],
    ['paths and chunks where a place is cited', ['open', ''], 'place'],
    ['chunks', ['fetch', 'chunk', '0f'], 'chunk_id'],
    ['sessions', ['sessions', 'show', ''], 'session'],
    ['sessions of a flag', ['ask', '--session', ''], 'session'],
    ['tags', ['search', 'x', '--tag', ''], 'tag'],
    ['sources that can be removed', ['remove', ''], 'own_source'],
    ['documents that were added by hand', ['rm', ''], 'added_path'],
    ['sources of a flag', ['list', 'docs', '--source', ''], 'source'],
    ['models', ['models', 'pull', ''], 'model'],
    ['settings', ['config', 'get', ''], 'config_key'],
    ['the values of a setting', ['config', 'set', 'logging.level', ''], 'config_value'],
    ['folders', ['try', ''], 'folder'],
    ['files', ['ingest-file', ''], 'file'],
    ['parts and files to install', ['plugin', 'install', ''], 'plugin_source'],
    ['installed plugins', ['plugin', 'remove', ''], 'installed_plugin'],
    ['shells', ['completion', ''], Object.keys(SCRIPTS)],
  ] as const)('completes %s', (_what, words, completes) => {
    expect(openWord(words, COMMANDS).completes).toEqual(completes);
  });

  it('completes a file after @ in a question with paths of documents, and keeps the @', () => {
    expect(openWord(['ask', 'what', 'says', '@no'], COMMANDS)).toMatchObject({
      prefix: '@',
      typed: 'no',
      completes: 'path',
    });
  });

  it('returns the key before an incomplete value', () => {
    expect(openWord(['config', 'set', 'logging.level', 'd'], COMMANDS).previous).toBe('logging.level');
  });

  it('offers the kinds of plugins that can be created', () => {
    expect(offered('plugin', 'new', 'epub', '--kind', '')).toEqual(TEMPLATE_KINDS);
  });
});

describe('kebab complete', () => {
  it('offers missing parts and files where a plugin can be installed', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'kebab-complete-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    mkdirSync(path.join(cwd, 'plugin-epub'));
    const asked: unknown[] = [];
    const app: Partial<App> = {
      completeValue: async (request) => {
        asked.push(request);
        return ['ocr', 'pdf'];
      },
    };
    const line = (typed: string) => ['complete', '--', 'plugin', 'install', typed];
    expect((await runCommand(line(''), { app, cwd })).stdout.text).toBe('ocr\npdf\nplugin-epub/\n');
    expect((await runCommand(line('p'), { app, cwd })).stdout.text).toBe('pdf\nplugin-epub/\n');
    expect(asked).toMatchObject([{ kind: 'missing_part' }, { kind: 'missing_part' }]);
  });
});
