import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJudgedSet } from './judged-set.ts';
import { sharedData } from './shared-data.ts';

const SETS = ['cranfield', 'cacm', 'squad2', 'ko-autorag'];
/** The number of folders with equal shares of the documents: a filter on one of them matches 1 %. */
export const PARTS = 100;
/** Distant primes, so that neighbouring documents share no source. */
const STRIDES = [7919, 104_729];

/** The path of a document of a corpus written by {@link writeScaleCorpus}, and its unique word. */
export function scaleDocument(at: number): { readonly file: string; readonly word: string } {
  const part = String(at % PARTS).padStart(2, '0');
  return { file: `part-${part}/record-${at}.md`, word: `salt${at.toString(36)}x` };
}

/**
 * Writes Markdown documents with realistic words: each is the first half of one document of the judged sets and the second half of another,
 * with a unique word, last saved an hour ago. Returns false, with a message, if the sets are missing.
 */
export function writeScaleCorpus(folder: string, count: number): boolean {
  const documents = SETS.flatMap((name) => {
    const set = sharedData(name);
    return set === null ? [] : readJudgedSet(set).documents;
  });
  if (documents.length === 0) return false;
  for (let part = 0; part < PARTS; part++)
    mkdirSync(path.join(folder, path.dirname(scaleDocument(part).file)), { recursive: true });
  const savedAt = new Date(Date.now() - 3_600_000);
  for (let at = 0; at < count; at++) {
    const [first, second] = STRIDES.map((stride) => documents[(at * stride + at) % documents.length]);
    if (first === undefined || second === undefined) continue;
    const { file, word } = scaleDocument(at);
    const halves = [first.text.slice(0, first.text.length / 2), second.text.slice(second.text.length / 2)];
    const title = first.title.replaceAll(/\s+/g, ' ').trim();
    const text = `# ${title} ${at}\n\n${halves[0]}\n\n## Record ${word}\n\n${halves[1]}\n`;
    writeFileSync(path.join(folder, file), text);
    utimesSync(path.join(folder, file), savedAt, savedAt);
  }
  const parts = Array.from({ length: PARTS }, (_, part) => path.dirname(scaleDocument(part).file));
  for (const place of ['', ...parts]) utimesSync(path.join(folder, place), savedAt, savedAt);
  return true;
}
