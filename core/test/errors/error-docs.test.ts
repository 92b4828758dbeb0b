import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_HINTS, ERROR_CODES } from '../../src/errors/codes.ts';
import { wireSamples } from '../wire/wire-samples.ts';

interface DocumentedError {
  readonly code: string;
  readonly when: string;
  readonly details: readonly string[];
  readonly hint: string;
  readonly exitCode: string;
}

const rows: readonly DocumentedError[] = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| `[a-z_]+` \|/.test(line))
  .map((line) => {
    const [, code = '', when = '', details = '', hint = '', exitCode = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return { code: code.replaceAll('`', ''), when, details: keysIn(details), hint, exitCode };
  });

describe('docs/errors.md', () => {
  it('has exactly one row per code, in the order of the list', () => {
    expect(rows.map((row) => row.code)).toEqual([...ERROR_CODES]);
  });

  it('says when each code is raised', () => {
    for (const { code, when } of rows)
      expect({ code, when }).toEqual({ code, when: expect.stringMatching(/^.{8,}\.$/) });
  });

  it('quotes the default hints verbatim', () => {
    expect(Object.fromEntries(rows.map((row) => [row.code, row.hint]))).toEqual(DEFAULT_HINTS);
  });

  it('lists the details as the wire carries them', () => {
    const carried = Object.fromEntries(wireSamples('error').map(({ code, details }) => [code, Object.keys(details)]));
    expect(Object.fromEntries(rows.map(({ code, details }) => [code, details]))).toEqual(carried);
  });

  it('gives every error the exit code 2', () => {
    expect(rows.map((row) => row.exitCode)).toEqual(rows.map(() => '2'));
  });
});

/** The names in backticks, without those in brackets, which are values. */
function keysIn(details: string): readonly string[] {
  return [...details.replaceAll(/\([^)]*\)/g, '').matchAll(/`([a-z_]+)`/g)].map(([, key = '']) => key);
}
