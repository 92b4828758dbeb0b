import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitedProcess } from '../../../src/plugin/process/limited-process.ts';

describe('LimitedProcess', () => {
  it('ends with this process without one listener per process', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const before = process.listenerCount('exit');
    const folder = mkdtempSync(join(tmpdir(), 'kebab-idle-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'idle.mjs'), 'setInterval(() => {}, 60_000);');
    const url = pathToFileURL(join(folder, 'idle.mjs'));
    const listeners = { onMessage: () => {}, onEnd: () => {} };
    const started = Array.from({ length: 11 }, () => new LimitedProcess({ url, env: {}, memoryMb: 32 }, listeners));
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(started.map((one) => one.end()));
    expect(process.listenerCount('exit')).toBe(before);
    expect(warnings).toEqual([]);
  });
});
