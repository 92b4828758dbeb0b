import type { Interceptor } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly terms: Readonly<Record<string, string>>;
}

/**
 * Creates the interceptor: after a question that contains terms of the glossary, it adds a message with their meaning. It may also stop a
 * question: `{ action: 'cancel', reason }`.
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
