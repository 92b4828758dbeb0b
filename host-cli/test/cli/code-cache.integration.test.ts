import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const LOADER = fileURLToPath(new URL('../../bin/code-cache.cjs', import.meta.url));

/** Runs a file of one line through the loader, in a process of its own: V8's settings and Node's cache belong to a process. */
function load(cache: string): { readonly printed: string; readonly status: number | null } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-code-')));
  writeFileSync(path.join(folder, 'main.cjs'), "console.log('loaded');");
  const run = `require(${JSON.stringify(LOADER)}).load(${JSON.stringify(folder)}, 'main.cjs')`;
  const { NODE_DISABLE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, ['-e', run], {
    env: { ...env, XDG_CACHE_HOME: cache },
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  return { printed: stdout.trim(), status };
}

describe('the cache of compiled code', () => {
  it('is made with the folders above it', () => {
    const cache = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-cache-'))), 'not', 'there');
    expect(load(cache)).toEqual({ printed: 'loaded', status: 0 });
    expect(existsSync(path.join(cache, 'kebab', 'code', 'other'))).toBe(true);
  });

  it.skipIf(!existsSync('/proc/self'))('is done without where no folder can be made', () => {
    expect(load('/proc/kebab')).toEqual({ printed: 'loaded', status: 0 });
    expect(load('/dev/null/kebab')).toEqual({ printed: 'loaded', status: 0 });
  });
});
