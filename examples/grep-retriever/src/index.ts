import { definePlugin } from '@kebab/plugin';

/** Finds chunks the way grep finds lines. */
export default definePlugin({
  contributes: {
    retriever: {
      grep: async ({ documents }) => {
        if (documents === undefined) throw new Error('a retriever needs the documents');
        return (await import('./grep-retriever.ts')).createGrepRetriever(documents);
      },
    },
  },
});
