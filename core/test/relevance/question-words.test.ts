import { expect, it } from 'vitest';
import { questionWords } from '../../src/relevance/question-words.ts';

const QUESTION = 'Who ruled the duchy of Normandy?';

it.each([
  `Hi, could you please tell me: ${QUESTION} Thanks a lot in advance!`,
  `Hey kebab, quick question: ${QUESTION}`,
  `Please tell me ${QUESTION}`,
  `I was wondering, ${QUESTION} Thank you very much.`,
  'Who ruled the duchy of Normandy, please?',
])('omits polite phrases: %s', (text) => {
  expect(questionWords(text)).toEqual(questionWords(QUESTION));
});

it.each(['Hello, world program', 'thanks', 'Please Please Me', 'who tells me the time'])(
  'keeps the words of %j',
  (text) => {
    expect(questionWords(text).length).toBeGreaterThan(0);
  },
);

it.each([
  ['C++', ['c']],
  ['F# records', ['f', 'record']],
  ['C', ['c']],
  ['people', ['peopl']],
  ['is C++ fast', ['c', 'fast']],
  ['the', []],
  ['회의', ['회의']],
  ['물', ['물']],
  ['무엇', []],
  ['예산은', ['예산']],
  ['물은 예산', ['예산']],
])('knows what %j is about', (text, stems) => {
  expect(questionWords(text).map((word) => (word.kind === 'word' ? word.stems[0] : word.stem))).toEqual(stems);
});
