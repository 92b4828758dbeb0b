import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenedFiles } from '../../src/app/opened-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-opened-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function opened(): OpenedFiles {
  return new OpenedFiles({ database: at('kebab.sqlite'), configuration: [at('config.toml'), at('.kebab.toml')] });
}

function at(name: string): string {
  return path.join(folder, name);
}

describe('the files of an App', () => {
  it('are as they were while only the content of the database changes', () => {
    writeFileSync(at('kebab.sqlite'), 'one');
    const files = opened();
    appendFileSync(at('kebab.sqlite'), 'more');
    expect(files.outdated).toBeNull();
  });

  it('differ once the database is replaced or removed, but not when it is created', () => {
    const files = opened();
    writeFileSync(at('kebab.sqlite'), 'one');
    expect(files.outdated).toBeNull();
    writeFileSync(at('other.sqlite'), 'another');
    renameSync(at('other.sqlite'), at('kebab.sqlite'));
    expect(files.outdated).toBe('database');
    rmSync(at('kebab.sqlite'));
    expect(files.outdated).toBe('database');
  });

  it.each([
    ['created', () => writeFileSync(at('.kebab.toml'), '')],
    ['changed', () => writeFileSync(at('config.toml'), 'x = 12')],
    ['removed', () => rmSync(at('config.toml'))],
  ])('differ once a configuration file is %s', (_, change) => {
    writeFileSync(at('config.toml'), 'x = 1');
    const files = opened();
    expect(files.outdated).toBeNull();
    change();
    expect(files.outdated).toBe('configuration');
  });
});
