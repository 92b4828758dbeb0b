import type { DocumentRow } from '../contracts/document-store.ts';
import { invalidInput } from '../errors/invalid-input.ts';

/** Throws `invalid_input` when a document has no such page. */
export function requirePage(
  { workspacePath, pages }: Pick<DocumentRow, 'workspacePath' | 'pages'>,
  page: number,
): void {
  if (pages.some((candidate) => candidate.page === page)) return;
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
  throw invalidInput(`${workspacePath} has ${count}, no page ${page}`, { field: 'uri', value: String(page) });
}
