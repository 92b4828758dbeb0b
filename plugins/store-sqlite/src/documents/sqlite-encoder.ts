import { analyseChunk } from '@kebab/core';
import type { DocumentEncoder } from '@kebab/core/store';
import { prepareDocument } from './prepare-document.ts';

/** Makes documents ready for a writer, without a database. */
export const sqliteEncoder: DocumentEncoder = {
  analyseChunk,
  prepare: (write) => ({ docId: write.document.docId, prepared: prepareDocument(write) }),
};
