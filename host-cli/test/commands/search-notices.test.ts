import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFirstToday } from '../../src/commands/search-notices.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('isFirstToday', () => {
  const morning = new Date(2026, 0, 2, 8);

  it('is true once a day for each notice, and again the next day', () => {
    const stateDir = path.join(folder, 'state');
    const shown = (key: string, now = morning): boolean => isFirstToday(key, { stateDir, now });
    expect([shown('a'), shown('a'), shown('b'), shown('b')]).toEqual([true, false, true, false]);
    expect(shown('a', new Date(2026, 0, 2, 23))).toBe(false);
    expect(shown('a', new Date(2026, 0, 3, 0))).toBe(true);
    expect(JSON.parse(readFileSync(path.join(stateDir, 'notices.json'), 'utf8'))).toEqual({
      date: '2026-01-03',
      keys: ['a'],
    });
  });

  it('makes its file readable only by its owner', () => {
    isFirstToday('a', { stateDir: path.join(folder, 'state'), now: morning });
    expect(statSync(path.join(folder, 'state', 'notices.json')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  it('is true if the file cannot be read or written, and replaces an invalid file', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(isFirstToday('a', { stateDir: file, now: morning })).toBe(true);
    expect(isFirstToday('a', { stateDir: file, now: morning })).toBe(true);
    writeFileSync(path.join(folder, 'notices.json'), '{"date":"2026-01-02","keys":null}');
    expect(isFirstToday('a', { stateDir: folder, now: morning })).toBe(true);
    expect(isFirstToday('a', { stateDir: folder, now: morning })).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('does not block on a named pipe in place of the file', () => {
    execFileSync('mkfifo', [path.join(folder, 'notices.json')]);
    expect(isFirstToday('a', { stateDir: folder, now: morning })).toBe(true);
    expect(isFirstToday('a', { stateDir: folder, now: morning })).toBe(false);
  });
});
