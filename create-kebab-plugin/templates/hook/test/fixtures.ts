import type { PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the hook, with a word that stands in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  hook: { '{{id}}': (make) => ({ make: () => make({ config: { forbidden: ['words'] } }) }) },
};
