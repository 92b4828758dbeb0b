import type { Hook, Logger } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly forbidden: readonly string[];
}

/**
 * Creates the hook: it stops questions with a forbidden word, and logs counts of hits, answers and ingested documents. It receives frozen
 * copies; to add something to a question, write an interceptor.
 */
export function createHook({ forbidden }: Settings, log: Logger): Hook {
  const words = new Set(forbidden.flatMap(wordsOf));
  return {
    onPromptSubmit: async ({ userItem }) => {
      const found = wordsOf(userItem.text).find((word) => words.has(word));
      return found === undefined
        ? { action: 'continue' }
        : { action: 'cancel', reason: `questions about "${found}" are not asked here` };
    },
    onRetrieved: (response) => log.info('found', { hits: countOf(response, 'hits') }),
    onAnswer: (answer) => log.info('answered', { citations: countOf(answer, 'citations') }),
    onIngested: (report) => log.info('indexed', { files: countOf(report, 'items') }),
  };
}

/** The length of a list in a wire object. Only counts are logged, never text: others than the asker read logs. */
function countOf(object: unknown, list: string): number {
  const entries = (object as Readonly<Record<string, unknown>>)[list];
  return Array.isArray(entries) ? entries.length : 0;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
