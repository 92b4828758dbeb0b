import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJudgedSet, writeAsMarkdown } from './judged-set.ts';
import { sharedCases, sharedData } from './shared-data.ts';

/**
 * The kind of a question: its answer is in the corpus; it is, but in other words; it was written to look answerable; or it is about
 * something that is not in the corpus at all.
 */
export type QuestionKind = 'answerable' | 'reworded' | 'near' | 'far';

/** A corpus with questions, some of which have no answer in it. */
export interface RefusalSet {
  readonly name: string;
  readonly write: (folder: string) => Promise<void>;
  readonly questions: readonly RefusalQuestion[];
}

interface RefusalQuestion {
  readonly text: string;
  readonly kind: QuestionKind;
  /** Of an everyday question: whether the bounds of the estimate were chosen with it, or checked. */
  readonly part?: 'fit' | 'held' | undefined;
}

interface Row {
  readonly question: string;
  readonly answerable: boolean;
  readonly kind?: string;
}

interface EverydayRow {
  readonly corpus: string;
  readonly question: string;
  readonly note: string | null;
  /** True when no word of the question is in the note. */
  readonly meaning?: boolean;
  readonly part?: 'fit' | 'held';
}

const EVERYDAY = fileURLToPath(new URL('../everyday', import.meta.url));
const TECHNICAL = ['cranfield', 'cacm'];

/** Every set whose data is available, each with its name: everyday questions on small notes first, then judged sets of many documents. */
export function refusalSets(): readonly RefusalSet[] {
  return [...everydaySets(), ...sharedEverydaySets(), ...judgedSets(), ...technicalSets()];
}

/** Everyday questions on the small knowledge bases of `bench/everyday`, which is part of the repository. */
export function everydaySets(): readonly RefusalSet[] {
  return setsOf('everyday', path.join(EVERYDAY, 'questions.jsonl'), EVERYDAY);
}

function sharedEverydaySets(): readonly RefusalSet[] {
  const folder = sharedCases('asking');
  if (folder === null) return [];
  return ['everyday', 'questions'].flatMap((name) =>
    setsOf('shared', path.join(folder, `${name}.jsonl`), path.join(folder, 'corpus')),
  );
}

function setsOf(prefix: string, file: string, folder: string): readonly RefusalSet[] {
  const rows = lines(file).map((line) => JSON.parse(line) as EverydayRow);
  return [...new Set(rows.map(({ corpus }) => corpus))].map((corpus) => ({
    name: `${prefix}/${corpus}`,
    write: (to) => cp(path.join(folder, corpus), to, { recursive: true }),
    questions: rows
      .filter((row) => row.corpus === corpus)
      .map(({ question: text, note, meaning, part }) => {
        const kind = note === null ? 'far' : meaning === true ? 'reworded' : 'answerable';
        return { text, kind, part };
      }),
  }));
}

/** One in English, and one in Korean without the pages of one subject. */
function judgedSets(): readonly RefusalSet[] {
  return ['squad2', 'ko-autorag'].flatMap((name) => {
    const folder = sharedData(name);
    if (folder === null) return [];
    const set = readJudgedSet(folder);
    const kept = name === 'ko-autorag' ? new Set(lines(path.join(folder, 'refusal-kb-docs.txt'))) : null;
    const documents = set.documents.filter(({ id }) => kept?.has(id) ?? true);
    const questions = lines(path.join(folder, 'refusal.jsonl')).map((line) => {
      const row = JSON.parse(line) as Row;
      return { text: row.question, kind: kindOf(row) };
    });
    return [{ name, write: (to: string) => writeAsMarkdown({ ...set, documents }, to), questions }];
  });
}

/** Abstracts of two fields; the questions about one have no answer in the other. */
function technicalSets(): readonly RefusalSet[] {
  const sets = TECHNICAL.flatMap((name) => {
    const folder = sharedData(name);
    return folder === null ? [] : [{ name, set: readJudgedSet(folder) }];
  });
  return sets.map(({ name, set }) => ({
    name,
    write: (to) => writeAsMarkdown({ ...set, queries: [] }, to),
    questions: sets.flatMap((other) =>
      other.set.queries.map(({ text }) => ({ text, kind: other.name === name ? 'answerable' : 'far' }) as const),
    ),
  }));
}

function kindOf({ answerable, kind }: Row): QuestionKind {
  if (answerable) return 'answerable';
  return kind?.endsWith('near') === true ? 'near' : 'far';
}

function lines(file: string): readonly string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
