import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { type App, commitLines } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserHome } from './user-home.ts';

const user = new UserHome();
let home: string;
let app: App;
let commits: readonly string[];

function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const who = ['-c', 'user.name=Kim Min', '-c', 'user.email=kim@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd: path.join(home, folder), env, encoding: 'utf8', stdio: 'pipe' });
}

/** Commits these files at a time, and returns the hash. */
function commit(
  folder: string,
  message: string,
  files: Readonly<Record<string, string | null>>,
  day = '2026-01-01',
): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(home, folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (content === null) rmSync(file);
    else writeFileSync(file, content);
  }
  git(folder, 'add', '--all');
  const date = `${day}T12:00:00+09:00`;
  git(folder, 'commit', '--quiet', '--date', date, '-m', message);
  return git(folder, 'rev-parse', 'HEAD').trim();
}

const search = (query: string, more: Partial<Parameters<App['searchCommits']>[0]> = {}) =>
  app.searchCommits({ query, commits: 100, ...more });

beforeAll(async () => {
  home = user.folder;
  mkdirSync(path.join(home, 'widgets'));
  git('widgets', 'init', '--quiet');
  const marked = path.join(home, 'owned');
  commits = [
    commit(
      'widgets',
      'Start',
      { 'src/gauge.py': 'def read_gauge():\n    return 1\n', 'a b/칸.md': '보일러 압력\n' },
      '2026-01-01',
    ),
    commit(
      'widgets',
      'Retry when the boiler hiccups\n\nThe backoff doubles, as the vendor asks.',
      { 'src/retry.py': 'WAIT = 3\n' },
      '2026-01-10',
    ),
    commit(
      'widgets',
      'Read twice',
      { 'src/gauge.py': 'def read_gauge():\n    first = sample()\n    return sample()\n' },
      '2026-02-01',
    ),
    commit('widgets', 'Drop retries', { 'src/retry.py': null }, '2026-03-01'),
  ];
  // A repository can name programs to show its patches with: none of them runs.
  writeFileSync(path.join(home, 'widgets/.gitattributes'), '*.py diff=own filter=own\n');
  git('widgets', 'config', 'diff.own.textconv', `touch ${marked}; cat`);
  git('widgets', 'config', 'diff.external', `touch ${marked}`);
  git('widgets', 'config', 'diff.noprefix', 'true');
  git('widgets', 'config', 'filter.own.clean', `touch ${marked}; cat`);
  git('widgets', 'config', 'filter.own.required', 'true');
  mkdirSync(path.join(home, 'code/inner'), { recursive: true });
  git('code/inner', 'init', '--quiet');
  commit('code/inner', 'Add the pulley', { 'pulley.md': 'the pulley\n' });
  mkdirSync(path.join(home, 'plain'));
  writeFileSync(path.join(home, 'plain/a.md'), 'no repository\n');
  const env = { PATH: process.env['PATH'] ?? '' };
  const addAll = async (first: App) => {
    for (const name of ['widgets', 'code', 'plain']) await first.addSource({ path: name });
  };
  await user.run(addAll, env, { makesConfig: true });
  writeFileSync(path.join(home, 'code/inner/new.md'), 'new\n');
  app = await user.open(env);
  await app.ingest();
});
afterAll(() => user.remove());

/** Asks a knowledge base over a clone of `widgets` that has only its last commit. */
async function inShallowClone<T>(ask: (app: App) => Promise<T>): Promise<T> {
  const folder = path.join(home, 'shallow');
  if (!existsSync(folder)) git('.', 'clone', '--quiet', '--depth=1', `file://${home}/widgets`, 'shallow');
  const env = {
    PATH: process.env['PATH'] ?? '',
    KEBAB_WORKSPACE_ROOT: folder,
    XDG_CONFIG_HOME: path.join(home, 'other'),
    XDG_DATA_HOME: path.join(home, 'other'),
  };
  return await user.run(async (other) => {
    await other.ingest();
    return await ask(other);
  }, env);
}

const blame = (uri: string) => app.blame({ kind: 'uri', uri });

describe('the lines of a place with their commits', () => {
  it('come from the commits that last changed them', async () => {
    const { uri, lines } = await blame('widgets:src/gauge.py');
    expect(uri).toBe('widgets:src/gauge.py');
    expect(lines).toEqual([
      {
        line: 1,
        text: 'def read_gauge():',
        commit: commits[0],
        author: 'Kim Min',
        date: '2026-01-01T03:00:00.000Z',
        subject: 'Start',
      },
      ...[2, 3].map((line) => ({
        line,
        text: line === 2 ? '    first = sample()' : '    return sample()',
        commit: commits[2],
        author: 'Kim Min',
        date: '2026-02-01T03:00:00.000Z',
        subject: 'Read twice',
      })),
    ]);
  });

  it('are those that a citation names', async () => {
    const { lines } = await blame('widgets:src/gauge.py#L2-L3');
    expect(lines.map(({ line }) => line)).toEqual([2, 3]);
    expect((await blame('widgets:a b/칸.md')).lines).toMatchObject([{ text: '보일러 압력', commit: commits[0] }]);
  });

  it('say which are not committed', async () => {
    writeFileSync(path.join(home, 'code/inner/pulley.md'), 'the pulley\nand a rope\n');
    const { lines } = await blame('code:inner/pulley.md');
    expect(lines).toMatchObject([{ author: 'Kim Min' }, { line: 2, commit: null, author: null, date: null }]);
  });

  it('may be older than a shallow history, which they say', async () => {
    const { lines } = await inShallowClone((other) => other.blame({ kind: 'uri', uri: 'src/gauge.py' }));
    expect(lines).toMatchObject(Array.from({ length: 3 }, () => ({ commit: commits[3], is_boundary: true })));
  });

  it('are refused with the reason, where git knows nothing', async () => {
    await expect(blame('plain:a.md')).rejects.toMatchObject({
      message: expect.stringContaining('in no git repository'),
    });
    await expect(blame('code:inner/new.md')).rejects.toMatchObject({
      message: expect.stringContaining('git knows no'),
    });
    await expect(blame('widgets:src/gauge.py#L90')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(blame('widgets:src/retry.py')).rejects.toMatchObject({ code: 'doc_not_found' });
  });
});

describe('a search of commits', () => {
  it('finds words of a message, in another form, with the commit and its author', async () => {
    const { commits: hits, searched } = await search('retrying boilers');
    expect(hits[0]).toMatchObject({
      source_id: 'widgets',
      commit: commits[1],
      author: 'Kim Min',
      date: '2026-01-10T12:00:00+09:00',
      subject: 'Retry when the boiler hiccups',
    });
    expect(searched).toMatchObject([
      { source_id: 'widgets', commits: 4 },
      { source_id: 'code', commits: 1 },
    ]);
  });

  it('takes no line for changed whose parent a shallow clone does not have, and says that older commits are missing', async () => {
    const [lines, message] = await inShallowClone((other) =>
      Promise.all(['sample', 'drop'].map((query) => other.searchCommits({ query, commits: 100 }))),
    );
    expect(lines).toMatchObject({ commits: [], searched: [{ commits: 1, is_shallow: true }] });
    expect(message).toMatchObject({ commits: [{ commit: commits[3], subject: 'Drop retries', lines: [] }] });
    expect(lines === undefined ? [] : commitLines(lines)).toEqual([
      '0 commits of 1 searched',
      expect.stringContaining('older commits are not there'),
    ]);
  });

  it('shows the line of a message below its first one', async () => {
    const { commits: hits } = await search('vendor');
    expect(hits).toMatchObject([{ commit: commits[1], message_line: 'The backoff doubles, as the vendor asks.' }]);
  });

  it('finds added and removed lines, with the numbers that they have in the commit and in its parent', async () => {
    const { commits: hits } = await search('sample');
    expect(hits).toMatchObject([
      {
        commit: commits[2],
        lines: [
          { path: 'src/gauge.py', line: 2, side: 'added', text: '    first = sample()' },
          { path: 'src/gauge.py', line: 3, side: 'added', text: '    return sample()' },
        ],
      },
    ]);
    const removed = (await search('WAIT')).commits.find((hit) => hit.commit === commits[3]);
    expect(removed?.lines).toEqual([{ path: 'src/retry.py', line: 1, side: 'removed', text: 'WAIT = 3' }]);
  });

  it('finds parts of identifiers, Korean, and paths with spaces', async () => {
    expect((await search('gauge')).commits.map((hit) => hit.commit)).toContain(commits[0]);
    expect((await search('압력')).commits).toMatchObject([{ lines: [{ path: 'a b/칸.md', line: 1 }] }]);
  });

  it('reads the last commits only', async () => {
    const { commits: hits, searched } = await search('vendor', { commits: 2, source: ['widgets'] });
    expect(hits).toEqual([]);
    expect(searched).toMatchObject([{ commits: 2 }]);
  });

  it('keeps to a source, a path and a time', async () => {
    expect((await search('pulley', { source: ['widgets'] })).commits).toEqual([]);
    expect((await search('pulley')).commits).toMatchObject([
      { source_id: 'code', lines: [{ path: 'inner/pulley.md' }] },
    ]);
    expect((await search('source:code pulley')).searched).toMatchObject([{ source_id: 'code' }]);
    expect((await search('return', { path_glob: ['src/**'] })).commits).toHaveLength(2);
    expect((await search('return', { path_glob: ['docs/**'] })).commits).toEqual([]);
    expect((await search('retry', { since: '2026-02-15' })).commits).toMatchObject([{ commit: commits[3] }]);
    expect((await search('retry', { until: '2026-02-15' })).commits).toMatchObject([{ commit: commits[1] }]);
  });

  it('obeys phrases and exclusions', async () => {
    expect((await search('"read twice"')).commits).toMatchObject([{ commit: commits[2] }]);
    expect((await search('retry -backoff')).commits.map((hit) => hit.commit)).toEqual([commits[3]]);
  });

  it('rejects a filter that commits do not have, and says where there is no repository', async () => {
    await expect(search('tag:work retry')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(search('retry', { source: ['plain'] })).rejects.toMatchObject({
      message: expect.stringContaining('no source lies in a git repository'),
    });
  });

  it('runs no program that the repository names', () => {
    expect(existsSync(path.join(home, 'owned'))).toBe(false);
  });
});
