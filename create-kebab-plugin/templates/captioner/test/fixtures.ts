import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: the captioner, and a picture that is not blank. */
export const fixtures: PluginFixtures = {
  captioner: {
    '{{id}}': (make) => ({ open: async () => ({ captioner: await make() }), png: png(640, 480) }),
  },
};

/** The parts of a PNG that the captioner reads: the signature, and a header with size and colour type. */
function png(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(25);
  head.writeUInt32BE(13);
  head.write('IHDR', 4, 'latin1');
  head.writeUInt32BE(width, 8);
  head.writeUInt32BE(height, 12);
  head.set([8, 2], 16);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(Buffer.concat([signature, head]));
}
