import type { PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the interceptor, with a term that stands in one of the questions of the suite. */
export const fixtures: PluginFixtures = {
  interceptor: {
    '{{id}}': (make) => ({ make: () => make({ config: { terms: { words: 'what a text is made of' } } }) }),
  },
};
