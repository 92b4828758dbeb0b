import { describe, expect, it } from 'vitest';
import { wrapLines } from '../../src/screen/wrap-lines.ts';

describe('wrapLines', () => {
  it.each([
    ['leaves a line that fits', 'a line that fits', 20, 'a line that fits'],
    ['breaks at spaces and goes on two columns in', 'notice: vector search off', 16, 'notice: vector\n  search off'],
    [
      'goes on below the text behind a label',
      'next  kebab search "bread" or more',
      20,
      'next  kebab search\n      "bread" or\n      more',
    ],
    [
      'takes less margin on a narrow terminal',
      `${' '.repeat(16)}hint: start the server`,
      20,
      `${' '.repeat(8)}hint: start\n${' '.repeat(8)}the server`,
    ],
    [
      'gives a long label no margin of its own',
      'embeddings_complete  the model is missing',
      24,
      'embeddings_complete\n  the model is missing',
    ],
    [
      'keeps colours',
      '\u001b[31merror:\u001b[39m the model is missing',
      16,
      '\u001b[31merror:\u001b[39m the\n  model is\n  missing',
    ],
    ['counts wide letters', '빵을 만드는 방법을 적은 노트', 14, '빵을 만드는\n  방법을 적은\n  노트'],
  ])('%s', (_what, line, columns, wrapped) => {
    expect(wrapLines(line, columns)).toBe(wrapped);
  });
});
