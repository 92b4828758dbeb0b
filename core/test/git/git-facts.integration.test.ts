import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitFactsFor } from '../../src/git/git-facts.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'git-real-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const SETTINGS = ['user.name=A', 'user.email=a@example.org', 'protocol.file.allow=always', 'init.defaultBranch=main'];

function git(folder: string, ...args: readonly string[]): string {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  return execFileSync('git', [...settings, ...args], {
    cwd: join(root, folder),
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

function hasGit(): boolean {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function commitIn(folder: string, name: string): void {
  writeFileSync(join(root, folder, name), name);
  git(folder, 'add', name);
  git(folder, 'commit', '-m', name);
}

describe('gitFactsFor', () => {
  it.skipIf(!hasGit())(
    'agrees with git in work trees, submodules and after packing (skipped without git)',
    async () => {
      git('.', 'init', 'widgets');
      commitIn('widgets', 'a');
      git('.', 'init', 'part');
      commitIn('part', 'b');
      git('widgets', 'submodule', 'add', join(root, 'part'), 'libs/part');
      git('widgets', 'commit', '-m', 'c');
      git('widgets', 'worktree', 'add', '-b', 'fix/one', join(root, 'elsewhere'));
      commitIn('elsewhere', 'd');
      git('widgets', 'pack-refs', '--all');
      const repos = { widgets: 'widgets', 'widgets/libs/part': 'part', elsewhere: 'widgets', part: 'part' };
      for (const [folder, repo] of Object.entries(repos))
        expect({ folder, ...(await gitFactsFor(join(root, folder))) }).toEqual({
          folder,
          repo,
          branch: git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
          commit: git(folder, 'rev-parse', 'HEAD').slice(0, 12),
        });
      git('widgets', 'checkout', '--detach', 'HEAD~1');
      expect(await gitFactsFor(join(root, 'widgets'))).toEqual({
        repo: 'widgets',
        branch: null,
        commit: git('widgets', 'rev-parse', 'HEAD').slice(0, 12),
      });
    },
  );
});
