import { describe, expect, it } from 'vitest';
import { renderStage } from '../../src/commands/ask.ts';

describe('renderStage', () => {
  const reading = ['notes/a-very-long-folder/kebab-architecture.md', 'b.md', 'c.md'];

  it.each([
    [80, 0, 'reading …s/a-very-long-folder/kebab-architecture.md and 2 more, waiting for qwen'],
    [80, 3, 'reading …very-long-folder/kebab-architecture.md and 2 more, waiting for qwen 3 s'],
    [52, 12, 'reading …ecture.md and 2 more, waiting for qwen 12 s'],
    [45, 12, 'waiting for qwen 12 s'],
    [40, 12, 'waiting for qwen 12 s'],
    [10, 12, 'waiting f…'],
  ])(
    'shows in %i columns the documents being read and the stage that has been running for %i seconds',
    (columns, seconds, line) => {
      const shown = renderStage({ kind: 'waiting', model: 'qwen', reading }, { seconds, columns });
      expect(shown).toBe(line);
      expect(shown.length).toBeLessThanOrEqual(columns);
    },
  );

  it('shows a search, and for a question split into parts only the model that it waits for', () => {
    expect(renderStage({ kind: 'searching' }, { seconds: 0, columns: 80 })).toBe('searching');
    expect(renderStage({ kind: 'waiting', model: 'm', reading: [] }, { seconds: 1, columns: 80 })).toBe(
      'waiting for m 1 s',
    );
  });
});
