import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { launchProgram } from '../../src/launch/launch-program.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('launchProgram', () => {
  it('starts a program with its arguments as they are, without a shell', async () => {
    const file = path.join(folder, '$(touch x); "a" b.md');
    writeFileSync(file, 'text');
    const told = path.join(folder, 'told');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(told)}, process.argv[1])`;
    const plan = { command: process.execPath, args: ['-e', script, file], isEditor: false };
    await launchProgram(plan, file, { hasTerminal: false });
    while (!existsSync(told) || readFileSync(told, 'utf8') === '') await sleep(20);
    expect(readFileSync(told, 'utf8')).toBe(file);
  });

  it('starts nothing for a file that is gone', async () => {
    const file = path.join(folder, 'gone.md');
    const plan = { command: process.execPath, args: ['--version'], isEditor: false };
    await expect(launchProgram(plan, file, { hasTerminal: false })).rejects.toMatchObject({
      code: 'ENOENT',
      path: file,
    });
  });

  it.each([true, false])('says what to do when there is no such program (an editor: %s)', async (isEditor) => {
    const plan = { command: 'no-such-program-of-kebab', args: [folder], isEditor };
    await expect(launchProgram(plan, folder, { hasTerminal: true })).rejects.toMatchObject({
      ...{ code: 'invalid_input', details: { field: '--launch', value: 'no-such-program-of-kebab' } },
      hint: expect.stringContaining('EDITOR'),
    });
  });
});
