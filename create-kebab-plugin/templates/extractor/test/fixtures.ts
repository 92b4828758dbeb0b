import type { PluginFixtures } from '@kebab/plugin/testing';

const SAMPLE = `
== First section ==
One line. 한국어 한 줄. 😀

Two lines
in one paragraph.

== Second section ==

The last paragraph.
`;

/** Input of the suite: at least one file of the format. Add files that have caused problems. */
export const fixtures: PluginFixtures = {
  extractor: {
    '{{id}}': (make) => ({
      make,
      text: 'derived', // not the verbatim text of the file
      fixtures: [
        { path: 'sample.{{id}}', content: SAMPLE, passages: { 'The last paragraph.': 'section=second-section' } },
        { path: 'windows.{{id}}', content: SAMPLE.replaceAll('\n', '\r\n') },
      ],
    }),
  },
};
