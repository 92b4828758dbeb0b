import { sampleWrite, type PluginFixtures } from '@kebab/plugin/testing';

const NOTE = '# One\n\nA paragraph.\n\nAnother, 한국어.\n\n# Two\n\nThe last.\n';
const LONG = `# Long\n\n${'A sentence of some words. '.repeat(400)}\n\n${'one line\n'.repeat(300)}\n`;

/** Input of the suite: documents of the kind that the chunker splits. */
export const fixtures: PluginFixtures = {
  chunker: {
    '{{id}}': (make) => ({
      make,
      documents: ['', ' \n', NOTE, LONG, '가나다라'.repeat(3000)].map(
        (text, at) => sampleWrite(`${at}.md`, text).document,
      ),
      overlap: 'none',
    }),
  },
};
