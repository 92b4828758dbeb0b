import type { DocumentRow } from '../contracts/document-store.ts';

/** Repository and language of source code; no keys at all for other documents and unknown values. */
export function codeFacts(document: DocumentRow): { repo?: string; code_lang?: string } {
  if (document.media !== 'code') return {};
  return {
    ...(document.repo === null ? {} : { repo: document.repo }),
    ...(document.codeLang === null ? {} : { code_lang: document.codeLang }),
  };
}
