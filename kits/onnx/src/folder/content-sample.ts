import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const SAMPLE_BYTES = 4096;
const SAMPLES = 64;

/**
 * A hash of the size of a file and of 64 samples of 4 KiB spread evenly over it, the ends included: a model of 100 MB is told
 * from any other in a few milliseconds. Files up to 256 KiB are hashed whole. It does not depend on where the file lies.
 */
export async function contentSample(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const hash = createHash('sha256').update(`${size}\n`);
    const isSmall = size <= SAMPLE_BYTES * SAMPLES;
    const buffer = Buffer.alloc(isSmall ? size : SAMPLE_BYTES);
    const step = isSmall ? 0 : (size - SAMPLE_BYTES) / (SAMPLES - 1);
    for (let sample = 0; sample < (isSmall ? 1 : SAMPLES); sample++) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, Math.floor(sample * step));
      hash.update(buffer.subarray(0, bytesRead));
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
