import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from '../../src/composition/plugin-contexts.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'kebab-test-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('TemporaryFolder', () => {
  it('is created on first use, one per App, and removed with its content', () => {
    const [one, other] = [new TemporaryFolder(parent), new TemporaryFolder(parent)];
    expect(readdirSync(parent)).toEqual([]);
    expect(one.path).toBe(one.path);
    expect(one.path).not.toBe(other.path);
    writeFileSync(path.join(one.path, 'passed'), 'x');
    const gone = one.path;
    one.remove();
    expect([existsSync(gone), existsSync(other.path)]).toEqual([false, true]);
    other.remove();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('creates its parent folder, and has nothing to remove when it was never used', () => {
    const folder = new TemporaryFolder(path.join(parent, 'deep', 'er'));
    folder.remove();
    expect(readdirSync(parent)).toEqual([]);
    expect(existsSync(folder.path)).toBe(true);
  });
});
