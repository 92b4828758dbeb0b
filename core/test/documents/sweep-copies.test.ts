import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sweepCopies } from '../../src/documents/sweep-copies.ts';

it('removes unreferenced copies, and no file that is elsewhere', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'kebab-copies-'));
  try {
    const assetDir = path.join(root, 'assets');
    mkdirSync(path.join(assetDir, 'ab'), { recursive: true });
    const [copy, other] = [path.join(assetDir, 'ab/copy'), path.join(root, 'notes.md')];
    for (const file of [copy, other]) writeFileSync(file, 'x');
    const paths = [copy, other, `${assetDir}/../notes.md`, path.join(assetDir, 'gone')];
    sweepCopies({ sweepAssets: () => paths }, assetDir);
    expect([existsSync(copy), existsSync(other)]).toEqual([false, true]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
