import type { DocumentRow } from '../contracts/document-store.ts';
import type { ProvenanceEvent } from '../domain/metadata.ts';

/** Repository and language of source code; keys are omitted for other documents and for unknown values. */
export function codeFacts(document: DocumentRow): { repo?: string; code_lang?: string } {
  if (document.media !== 'code') return {};
  return {
    ...(document.repo === null ? {} : { repo: document.repo }),
    ...(document.codeLang === null ? {} : { code_lang: document.codeLang }),
  };
}

/** The pages of a document on which OCR was used, according to its history: `pages 1–4, 7` are five. */
export function pagesReadByOcr(history: readonly Pick<ProvenanceEvent, 'kind' | 'note'>[]): ReadonlySet<number> {
  const pages = new Set<number>();
  for (const { kind, note } of history) {
    if (kind === 'ocr_applied') for (const page of pagesIn(note ?? '')) pages.add(page);
  }
  return pages;
}

/** Parses the pages at the start of a history note: `pages 1–4, 7` are five. */
export function pagesIn(note: string): ReadonlySet<number> {
  const pages = new Set<number>();
  const [, listed = ''] = /^pages? (\d[\d–, ]*)/.exec(note) ?? [];
  for (const [, first, last = first] of listed.matchAll(/(\d+)(?:–(\d+))?/g))
    for (let page = Number(first); page <= Number(last); page++) pages.add(page);
  return pages;
}
