import type { PluginFixtures } from '@kebab/plugin/testing';

/** What the suite is given: the checker, and that it can distinguish a repeated claim from one about something else. */
export const fixtures: PluginFixtures = {
  groundedness: { '{{id}}': (make) => ({ make, judges: true }) },
};
