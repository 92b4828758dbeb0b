import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the hook, with a word that occurs in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  hook: { '{{id}}': (make) => ({ make: () => make({ config: { forbidden: ['words'] } }) }) },
};
