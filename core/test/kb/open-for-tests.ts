import { afterEach } from 'vitest';
import { KnowledgeBase, type KnowledgeBaseOptions } from './knowledge-base.ts';

/** Gives the tests of a block knowledge bases that are closed behind each of them. */
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
