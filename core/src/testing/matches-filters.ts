import type { DocumentRow } from '../contracts/document-store.ts';
import { TRUST_LEVELS } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';

/** Whether a document passes every filter: the plain definition that stores must agree with. */
export function matchesFilters(document: DocumentRow, filters: SearchFilters): boolean {
  return (
    (filters.tag === undefined || filters.tag.some((tag) => document.tags.includes(tag))) &&
    among(filters.lang, document.lang) &&
    (filters.pathGlob === undefined ||
      filters.pathGlob.some((glob) => globPattern(glob).test(document.workspacePath))) &&
    (filters.trustMin === undefined || trustOf(document.trustLevel) <= trustOf(filters.trustMin)) &&
    among(filters.media, document.media) &&
    (filters.ingestedAfter === undefined || document.committedAt >= filters.ingestedAfter) &&
    among(filters.docId, document.docId) &&
    among(filters.repo, document.repo) &&
    among(filters.codeLang, document.codeLang) &&
    among(filters.source, document.sourceId) &&
    among(filters.sourceType, document.sourceType)
  );
}

function among<T>(wanted: readonly T[] | undefined, value: T | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function trustOf(level: DocumentRow['trustLevel']): number {
  return TRUST_LEVELS.indexOf(level);
}

/** Other signs than these stand for themselves; `[…]` is the same in both languages. */
const GLOB_PIECES: Readonly<Record<string, string>> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };

function globPattern(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.+(){}|]/g, (piece) => GLOB_PIECES[piece] ?? `\\${piece}`);
  return new RegExp(`^${source}${below(glob)}$`, 'su');
}

/** A folder by its name stands for all below it: with a slash behind it, or with a last name that has no wildcard. */
function below(glob: string): string {
  if (glob.endsWith('/')) return '.*';
  return /[*?[{\\]/.test(glob.slice(glob.lastIndexOf('/') + 1)) ? '' : '(?:/.*)?';
}
