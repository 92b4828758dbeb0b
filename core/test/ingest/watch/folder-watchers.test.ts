import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FolderWatchers } from '../../../src/ingest/watch/folder-watchers.ts';
import { THIS_MACHINE } from '../../../src/ingest/watch/watch-system.ts';

it('watches a directory that was removed and recreated, and reports events in it', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'kebab-watchers-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, aside] = [path.join(root, 'notes'), path.join(root, 'aside')];
  mkdirSync(folder);
  let tell = (_name: string): void => {};
  const told = new Promise<string>((resolve) => (tell = resolve));
  const watchers = new FolderWatchers((_, name) => (name === 'late.md' ? tell(name) : undefined), THIS_MACHINE);
  onTestFinished(() => watchers.close());
  expect(watchers.follow([folder])).toEqual([folder]);
  expect(watchers.follow([folder])).toEqual([]);
  renameSync(folder, aside); // so that the new one cannot get the inode of the old
  mkdirSync(folder);
  expect(watchers.follow([folder])).toEqual([folder]);
  writeFileSync(path.join(folder, 'late.md'), 'about salt\n');
  expect(await told).toBe('late.md');
});
