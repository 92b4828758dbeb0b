import { describe, expect, it } from 'vitest';
import { doctor } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab doctor', () => {
  it('gives a reason and its remedy once if two checks fail for it', async () => {
    const down = { ok: true, optional: true, detail: 'connect ECONNREFUSED', hint: 'ollama serve' } as const;
    const checks = [
      { name: 'ollama_reachable', ...down },
      { name: 'ollama_model_pulled', ...down },
    ];
    const { stdout } = await runCommand(['doctor'], { app: { doctor: async () => ({ ...doctor, ok: true, checks }) } });
    expect(stdout.text).toBe(
      [
        '○ ollama_reachable      optional: connect ECONNREFUSED',
        '                        hint: ollama serve',
        '○ ollama_model_pulled   optional: see ollama_reachable',
        '',
        'all checks passed.',
        '',
      ].join('\n'),
    );
  });
});
