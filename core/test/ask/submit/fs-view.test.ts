import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FsView } from '../../../src/ask/submit/fs-view.ts';
import { sourceRoots } from '../../../src/documents/source-roots.ts';
import { TOOL_OUTPUT_MAX_BYTES } from '../../../src/ask/submit/resolve-file-refs.ts';
import type { KnowledgeBase } from '../../kb/knowledge-base.ts';
import { openForTests } from '../../kb/open-for-tests.ts';

const open = openForTests();

async function viewOf(kb: KnowledgeBase, cwd: string, path: string, maxBytes = TOOL_OUTPUT_MAX_BYTES) {
  return new FsView(sourceRoots(kb.config), cwd).resolveFileRef(path, maxBytes);
}

describe('FsView', () => {
  it('reads a file below a source, by a path relative to the source or absolute', async () => {
    const kb = await open();
    kb.putFile('notes/a.md', 'one\ntwo\n');
    const expected = {
      kind: 'file',
      sourceId: 'default',
      workspacePath: 'notes/a.md',
      body: 'one\ntwo\n',
      isCut: false,
    };
    for (const path of ['notes/a.md', './notes//a.md', join(kb.root, 'notes/a.md')])
      expect(await viewOf(kb, '/', path)).toMatchObject(expected);
  });

  it('tries the working folder first, if that is inside a source', async () => {
    const kb = await open();
    kb.putFile('a.md', 'of the source');
    kb.putFile('sub/a.md', 'of the working folder');
    expect(await viewOf(kb, join(kb.root, 'sub'), 'a.md')).toMatchObject({ workspacePath: 'sub/a.md' });
    expect(await viewOf(kb, join(kb.root, 'sub'), '../a.md')).toMatchObject({ workspacePath: 'a.md' });
    writeFileSync(join(dirname(kb.root), 'secret.md'), 'outside');
    expect(await viewOf(kb, dirname(kb.root), 'secret.md')).toMatchObject({ kind: 'NotFound' });
  });

  it('finds a referenced file in every source of the configuration', async () => {
    const kb = await open({
      env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: '${HOME}/other' }]) },
    });
    const other = kb.config.workspace.sources[0]?.root ?? '';
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'b.md'), 'b');
    expect(await viewOf(kb, '/', 'b.md')).toMatchObject({ sourceId: 'other', workspacePath: 'b.md' });
  });

  it('reads a path with a source prefix, as in hits, inside the sources only', async () => {
    const kb = await open({
      env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: '${HOME}/other' }]) },
    });
    const other = kb.config.workspace.sources[0]?.root ?? '';
    mkdirSync(other, { recursive: true });
    for (const folder of [kb.root, other]) writeFileSync(join(folder, 'b.md'), folder);
    writeFileSync(join(dirname(other), 'secret.md'), 'secret');
    expect(await viewOf(kb, '/', 'other:b.md')).toMatchObject({ sourceId: 'other', body: other });
    expect(await viewOf(kb, '/', 'default:b.md')).toMatchObject({ sourceId: 'default', body: kb.root });
    expect(await viewOf(kb, '/', 'other:c.md')).toMatchObject({ kind: 'NotFound' });
    expect(await viewOf(kb, '/', 'other:../secret.md')).not.toMatchObject({ kind: 'file' });
    writeFileSync(join(kb.root, 'other:b.md'), 'named so');
    expect(await viewOf(kb, '/', 'other:b.md')).toMatchObject({ sourceId: 'default', body: 'named so' });
  });

  it('reveals nothing about paths outside: the result is the same whether or not they exist', async () => {
    const kb = await open();
    const outside = dirname(kb.root);
    writeFileSync(join(outside, 'secret.md'), 'secret');
    symlinkSync(join(outside, 'secret.md'), join(kb.root, 'link.md'));
    symlinkSync(join(outside, 'absent.md'), join(kb.root, 'dangling.md'));
    symlinkSync(outside, join(kb.root, 'up'));
    const paths = [
      '../secret.md',
      '../absent.md',
      '../../etc/passwd',
      '/etc/passwd',
      '/etc/no-such-file',
      join(outside, 'secret.md'),
      'link.md',
      'dangling.md',
      'up/secret.md',
      'up/absent.md',
    ];
    const results = await Promise.all(paths.map((path) => viewOf(kb, kb.root, path)));
    expect(results).toEqual(paths.map(() => ({ kind: 'OutOfScope', message: expect.any(String) })));
  });

  it('follows links that stay inside', async () => {
    const kb = await open();
    kb.putFile('real/a.md', 'a');
    symlinkSync(join(kb.root, 'real'), join(kb.root, 'alias'));
    expect(await viewOf(kb, '/', 'alias/a.md')).toMatchObject({ kind: 'file', workspacePath: 'real/a.md' });
  });

  it('distinguishes missing, binary and unreadable files', async () => {
    const kb = await open();
    kb.putFile('nul.md', 'a\0b');
    kb.putFile('latin1.md', Buffer.from([0x61, 0xe9, 0x62]));
    kb.putFile('sub/a.md', 'a');
    symlinkSync(join(kb.root, 'loop'), join(kb.root, 'loop'));
    const kinds = ['absent.md', 'nul.md', 'latin1.md', 'sub', '.', 'loop', 'a\0.md'].map(
      async (path) => (await viewOf(kb, '/', path)).kind,
    );
    expect(await Promise.all(kinds)).toEqual(['NotFound', 'Binary', 'Binary', 'Io', 'Io', 'Io', 'Io']);
  });

  it.skipIf(process.platform === 'win32')('does not block on a pipe', async () => {
    const kb = await open();
    execFileSync('mkfifo', [join(kb.root, 'pipe')]);
    expect(await viewOf(kb, '/', 'pipe')).toMatchObject({ kind: 'Io' });
  });

  it('reads no more than it needs of a huge file', async () => {
    const kb = await open();
    kb.putFile('huge.md', 'text\n'.repeat(10_000));
    truncateSync(join(kb.root, 'huge.md'), 2 ** 31);
    const before = process.memoryUsage().arrayBuffers;
    const result = await viewOf(kb, '/', 'huge.md');
    expect(result).toMatchObject({ kind: 'file', isCut: true, totalBytes: 2 ** 31 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
    kb.putFile('zeros.md', '');
    truncateSync(join(kb.root, 'zeros.md'), 2 ** 31);
    expect(await viewOf(kb, '/', 'zeros.md')).toMatchObject({ kind: 'Binary' });
  });

  it.each([
    ['aé한😀', 1, 'a'],
    ['aé한😀', 2, 'a'],
    ['aé한😀', 3, 'aé'],
    ['aé한😀', 5, 'aé'],
    ['aé한😀', 6, 'aé한'],
    ['aé한😀', 9, 'aé한'],
    ['aé한😀', 10, 'aé한😀'],
  ])('truncates %j to at most %i bytes between characters: %j', async (text, maxBytes, body) => {
    const kb = await open();
    kb.putFile('a.md', text);
    expect(await viewOf(kb, '/', 'a.md', maxBytes)).toMatchObject({ body, lines: text });
  });
});
