import stringWidth from 'fast-string-width';
import type { SearchHit, ShownPassage } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { pickFrame } from '../../src/commands/pick.ts';
import { createColors } from '../../src/screen/colors.ts';
import { hit } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const colors = createColors(false);

const hits: readonly SearchHit[] = Array.from({ length: 40 }, (_, at) => ({
  ...hit,
  rank: at + 1,
  section_label: `Section ${at} ${'of a very long name '.repeat(8)}가마의 온도`,
}));

function passage(): ShownPassage {
  const lines = Array.from({ length: 60 }, (_, at) => ({
    number: at + 1,
    isInside: at >= 10,
    text: at === 30 ? 'the kiln of the workshop' : `${at} 유약이 ${'무척 두꺼운 '.repeat(20)}`,
    matches: at === 30 ? [{ start: 4, end: 8, of: 'kiln' }] : [],
  }));
  return { chunkId: hit.chunk_id, title: { text: 'T', matches: [] }, label: null, file: null, lines };
}

describe('kebab search --pick', () => {
  it.each([
    [80, 24, 0],
    [80, 24, 39],
    [40, 10, 17],
    [20, 4, 3],
    [200, 60, 5],
  ])('fits into %i columns and %i rows at hit %i, and shows what is chosen', (columns, rows, at) => {
    const frame = pickFrame(hits, { at, note: '', columns, rows, passageOf: passage, colors });
    expect(frame.length).toBeLessThanOrEqual(rows);
    for (const line of frame) expect(stringWidth(line)).toBeLessThan(columns);
    expect(frame.filter((line) => line.startsWith('> '))).toEqual([expect.stringContaining(`> ${at + 1}. `)]);
  });

  it('begins the preview where the passage matches', () => {
    const view = { at: 0, note: '', columns: 80, rows: 24, passageOf: passage, colors };
    expect(pickFrame(hits, view).join('\n')).toContain('the kiln of the workshop');
    const marked = pickFrame(hits, { ...view, colors: createColors(true) }).join('\n');
    expect(marked).toContain(`the ${createColors(true).bold(createColors(true).red('kiln'))}`);
  });

  it('says what was copied, and shows hostile names as text', () => {
    const evil = { ...hit, section_label: '\u001B[2Jgone' };
    const view = { at: 0, note: 'copied \u001B]0;x', columns: 80, rows: 24, passageOf: () => undefined, colors };
    const text = pickFrame([evil], view).join('\n');
    expect(text).toContain('copied');
    expect(text).not.toContain('\u001B');
  });

  it.each([[[]], [['--json']]])('is refused without a terminal, and with %j', async (flags) => {
    const { code, stderr } = await runCommand(['search', 'kiln', '--pick', ...flags], { app: {} });
    expect(code).not.toBe(0);
    expect(stderr.text).toContain('--pick needs a terminal');
  });
});
