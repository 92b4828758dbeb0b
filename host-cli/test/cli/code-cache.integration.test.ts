import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const LOADER = fileURLToPath(new URL('../../bin/code-cache.cjs', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-code-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a one-line file through the loader, in a separate process, because V8's flags and Node's cache are per process. */
function load(cache: string): { readonly printed: string; readonly status: number | null } {
  const code = path.join(folder, 'code');
  mkdirSync(code, { recursive: true });
  writeFileSync(path.join(code, 'main.cjs'), "console.log('loaded');");
  const run = `require(${JSON.stringify(LOADER)}).load(${JSON.stringify(code)}, 'main.cjs')`;
  const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ['-e', run], {
    env: { ...env, XDG_CACHE_HOME: cache },
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return { printed: stdout.trim(), status };
}

describe('the code cache', () => {
  it('is created with its parent folders', () => {
    const cache = path.join(folder, 'not', 'there');
    expect(load(cache)).toEqual({ printed: 'loaded', status: 0 });
    expect(existsSync(path.join(cache, 'kebab', 'code', 'other'))).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self'))('is skipped if its folder cannot be created', () => {
    expect(load('/proc/kebab')).toEqual({ printed: 'loaded', status: 0 });
    expect(load('/dev/null/kebab')).toEqual({ printed: 'loaded', status: 0 });
  });
});
