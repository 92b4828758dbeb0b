import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneAtATime } from '../../src/files/one-at-a-time.ts';

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-one-at-a-time-'));
  lock = path.join(folder, 'some.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('oneAtATime', () => {
  it('runs one function after the other, and leaves no file', async () => {
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };
    await Promise.all([oneAtATime(lock, work('one')), oneAtATime(lock, work('two'))]);
    expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('waits for a lock, but takes over one that is unchanged for long', async () => {
    const steps: string[] = [];
    const work = async (): Promise<void> => void steps.push(`with ${readFileSync(lock, 'utf8') || 'its own'} lock`);
    writeFileSync(lock, "another's");
    const waiting = oneAtATime(lock, work);
    await oneAtATime(lock, async () => void steps.push('after a while'), 100);
    await waiting;
    expect([steps, readdirSync(folder)]).toEqual([['after a while', 'with its own lock'], []]);
  });

  it.skipIf(process.platform === 'win32')('leaves no lock behind where nothing can be written into it', () => {
    const module = new URL('../../src/files/one-at-a-time.ts', import.meta.url).href;
    const register = new URL('../../../scripts/register-ts.mjs', import.meta.url).href;
    const program = `import { readdirSync } from 'node:fs';
      import { oneAtATime } from ${JSON.stringify(module)};
      const during = await oneAtATime(${JSON.stringify(lock)}, async () => readdirSync(${JSON.stringify(folder)}));
      console.log(JSON.stringify([during, readdirSync(${JSON.stringify(folder)})]));`;
    const command = 'ulimit -f 0; exec "$0" --import "$1" --input-type=module --eval "$2"';
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, register, program], {
      encoding: 'utf8',
      env: { ...process.env, VITEST_WORKER_ID: '1' },
    });
    expect([stdout, stderr]).toEqual([`${JSON.stringify([['some.lock'], []])}\n`, '']);
  });

  it('leaves the lock of the process that took over from it', async () => {
    await oneAtATime(lock, async () => {
      rmSync(lock);
      writeFileSync(lock, 'of another');
    });
    expect(readFileSync(lock, 'utf8')).toBe('of another');
  });
});
