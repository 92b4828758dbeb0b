import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markOf } from '../scripts/bundle.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-mark-'));
  put('core/src/app/app.ts', 'one');
  put('host-cli/src/main.ts', 'one');
  put('plugins/md/src/index.ts', 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

describe('the build mark, which decides whether a service is used', () => {
  it('is the same for every host of the same sources', () => {
    const mark = markOf(folder);
    expect(mark).toMatch(/^[0-9a-f]{16}$/);
    put('host-cli/src/main.ts', 'two');
    put('host-mcp/src/main.ts', 'one');
    put('plugins/md/dist/index.js', 'built');
    expect(markOf(folder)).toBe(mark);
  });

  it.each(['core/src/app/app.ts', 'plugins/md/src/index.ts', 'plugins/new/src/index.ts', 'package-lock.json'])(
    'changes when %s changes',
    (name) => {
      const mark = markOf(folder);
      put(name, 'two');
      expect(markOf(folder)).not.toBe(mark);
    },
  );
});
