import { afterEach } from 'vitest';
import { KnowledgeBase, type KnowledgeBaseOptions } from './knowledge-base.ts';

/** Provides the tests of a block with knowledge bases that are closed after each test. */
export function openForTests(): (options?: KnowledgeBaseOptions) => Promise<KnowledgeBase> {
  const opened: KnowledgeBase[] = [];
  afterEach(() => {
    for (const kb of opened.splice(0)) kb.close();
  });
  return async (options) => {
    const kb = await KnowledgeBase.open(options);
    opened.push(kb);
    return kb;
  };
}
