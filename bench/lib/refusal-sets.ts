import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readJudgedSet, writeAsMarkdown } from './judged-set.ts';
import { sharedData } from './shared-data.ts';

/**
 * The kind of a question: its answer is in the corpus; it was written to look answerable; or it is about something that is not in the
 * corpus at all.
 */
export type QuestionKind = 'answerable' | 'near' | 'far';

/** A corpus with questions, some of which have no answer in it. */
export interface RefusalSet {
  readonly name: string;
  readonly write: (folder: string) => Promise<void>;
  readonly questions: readonly { readonly text: string; readonly kind: QuestionKind }[];
}

interface Row {
  readonly question: string;
  readonly answerable: boolean;
  readonly kind?: string;
}

/** Every set whose data is available: one in English, and one in Korean without the pages of one subject. */
export function refusalSets(): readonly RefusalSet[] {
  return ['squad2', 'ko-autorag'].flatMap((name) => {
    const folder = sharedData(name);
    if (folder === null) return [];
    const set = readJudgedSet(folder);
    const kept = name === 'ko-autorag' ? new Set(lines(folder, 'refusal-kb-docs.txt')) : null;
    const documents = set.documents.filter(({ id }) => kept?.has(id) ?? true);
    const questions = lines(folder, 'refusal.jsonl').map((line) => {
      const row = JSON.parse(line) as Row;
      return { text: row.question, kind: kindOf(row) };
    });
    return [{ name, write: (to: string) => writeAsMarkdown({ ...set, documents }, to), questions }];
  });
}

function kindOf({ answerable, kind }: Row): QuestionKind {
  if (answerable) return 'answerable';
  return kind?.endsWith('near') === true ? 'near' : 'far';
}

function lines(folder: string, file: string): readonly string[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
