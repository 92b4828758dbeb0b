import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createEmlExtractor } from '../src/eml-extractor.ts';
import { MESSAGE } from './message.ts';

const read = (content: string) => extractDocument(createEmlExtractor(), 'a.eml', content);

describe('a message', () => {
  it('is read in order, each block with its citation', async () => {
    const { blocks, text, title } = await read(MESSAGE);
    expect(title).toBe('Fog signal – repair');
    const shown = blocks.map(({ kind, sourceSpan, start, end }) => [
      kind,
      sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
      text.slice(start, end),
    ]);
    expect(shown).toEqual([
      ['heading', 'section=fog-signal-repair', 'Fog signal – repair'],
      [
        'paragraph',
        'section=fog-signal-repair',
        'From: Ada Keeper <ada@example.org>\nTo: harbour@example.org, 등대 <light@example.org>\nDate: 2026-03-02T09:15:00.000Z\nAttachments: plan.pdf',
      ],
      ['paragraph', 'section=fog-signal-repair', 'The fog signal is broken — again.'],
      ['quote', 'section=fog-signal-repair', '> When will it work?\n> We need it.'],
      ['paragraph', 'section=fog-signal-repair', 'By Friday.'],
    ]);
  });
});
