import type { DocumentTransaction } from '@kebab/core/store';

/**
 * Has a caller name the changes of a transaction. Throws what naming one of them threw, even if the caller has caught it, and a TypeError for
 * a caller that waits; changes that are named afterwards throw one too.
 */
export function nameChanges(tx: DocumentTransaction, change: (tx: DocumentTransaction) => void): void {
  const failures: unknown[] = [];
  let hasEnded = false;
  const guarded =
    <Given extends readonly unknown[]>(name: (...given: Given) => void) =>
    (...given: Given): void => {
      if (hasEnded) throw new TypeError('the transaction has ended');
      try {
        name(...given);
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
  try {
    const result: unknown = change({
      putDocument: guarded((document) => tx.putDocument(document)),
      deleteDocument: guarded((id) => tx.deleteDocument(id)),
      touchDocument: guarded((...given) => tx.touchDocument(...given)),
      touchDocuments: guarded((...given) => tx.touchDocuments(...given)),
    });
    if (result instanceof Promise) throw new TypeError('a transaction does not wait');
  } finally {
    hasEnded = true;
  }
  if (failures.length > 0) throw failures[0] satisfies unknown;
}
