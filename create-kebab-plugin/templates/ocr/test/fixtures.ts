import type { PluginFixtures } from '@kebab/core/testing';

const SIZE = { width: 640, height: 480, languages: ['eng', 'kor'] };

/** What the suite is given: a picture with words in it, and one without. */
export const fixtures: PluginFixtures = {
  ocr: {
    '{{id}}': (make) => ({
      make,
      fixtures: [
        { name: 'a labelled picture', png: png('The old lighthouse\n등대 하나'), ...SIZE, words: ['old', '등대'] },
        { name: 'a bare picture', png: png(''), ...SIZE, words: [] },
      ],
    }),
  },
};

/** The parts of a PNG that the engine looks at: signature, and one entry of text. */
function png(text: string): Uint8Array {
  const entry = Buffer.from(`Description\0${text}`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(entry.length);
  head.write('tEXt', 4, 'latin1');
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(Buffer.concat([signature, head, entry, Buffer.alloc(4)]));
}
