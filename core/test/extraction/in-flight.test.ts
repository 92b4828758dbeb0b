import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IN_FLIGHT_FILE, InFlight, type FileBeingRead } from '../../src/extraction/in-flight.ts';

let folder: string;
const opened: InFlight[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-in-flight-'));
});
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
  rmSync(folder, { recursive: true, force: true });
});

const FILE: FileBeingRead = {
  sourceId: 'default',
  workspacePath: 'a.md',
  checksum: 'b3:1',
  agent: 'md@1.0.0',
  parserVersion: 'markdown-v1',
};

function open(): InFlight {
  const inFlight = InFlight.open(folder);
  opened.push(inFlight);
  return inFlight;
}

/** A run that ends while it reads a file. */
function dieOver(file: FileBeingRead): void {
  void open().during(file, () => new Promise<never>(() => {}));
}

describe('InFlight', () => {
  it('suspects a file over which the process ended, and condemns it the second time', () => {
    expect(open().isSuspect(FILE)).toBe(false);
    dieOver(FILE);
    expect([open().isSuspect(FILE), open().isCondemned(FILE)]).toEqual([true, false]);
    dieOver(FILE);
    expect(open().isCondemned(FILE)).toBe(true);
  });

  it.each<[string, Partial<FileBeingRead>]>([
    ['content', { checksum: 'b3:2' }],
    ['plugin', { agent: 'md@1.0.1' }],
    ['parser', { parserVersion: 'markdown-v2' }],
  ])('takes a file with another %s for another', (_what, change) => {
    dieOver(FILE);
    dieOver(FILE);
    expect(open().isCondemned({ ...FILE, ...change })).toBe(false);
    dieOver({ ...FILE, ...change });
    expect(open().isCondemned({ ...FILE, ...change })).toBe(false);
  });

  it('forgets a file that was read after all, or failed without ending the process', async () => {
    for (const read of [() => Promise.resolve('read'), () => Promise.reject(new Error('no'))]) {
      dieOver(FILE);
      await open()
        .during(FILE, read)
        .catch(() => 'failed');
      expect(open().isSuspect(FILE)).toBe(false);
    }
  });

  it('holds all that were being read for suspects, and none that was not', async () => {
    const other = { ...FILE, workspacePath: 'b.md', checksum: 'b3:2' };
    const inFlight = open();
    void inFlight.during(FILE, () => new Promise<never>(() => {}));
    void inFlight.during(other, () => new Promise<never>(() => {}));
    await inFlight.during({ ...FILE, workspacePath: 'c.md' }, async () => {});
    const next = open();
    expect(['a.md', 'b.md', 'c.md'].map((workspacePath) => next.isSuspect({ ...FILE, workspacePath }))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(['', '[{"sour', '{}', '[null, 7, {"sourceId": "default"}]'])('takes %j for no record', (content) => {
    writeFileSync(path.join(folder, IN_FLIGHT_FILE), content);
    expect(open().isSuspect(FILE)).toBe(false);
  });

  it('lets a file be read where nothing can be written', async () => {
    const inFlight = InFlight.open(path.join(folder, 'file', 'below'));
    opened.push(inFlight);
    writeFileSync(path.join(folder, 'file'), '');
    expect(await inFlight.during(FILE, async () => 'read')).toBe('read');
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('');
  });
});
