import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** The content of a lock that this process holds. */
async function ownLock(): Promise<string> {
  return oneAtATime(lock, async () => readFileSync(lock, 'utf8'));
}

/** The number of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

/** Whether the work starts without waiting for a timer; otherwise the lock is removed, so that it starts then. */
async function startsAtOnce(): Promise<boolean> {
  let hasStarted = false;
  const working = oneAtATime(lock, async () => void (hasStarted = true));
  await new Promise((resolve) => setImmediate(resolve));
  const atOnce = hasStarted;
  rmSync(lock, { force: true });
  await working;
  return atOnce;
}

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

  it('takes over the lock of a killed process without waiting', async () => {
    writeFileSync(lock, (await ownLock()).replace(String(process.pid), String(endedPid())));
    expect(await startsAtOnce()).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('waits for a process that is alive', async () => {
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    try {
      writeFileSync(lock, (await ownLock()).replace(String(process.pid), String(other.pid)));
      expect(await startsAtOnce()).toBe(false);
    } finally {
      other.kill();
      await once(other, 'exit');
    }
  });

  it.each([
    [
      'of another computer or container',
      (content: string, pid: number) => content.replace(/^\d+ .*/, `${pid} elsewhere`),
    ],
    ['of an earlier version, which names no place', (_: string, pid: number) => `${pid}\n`],
    ['that is half written', () => ''],
  ])('does not judge a lock %s by a process number', async (_what, contentOf) => {
    writeFileSync(lock, contentOf(await ownLock(), endedPid()));
    expect(await startsAtOnce()).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)(
    'does the work where the lock of a killed process cannot be removed',
    async () => {
      writeFileSync(lock, (await ownLock()).replace(String(process.pid), String(endedPid())));
      chmodSync(folder, 0o555);
      expect(await oneAtATime(lock, async () => 'done')).toBe('done');
      chmodSync(folder, 0o755);
    },
  );

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
