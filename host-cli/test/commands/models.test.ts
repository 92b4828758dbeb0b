import type { ModelList } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../fakes/run-command.ts';

const model = { provider: 'transformers', present: false, bytes: null, configured: false } as const;

const models: ModelList['models'] = [
  { ...model, id: 'e5-small', role: 'embedding', present: true, bytes: 85_300_000, configured: true },
  { ...model, id: 'potion-base-4M', role: 'embedding' },
  { ...model, id: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7', role: 'nli', configured: true },
];

describe('kebab models list', () => {
  it('lists models by their roles, each on one line of a terminal', async () => {
    const app = { modelList: async () => ({ schema_version: 'model_list.v1', models }) as const };
    const { stdout } = await runCommand(['models', 'list', '--color', 'never'], { app, columns: 80 });
    expect(stdout.text).toBe(
      [
        'embedding',
        '✓ e5-small        transformers  configured  81.3 MiB',
        '- potion-base-4M  transformers',
        '',
        'nli',
        '- Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7  transformers  configured',
        '',
      ].join('\n'),
    );
  });
});
