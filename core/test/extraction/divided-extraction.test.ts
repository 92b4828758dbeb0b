import { describe, expect, it } from 'vitest';
import { DividedExtraction } from '../../src/extraction/divided-extraction.ts';
import type { ExtractionHost, ExtractionJob, RenderJob } from '../../src/extraction/extraction-job.ts';

const signal = new AbortController().signal;

function host(name: string, done: string[]): ExtractionHost {
  const does = (what: string) => async (): Promise<never> => {
    done.push(`${name} ${what}`);
    throw new Error(`${name} failed`);
  };
  return { extract: does('extract'), render: does('render'), close: async () => void done.push(`${name} close`) };
}

describe('DividedExtraction', () => {
  it('gives files of fenced plugins to the fenced threads, and reports the failures of these alone', async () => {
    const done: string[] = [];
    const told: unknown[] = [];
    const divided = new DividedExtraction({
      own: host('own', done),
      fenced: host('fenced', done),
      fencedPlugins: new Set(['acme']),
      onFencedFailure: (error) => told.push((error as Error).message),
    });
    for (const name of ['acme', '@kebab/plugin-pdf']) {
      const job = { plugin: { name, version: '1.0.0' } };
      await expect(divided.extract(job as ExtractionJob, signal)).rejects.toThrow('failed');
      await expect(divided.render(job as RenderJob, signal)).rejects.toThrow('failed');
    }
    await divided.close();
    expect(done).toEqual(['fenced extract', 'fenced render', 'own extract', 'own render', 'own close', 'fenced close']);
    expect(told).toEqual(['fenced failed', 'fenced failed']);
  });
});
