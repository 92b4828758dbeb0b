import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileLogger, type FileLoggerInit } from '../../src/composition/file-logger.ts';

async function logged(
  level: FileLoggerInit['level'],
  write: (log: FileLogger) => void,
  before: (folder: string) => Promise<unknown> = async () => {},
): Promise<{ readonly names: readonly string[]; readonly lines: readonly unknown[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kebab-log-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await before(folder);
  const log = new FileLogger({
    folder,
    level,
    retentionDays: 30,
    clock: { now: () => new Date('2026-03-31T12:00:00Z') },
  });
  write(log);
  await log.close();
  const names = (await readdir(folder)).toSorted();
  const text = await readFile(path.join(folder, 'kebab-2026-03-31.jsonl'), 'utf8').catch(() => '');
  return {
    names,
    lines: text
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
  };
}

describe('FileLogger', () => {
  it('writes JSON lines with the time of the record to a file of the day', async () => {
    const { names, lines } = await logged('info', (log) => log.info('ingest finished', { run_id: 'run_1' }));
    expect(names).toEqual(['kebab-2026-03-31.jsonl']);
    expect(lines).toEqual([{ level: 30, time: '2026-03-31T12:00:00.000Z', run_id: 'run_1', msg: 'ingest finished' }]);
  });
  it.skipIf(process.platform === 'win32')('makes files that only their owner reads', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kebab-log-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    let now = new Date('2026-03-31T23:59:59Z');
    const log = new FileLogger({ folder, name: 'audit', level: 'info', retentionDays: 30, clock: { now: () => now } });
    log.info('one');
    while (!existsSync(path.join(folder, 'audit-2026-03-31.jsonl'))) await sleep(5);
    now = new Date('2026-04-01T00:00:00Z');
    log.info('two');
    await log.close();
    const modes = (await readdir(folder)).map((name) => [name, statSync(path.join(folder, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({ 'audit-2026-03-31.jsonl': 0o600, 'audit-2026-04-01.jsonl': 0o600 });
  });
  it('creates no file for records below its level', async () => {
    expect((await logged('warn', (log) => log.info('quiet'))).names).toEqual([]);
  });
  it('excludes document text and secrets', async () => {
    const { lines } = await logged('info', (log) => log.error('failed', { text: 'private', qdrant: { apiKey: 'k' } }));
    expect(JSON.stringify(lines)).not.toMatch(/private|"k"/);
    expect(lines).toHaveLength(1);
  });
  it('removes files older than the retention period, and nothing else', async () => {
    const old = async (folder: string): Promise<void> => {
      for (const name of ['kebab-2026-02-28.jsonl', 'kebab-2026-03-02.jsonl', 'mine.txt'])
        await writeFile(path.join(folder, name), '');
    };
    expect((await logged('info', (log) => log.info('x'), old)).names).toEqual([
      'kebab-2026-03-02.jsonl',
      'kebab-2026-03-31.jsonl',
      'mine.txt',
    ]);
  });
  it('writes even if an old file cannot be removed', async () => {
    const { lines } = await logged(
      'info',
      (log) => log.info('x'),
      (folder) => mkdir(path.join(folder, 'kebab-2026-02-28.jsonl')),
    );
    expect(lines).toHaveLength(1);
  });
  it.runIf(existsSync('/dev/full'))(
    'continues while the disk is full, and writes the missed records later',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'kebab-log-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const full = path.join(folder, 'kebab-2026-03-31.jsonl');
      await symlink('/dev/full', full);
      const seen: string[] = [];
      let now = new Date('2026-03-31T12:00:00Z');
      const mirror = (line: string): void => void seen.push(line);
      const log = new FileLogger({ folder, level: 'info', retentionDays: 30, clock: { now: () => now }, mirror });
      for (const message of ['first', 'second']) log.info(message);
      while (seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await unlink(full);
      now = new Date('2026-04-01T12:00:00Z');
      log.info('third');
      await log.close();
      const text = await readFile(path.join(folder, 'kebab-2026-04-01.jsonl'), 'utf8');
      expect(text.match(/first|second|third/g)).toEqual(['first', 'second', 'third']);
    },
  );
});
