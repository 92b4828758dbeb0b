import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runNpm } from '../../../src/admin/installing/run-npm.ts';

/** Runs a program as the npm script of a package: npm passes its output on. */
async function printedBy(program: string): Promise<string> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'kebab-npm-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(path.join(cwd, 'print.js'), program);
  writeFileSync(path.join(cwd, 'package.json'), JSON.stringify({ scripts: { print: 'node print.js' } }));
  return runNpm(['run', '--silent', 'print'], {
    cwd,
    env: { ...process.env, npm_config_cache: path.join(cwd, 'npm') },
  });
}

describe('the output of npm', () => {
  it('is returned completely, even with thousands of files', async () => {
    const files = Array.from({ length: 5000 }, (_, at) => ({
      path: `dist/part/of/a/plugin/${at}.js`,
      size: 1,
      mode: 420,
    }));
    const printed = await printedBy(`console.log(JSON.stringify(${JSON.stringify({ files })}))`);
    expect(printed.length).toBeGreaterThan(200_000);
    expect(JSON.parse(printed)).toEqual({ files });
  });

  it('is rejected when it does not end, and npm is killed', async () => {
    const endless = `process.stdout.on('error', () => process.exit());
      const print = (failure) => failure ?? process.stdout.write('x'.repeat(1e6), print);
      print();`;
    await expect(printedBy(endless)).rejects.toMatchObject({
      code: 'io_error',
      message: expect.stringContaining('npm run printed more than 64 MiB'),
      details: { kind: 'EFBIG' },
    });
  });
});
