import type { PluginFixtures } from '@kebab/plugin/testing';

const SAMPLE = `
== First section ==
One line. 한국어 한 줄. 😀

Two lines
in one paragraph.

== Second section ==

The last paragraph.
`;

/** What the suite is given: at least one file of the format. Add what has been awkward. */
export const fixtures: PluginFixtures = {
  extractor: {
    '{{id}}': (make) => ({
      make,
      text: 'derived', // not the text of the file as it stands
      fixtures: [
        { path: 'sample.{{id}}', content: SAMPLE },
        { path: 'windows.{{id}}', content: SAMPLE.replaceAll('\n', '\r\n') },
      ],
    }),
  },
};
