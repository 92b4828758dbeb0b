/** What errors call this plugin. */
export const PLUGIN = { name: '@kebab/plugin-rerank-transformers', version: '0.1.0' } as const;
