import { definePlugin } from '@kebab/core';

/** Finds chunks as grep finds lines. */
export default definePlugin({
  name: 'kebab-plugin-grep',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '^1',
  permissions: { fs: 'none', net: [], spawn: [] },
  contributes: {
    retriever: {
      grep: async ({ documents }) => {
        if (documents === undefined) throw new Error('a retriever needs the documents');
        return (await import('./grep-retriever.ts')).createGrepRetriever(documents);
      },
    },
  },
});
