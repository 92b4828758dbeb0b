import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identityOf } from '../../src/files/read-regular-file.ts';

describe('identityOf', () => {
  it('identifies a file wherever it is moved, and distinguishes it from the next one at its path', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kebab-identity-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [a, b, link] = [join(folder, 'a'), join(folder, 'b'), join(folder, 'link')];
    expect(identityOf(a)).toBeNull();
    writeFileSync(a, 'one');
    symlinkSync(a, link);
    const first = identityOf(a);
    const { dev, ino } = statSync(a, { bigint: true });
    expect(first).toBe(`${dev}:${ino}`);
    expect(identityOf(link)).toBe(first);
    renameSync(a, b);
    writeFileSync(a, 'two');
    expect(identityOf(b)).toBe(first);
    expect(identityOf(a)).not.toBe(first);
  });
});
