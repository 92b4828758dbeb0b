import type { Hook, Logger } from '@kebab/plugin';

/** What a user can set. */
export interface Settings {
  readonly forbidden: readonly string[];
}

/**
 * Makes the hook: questions with a forbidden word are stopped, and what was found, answered and taken in is counted in the
 * log. It sees frozen copies; to add something to a question is the business of an interceptor.
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
    onIngested: (report) => log.info('taken in', { files: countOf(report, 'items') }),
  };
}

/** How many entries a list of a wire object has. Counts are logged, and no text: logs are read by others than the asker. */
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
