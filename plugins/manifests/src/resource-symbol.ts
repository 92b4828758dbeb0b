import type { Document } from 'yaml';

/** Larger documents are not parsed: a resource of a cluster has at most 1.5 MB, and then mostly data. */
const MAX_CHARS = 1_048_576;

/**
 * Names a Kubernetes resource: `Kind/namespace/name`, `Kind/name`, or `Kind` when it has no name. Null for a document that
 * is not valid YAML or has no `apiVersion` and `kind`.
 */
export async function resourceSymbol(source: string): Promise<string | null> {
  if (source.length > MAX_CHARS || !source.includes('apiVersion') || !source.includes('kind')) return null;
  const document = await parse(source);
  if (document === null || wordAt(document, ['apiVersion']) === '') return null;
  const kind = wordAt(document, ['kind']);
  if (kind === '') return null;
  const name = wordAt(document, ['metadata', 'name']) || wordAt(document, ['metadata', 'generateName']);
  if (name === '') return kind;
  return [kind, wordAt(document, ['metadata', 'namespace']), name].filter((part) => part !== '').join('/');
}

async function parse(source: string): Promise<Document | null> {
  const { parseDocument } = await import('yaml');
  try {
    const document = parseDocument(source, { logLevel: 'silent', prettyErrors: false });
    return document.errors.length === 0 ? document : null;
  } catch {
    return null; // nested too deeply
  }
}

/** The scalar at a path, on one line; empty when there is none. */
function wordAt(document: Document, path: readonly string[]): string {
  const value = document.getIn(path);
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll(/\s+/g, ' ').trim() : '';
}
