import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readJudgedSet, type JudgedSet } from './judged-set.ts';
import { sharedData } from './shared-data.ts';

/** A corpus, questions that it answers, and questions about other subjects. */
export interface RelevanceSet {
  readonly name: string;
  /** Whether the weights are fitted on it; otherwise they are evaluated on it. */
  readonly isFitted: boolean;
  readonly documents: JudgedSet['documents'];
  readonly questions: readonly { readonly text: string; readonly isAnswerable: boolean }[];
}

interface QaRow {
  readonly question: string;
  readonly is_impossible: boolean;
  readonly doc_id: string;
  readonly title: string;
}

const MAX_QUESTIONS = 300;

/** Every set whose data is available; others are skipped with a message. */
export function relevanceSets(): readonly RelevanceSet[] {
  const sets: RelevanceSet[] = [];
  const squad = sharedData('squad2');
  const korean = sharedData('ko-autorag');
  if (squad !== null) sets.push(...halvesOfArticles(squad));
  if (korean !== null) sets.push(...withoutOneSubject(korean));
  const texts = ['cranfield', 'cacm'].flatMap((name) => {
    const folder = sharedData(name);
    return folder === null ? [] : [{ name, set: readJudgedSet(folder) }];
  });
  for (const { name, set } of texts) {
    const others = texts.filter((other) => other.name !== name).flatMap((other) => other.set.queries);
    const questions = [...ask(set.queries, true), ...ask(others, false)];
    sets.push({ name, isFitted: name === 'cranfield', documents: set.documents, questions });
  }
  return sets;
}

/** Every second article, with questions about these and about the other articles; then vice versa. */
function halvesOfArticles(folder: string): readonly RelevanceSet[] {
  const { documents } = readJudgedSet(folder);
  const rows = readFileSync(path.join(folder, 'qa.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as QaRow);
  const titles = [...new Set(rows.map(({ title }) => title))];
  return [0, 1].map((half) => {
    const isInside = ({ title }: QaRow): boolean => titles.indexOf(title) % 2 === half;
    const inside = rows.filter(isInside);
    const ids = new Set(inside.map(({ doc_id: id }) => id));
    return {
      name: `squad2, half ${half + 1}`,
      isFitted: half === 0,
      documents: documents.filter(({ id }) => ids.has(id)),
      questions: [
        ...ask(questionsOf(inside.filter(({ is_impossible: impossible }) => !impossible)), true),
        ...ask(questionsOf(rows.filter((row) => !isInside(row))), false),
      ],
    };
  });
}

function questionsOf(of: readonly QaRow[]): readonly { readonly text: string }[] {
  return of.map(({ question: text }) => ({ text }));
}

function subjectOf(id: string): string {
  return id.split('-')[0] ?? '';
}

/** All pages except those of one subject, whose questions then have no answer; once for each subject. */
function withoutOneSubject(folder: string): readonly RelevanceSet[] {
  const { documents, queries } = readJudgedSet(folder);
  const subjects = [...new Set(documents.map(({ id }) => subjectOf(id)))].toSorted();
  return subjects.map((subject, at) => ({
    name: `ko-autorag, no ${subject}`,
    isFitted: at % 2 === 0,
    documents: documents.filter(({ id }) => subjectOf(id) !== subject),
    questions: queries.map(({ text, grades }) => ({
      text,
      isAnswerable: [...grades.keys()].some((id) => subjectOf(id) !== subject),
    })),
  }));
}

/** A limited number of questions, spread evenly over all. */
function ask(of: readonly { readonly text: string }[], isAnswerable: boolean): RelevanceSet['questions'] {
  const step = Math.max(1, of.length / MAX_QUESTIONS);
  return Array.from({ length: Math.min(of.length, MAX_QUESTIONS) }, (_, at) => ({
    text: of[Math.floor(at * step)]?.text ?? '',
    isAnswerable,
  }));
}
