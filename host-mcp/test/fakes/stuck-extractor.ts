import type { Extractor } from '@kebab/core';

/** An extractor of plain text that does not finish until it is aborted. */
export function stuckExtractor(): Extractor {
  return {
    id: 'stuck',
    version: '1',
    match: { media: ['text'] },
    isolation: 'inline',
    fingerprint: () => 'stuck@1',
    supports: (media) => media.kind === 'text',
    parserVersion: () => 'text-v1',
    chunkerId: () => 'text-paragraph-v1',
    extract: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };
}
