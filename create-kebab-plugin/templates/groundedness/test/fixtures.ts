import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the checker, declared able to distinguish a repeated claim from one about something else. */
export const fixtures: PluginFixtures = {
  groundedness: { '{{id}}': (make) => ({ make, judges: true }) },
};
