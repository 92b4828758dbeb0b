import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { InFlight } from '../../src/extraction/in-flight.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const FILE = {
  sourceId: 'default',
  workspacePath: 'a.md',
  checksum: 'b3:1',
  agent: 'md@1.0.0',
  parserVersion: 'markdown-v1',
};

it.each([
  ['is killed', `process.kill(process.pid, 'SIGKILL')`, true],
  ['fails as a whole', `setImmediate(() => { throw new Error('no') })`, true],
  ['exits because of a second Ctrl-C', 'process.exit(130)', false],
])(
  'after a process that %s while it reads a file, the next run knows whether to suspect it',
  (_name, end, isSuspect) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-in-flight-'));
    folders.push(folder);
    const program = `import('./core/src/extraction/in-flight.ts').then(({ InFlight }) => {
      void InFlight.open(${JSON.stringify(folder)}).during(${JSON.stringify(FILE)}, () => new Promise(() => {}));
      ${end};
    })`;
    const args = ['--import', './scripts/run-ts.mjs', '--eval', program];
    expect(spawnSync(process.execPath, args, { cwd: root }).status).not.toBe(0);
    const next = InFlight.open(folder);
    next.close();
    expect(next.isSuspect(FILE)).toBe(isSuspect);
  },
  60_000,
);
