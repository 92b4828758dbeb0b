import type { PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the embedder, in the English the suite brings. */
export const fixtures: PluginFixtures = {
  embedder: { '{{id}}': (make) => ({ create: make }) },
};
