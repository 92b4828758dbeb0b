import type { TextRange } from '@kebab/core';
import { compileText, once, remembered, type CompiledPassage } from './compile-passage.ts';
import { foldText, UNSPACED } from './content-words.ts';
import { answerWord } from './polarity.ts';
import { HAS_BULLET, isWrapped, SEPARATOR_ROW, sentenceEnds } from './split-claims.ts';
import { joinedWords, spokenWords, type SpokenWords } from './spoken-words.ts';

/** A sentence of a passage with what it is read with. */
export interface SourceSentence {
  /** The number of its passage. */
  readonly passage: number;
  readonly text: string;
  /** With its headings, its lead-in and the head of its table. */
  readonly whole: string;
  /** The words of the sentence and its context: title, headings and path, the lead-in of a list, the head of a table, the sentence a pronoun refers to. */
  readonly words: SpokenWords;
  /** Itself, its lead-in, and the sentence that a pronoun refers to. */
  readonly spoken: readonly string[];
  /** The sentence before it in its paragraph; empty for the first one. */
  readonly before: string;
  /** The words of its title, headings and path, of the lead-in of its list and the head of its table. */
  readonly context: SpokenWords;
  /** Both texts, indexed on first use. */
  readonly compiled: () => CompiledPassage;
}

const HEADING = /^[ \t]*#{1,6}[ \t]+/;
/** Pronouns whose noun stands in the sentence before. */
const PRONOUN =
  /(?<!\p{L})(?:it|its|they|them|their|this|these|he|him|his|she|her|er|sie|es|ihn|ihm|diese[rsmn]?|dessen|deren|il|elle|ils|elles|celui|ce|cette|él|ella|ellos|este|esta|esto|su|sus|esso|essa|questo|questa|hij|zij|deze|dit|он|она|оно|они|это)(?!\p{L})/iu;

/** The sentences of a passage without the orders in it, each with its context; `head` is what its prompt header names. */
export function sourceSentences(number: number, text: string, head: string): readonly SourceSentence[] {
  const sentences: SourceSentence[] = [];
  const read = remembered((part: string) => spokenWords(part));
  let lead = '';
  let before = '';
  let tableHead = '';
  const add = (sentence: string, above: string, earlier: string): void => {
    const around = `${head}\n${above}`;
    // Sentences of scripts without spaces leave out a subject that the one before names.
    const referent = PRONOUN.test(sentence) || UNSPACED.test(sentence) ? earlier : '';
    sentences.push({
      passage: number,
      text: sentence,
      whole: `${sentence}\n${around}`,
      spoken: [sentence, above, referent].filter((part) => part.trim() !== ''),
      before: earlier,
      context: read(around),
      words: joinedWords([sentence, around, referent].map(read)),
      // A value is that of the sentence, not of the one before it.
      compiled: once(() => ({
        ...compileText(`${sentence}\n${around}`, [foldText(sentence), foldText(around)]),
        number,
      })),
    });
  };
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] ?? '';
    if (line.trim() === '') {
      before = '';
      continue;
    }
    if (SEPARATOR_ROW.test(line)) continue;
    if (line.trim().startsWith('|')) {
      if (SEPARATOR_ROW.test(lines[at + 1] ?? '')) tableHead = line;
      add(answeredCells(line, tableHead), `${lead}\n${tableHead}`, '');
      continue;
    }
    tableHead = '';
    const isItem = HAS_BULLET.test(line);
    if (!isItem && !/^[ \t]/.test(line)) lead = '';
    while (!HEADING.test(line) && isWrapped(line, lines[at + 1] ?? '')) line += `\n${lines[++at] ?? ''}`;
    for (const { start, end } of sentenceRanges(line)) {
      const sentence = line.slice(start, end);
      add(sentence, lead, before);
      before = sentence;
    }
    if (/[:：]["”)*_]*\s*$/.test(line) || HEADING.test(line)) lead = isItem ? `${lead}\n${line}` : line;
  }
  return sentences;
}

/** A row with what its `yes` and `no` say: `not heated` below `heated`. */
function answeredCells(row: string, head: string): string {
  const names = head.split('|');
  return row
    .split('|')
    .map((cell, at) => {
      const word = answerWord(
        cell.replace(/^\s*[✓✔✅☑○◯]\uFE0F?\s*$/u, 'yes').replace(/^\s*[✗✘❌☒×]\uFE0F?\s*$/u, 'no'),
      );
      return word === null ? cell : `${word === 'no' ? 'not ' : ''}${names[at] ?? ''}`;
    })
    .join('|');
}

function sentenceRanges(text: string): readonly TextRange[] {
  const ends = sentenceEnds(text);
  return [...ends, text.length]
    .map((end, at) => ({ start: ends[at - 1] ?? 0, end }))
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)));
}
