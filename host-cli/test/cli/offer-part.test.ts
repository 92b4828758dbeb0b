import { KebabError } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { ingestReport } from '../examples.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

const missing = new KebabError('model_not_pulled', 'drawing pages needs a part of kebab that is not installed', {
  details: { model: 'pdf', provider: 'kebab' },
  hint: '`kebab plugin install pdf`',
});
const DOCTOR = ['doctor', '--verbose'];

/** Runs a line on a terminal where the user types an answer; `ran` is the line that was run again. */
async function answered(
  answer: string,
  { line = DOCTOR, ...test }: CommandTest & { readonly line?: readonly string[] } = {},
) {
  const ran: (readonly string[])[] = [];
  const outcome = await runCommand(line, {
    app: { doctor: () => Promise.reject(missing) },
    stdin: [answer],
    stdinIsTerminal: true,
    columns: 100,
    runAgain: async (words) => (ran.push(words), 0),
    ...test,
  });
  return { ...outcome, ran };
}

describe('a missing part of kebab', () => {
  it('is offered on a terminal, installed after a yes, and the command runs again', async () => {
    const { code, stderr, ran } = await answered('y\n');
    expect(stderr.text).toContain('Install the part pdf, and run this again? [y/N] ');
    expect(ran).toEqual([['plugin', 'install', 'pdf'], DOCTOR]);
    expect(code).toBe(0);
  });

  it('is not installed after a no, and the command fails', async () => {
    const { code, ran } = await answered('n\n');
    expect([code, ran]).toEqual([2, []]);
  });

  it('does not make the command run again if it could not be installed', async () => {
    const ran: (readonly string[])[] = [];
    const { code } = await answered('yes\n', { runAgain: async (words) => (ran.push(words), 2) });
    expect([code, ran]).toEqual([2, [['plugin', 'install', 'pdf']]]);
  });

  it.each<[string, CommandTest & { readonly line?: readonly string[] }]>([
    ['where input is a pipe', { stdinIsTerminal: false }],
    ['in CI', { env: { CI: 'true' } }],
    ['with --json', { line: ['doctor', '--json'] }],
    ['with --quiet', { line: ['doctor', '--quiet'] }],
    ['in read-only mode', { line: ['doctor', '--readonly'] }],
  ])('is not offered %s', async (_, test) => {
    const { stderr, ran } = await answered('y\n', test);
    expect(stderr.text).not.toContain('[y/N]');
    expect(ran).toEqual([]);
  });

  it('is offered after an ingest that did without it', async () => {
    const degraded = [{ stage: 'ocr', reason: 'model_not_pulled', hint: '`kebab plugin install ocr`' }] as const;
    const app = { ingest: async () => ({ ...ingestReport, degraded }) } as unknown as CommandTest['app'] & object;
    const { ran } = await answered('y\n', { line: ['ingest'], app });
    expect(ran).toEqual([['plugin', 'install', 'ocr'], ['ingest']]);
  });
});
