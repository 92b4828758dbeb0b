import type { DocumentRow } from '../contracts/document-store.ts';
import { documentDate } from '../domain/document-date.ts';
import { allTags } from '../domain/metadata.ts';
import { TRUST_LEVELS } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';

/** Whether a document without front matter passes every filter: the plain definition that stores must agree with. */
export function matchesFilters(document: DocumentRow, filters: SearchFilters): boolean {
  return (
    (filters.tag === undefined ||
      filters.tag.some((tag) => allTags(document).some((other) => isTagBelow(other, tag)))) &&
    among(filters.lang, document.lang) &&
    (filters.pathGlob === undefined ||
      filters.pathGlob.some((glob) => globPattern(glob).test(document.workspacePath))) &&
    (filters.trustMin === undefined || trustOf(document.trustLevel) <= trustOf(filters.trustMin)) &&
    among(filters.media, document.media) &&
    (filters.ingestedAfter === undefined || document.committedAt >= filters.ingestedAfter) &&
    (filters.since === undefined || documentDate({}, document.updatedAt) >= filters.since) &&
    (filters.until === undefined || documentDate({}, document.updatedAt) < filters.until) &&
    among(filters.docId, document.docId) &&
    among(filters.repo, document.repo) &&
    among(filters.codeLang, document.codeLang) &&
    among(filters.source, document.sourceId) &&
    among(filters.sourceType, document.sourceType) &&
    (filters.title === undefined || filters.title.some((words) => holdsWords(document.title, words))) &&
    (filters.within === undefined || matchesFilters(document, filters.within))
  );
}

/** Whether a tag is `wanted` or lies below it; a `#` that front matter wrote before it does not count. */
function isTagBelow(tag: string, wanted: string): boolean {
  const bare = tag.replace(/^#+/, '');
  return bare === wanted || bare.startsWith(`${wanted}/`);
}

function holdsWords(title: string, words: string): boolean {
  const spaced = (text: string): string =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return spaced(title).includes(spaced(words));
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
