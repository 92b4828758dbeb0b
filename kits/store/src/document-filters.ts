import { analyseQuery, TRUST_LEVELS, type SearchFilters } from '@kebab/core';
import { SearchedText } from '@kebab/core/store';

/** The filters that list the values of a column of the documents `d`; those that are not set are left out. */
export function columnLists(filters: SearchFilters) {
  const { trustMin } = filters;
  const trusted = trustMin === undefined ? undefined : TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(trustMin) + 1);
  const lists = [
    ['d.doc_id', filters.docId],
    ['d.source_id', filters.source],
    ['d.media', filters.media],
    ['d.lang', filters.lang],
    ['d.source_type', filters.sourceType],
    ['d.repo', filters.repo],
    ['d.code_lang', filters.codeLang],
    ['d.trust_level', trusted],
  ] as const;
  return lists.flatMap(([column, list]) => (list === undefined ? [] : [{ column, list }]));
}

/** Compiles the text of a title filter: whether a title has its words side by side. */
export function compileTitle(text: string): (title: string) => boolean {
  const phrase = {
    text,
    parts: analyseQuery(`"${text.replaceAll('"', ' ')}"`).phrases.flatMap(({ parts }) => parts),
  };
  return (title) => new SearchedText(title).holds(phrase);
}
