import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-create-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm create kebab-plugin', { timeout: 60_000 }, () => {
  it('takes name and kind as arguments, or prompts for them', async () => {
    const told = await create(['bookmarks', '--kind', 'reranker']);
    expect(told).toMatchObject({ code: 0, made: true });
    expect(told.stdout).toContain('kebab-plugin-bookmarks/src/reranker.ts\n');
    const asked = await create([], 'bookmarks\nvector store\n');
    expect(asked).toMatchObject({ code: 0, made: true });
    expect(asked.stderr).toContain('kind (extractor, ');
  });

  it('writes nothing for invalid input, and says why', async () => {
    expect(await create(['bookmarks', '--kind', 'teapot'])).toMatchObject({
      code: 2,
      made: false,
      stderr: expect.stringContaining('"teapot" is not a kind of plugin; the kinds are extractor, '),
    });
    expect(await create(['Book Marks', '--kind', 'ocr'])).toMatchObject({ code: 2, made: false });
    expect(await create([], 'bookmarks\n')).toMatchObject({ code: 2, made: false });
  });
});

let folders = 0;

/** Runs the program in its own folder. */
async function create(args: readonly string[], typed = '') {
  const cwd = path.join(folder, `create-${folders++}`);
  mkdirSync(cwd);
  const main = new URL('../src/main.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(main)}).then(async ({ main }) => { process.exitCode = await main(process.argv.slice(1)); })`;
  const loader = fileURLToPath(new URL('../../scripts/run-ts.mjs', import.meta.url));
  const child = spawn(process.execPath, ['--import', loader, '-e', program, '--', ...args], { cwd });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => out.push(data.toString()));
  child.stderr.on('data', (data: Buffer) => err.push(data.toString()));
  child.stdin.end(typed);
  const code = await new Promise((resolve) => child.once('close', resolve));
  const made = existsSync(path.join(cwd, 'kebab-plugin-bookmarks', 'package.json'));
  return { code, stdout: out.join(''), stderr: err.join(''), made };
}
