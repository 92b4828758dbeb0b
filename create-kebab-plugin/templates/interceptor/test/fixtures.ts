import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the interceptor, with a term that occurs in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  interceptor: {
    '{{id}}': (make) => ({ make: () => make({ config: { terms: { words: 'what a text is made of' } } }) }),
  },
};
