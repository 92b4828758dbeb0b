import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the embedder, tested with the English texts of the suite. */
export const fixtures: PluginFixtures = {
  embedder: { '{{id}}': (make) => ({ create: make }) },
};
