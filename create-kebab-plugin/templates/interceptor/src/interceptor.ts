import type { Interceptor } from '@kebab/plugin';

/** What a user can set. */
export interface Settings {
  readonly terms: Readonly<Record<string, string>>;
}

/**
 * Makes the interceptor: behind a question that has terms of the glossary goes a message that says what they mean. It may
 * also stop a question: `{ action: 'cancel', reason }`.
 */
export function createInterceptor({ terms }: Settings): Interceptor {
  return {
    onPromptSubmit: async ({ userItem }) => {
      const words = new Set(userItem.text.match(/[\p{L}\p{N}]+/gu));
      const meant = Object.entries(terms).filter(([term]) => words.has(term));
      if (meant.length === 0) return { action: 'continue' };
      const lines = meant.map(([term, meaning]) => `${term}: ${meaning}`);
      return { action: 'continueWith', items: [{ role: 'system', text: `What terms mean:\n${lines.join('\n')}` }] };
    },
  };
}
