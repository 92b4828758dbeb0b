import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A query with the grades of the documents that answer it. */
export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** By document id; higher is better, only positive grades. */
  readonly grades: ReadonlyMap<string, number>;
}

/** A corpus in BEIR layout with its judged queries. */
export interface JudgedSet {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly JudgedQuery[];
}

interface Row {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

/** Reads a judged set; queries without a positive judgment are skipped. */
export function readJudgedSet(folder: string): JudgedSet {
  const grades = new Map<string, Map<string, number>>();
  for (const line of readFileSync(path.join(folder, 'qrels.tsv'), 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (query === undefined || document === undefined || Number(grade) <= 0) continue;
    const judged = grades.get(query) ?? new Map<string, number>();
    grades.set(query, judged.set(document, Number(grade)));
  }
  return {
    documents: rows(folder, 'corpus.jsonl').map(({ _id, title = '', text }) => ({ id: _id, title, text })),
    queries: rows(folder, 'queries.jsonl').flatMap(({ _id, text }) => {
      const judged = grades.get(_id);
      return judged === undefined ? [] : [{ id: _id, text, grades: judged }];
    }),
  };
}

/** Writes each document as a separate Markdown file; the file's name is the encoded id. */
export async function writeAsMarkdown(set: JudgedSet, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { id, title, text } of set.documents) {
    const heading = title === '' ? '' : `# ${title.replaceAll(/\s+/g, ' ').trim()}\n\n`;
    await writeFile(path.join(folder, `${encodeURIComponent(id)}.md`), `${heading}${text}\n`);
  }
}

/** The document id for a workspace path written by {@link writeAsMarkdown}. */
export function documentIdOf(workspacePath: string): string {
  return decodeURIComponent(path.posix.basename(workspacePath, '.md'));
}

function rows(folder: string, file: string): readonly Row[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}
