import type { DocumentStore } from '../contracts/document-store.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';

const MIN_DIGITS = 6;
const ID_LENGTH = 32;
const SHOWN = 10;

/**
 * The full id that a person shortened to its first hex digits; a full id is looked up as well. Throws `invalid_input`
 * for fewer than six digits, other signs, and when several ids begin so; `chunk_not_found` or `doc_not_found` when none
 * does.
 */
export async function resolveId(
  store: Pick<DocumentStore, 'findIds'>,
  kind: 'document' | 'chunk',
  text: string,
): Promise<string> {
  const prefix = text.trim().toLowerCase();
  const field = kind === 'chunk' ? 'chunk_id' : 'doc_id';
  if (!/^[0-9a-f]+$/.test(prefix) || prefix.length < MIN_DIGITS || prefix.length > ID_LENGTH)
    throw invalidInput(
      `${JSON.stringify(text)} is not an id: an id has ${ID_LENGTH} hex digits, of which the first ${MIN_DIGITS} may do`,
      { field, value: text },
    );
  const ids = await store.findIds(kind, prefix, SHOWN);
  const [id] = ids;
  if (id === undefined) throw notFound(kind, prefix);
  if (ids.length === 1) return id;
  throw invalidInput(`several ${kind}s have an id that begins with ${prefix}`, {
    field,
    value: text,
    allowed: ids,
    hint: 'type more digits of the one you mean',
  });
}

/** The error for an id that names nothing. */
export function notFound(kind: 'document' | 'chunk', id: string): KebabError {
  if (kind === 'chunk')
    return new KebabError('chunk_not_found', `there is no chunk ${id}`, { details: { chunk_id: id } });
  return new KebabError('doc_not_found', `there is no document ${id}`, { details: { doc_id: id, path: null } });
}

/** The error for a path at which no document is. */
export function notFoundAt(path: string, hint?: string): KebabError<'doc_not_found'> {
  return new KebabError('doc_not_found', `there is no document at ${JSON.stringify(path)}`, {
    details: { doc_id: null, path },
    ...(hint === undefined ? {} : { hint }),
  });
}
