import { describe, expect, it } from 'vitest';
import { DividedExtraction } from '../../src/extraction/process-pool.ts';
import type { ChunkJob, ExtractionHost, ExtractionJob, RenderJob } from '../../src/extraction/extraction-job.ts';

const signal = new AbortController().signal;
const named = (name: string) => ({ name, version: '1.0.0' });
const OWN = named('@kebab/plugin-pdf');

function host(name: string, done: string[]): ExtractionHost {
  const does = (what: string) => async (): Promise<never> => {
    done.push(`${name} ${what}`);
    throw new Error(`${name} failed`);
  };
  return {
    extract: does('extract'),
    render: does('render'),
    cut: does('cut'),
    close: async () => void done.push(`${name} close`),
  };
}

function divided() {
  const done: string[] = [];
  const failures: unknown[] = [];
  const made = new DividedExtraction({
    own: host('own', done),
    fenced: (plugins) => host(`fenced ${plugins.join('+')}`, done),
    fencedPlugins: new Set(['acme', 'other']),
    onFencedFailure: (error) => failures.push((error as Error).message),
  });
  return { host: made, done, failures };
}

describe('DividedExtraction', () => {
  it('runs each fenced plugin in processes of its own, and reports only the failures of these', async () => {
    const { host: given, done, failures } = divided();
    const extract = (plugin: string, chunker: string) =>
      expect(
        given.extract({ plugin: named(plugin), chunkerPlugin: named(chunker) } as ExtractionJob, signal),
      ).rejects.toThrow('failed');
    await extract('acme', OWN.name);
    await extract(OWN.name, 'other');
    await extract(OWN.name, OWN.name);
    await expect(given.render({ plugin: named('acme') } as RenderJob, signal)).rejects.toThrow('failed');
    await expect(given.cut({ chunkerPlugin: named('other') } as ChunkJob, signal)).rejects.toThrow('failed');
    expect(done).toEqual([
      'fenced acme extract',
      'fenced other extract',
      'own extract',
      'fenced acme render',
      'fenced other cut',
    ]);
    expect(failures).toEqual([
      'fenced acme failed',
      'fenced other failed',
      'fenced acme failed',
      'fenced other failed',
    ]);
  });

  it('runs the extractor and the chunker of two fenced plugins in one fence for both', async () => {
    const { host: given, done } = divided();
    const job = { plugin: named('other'), chunkerPlugin: named('acme') } as ExtractionJob;
    await expect(given.extract(job, signal)).rejects.toThrow('failed');
    await given.close();
    expect(done).toEqual(['fenced acme+other extract', 'own close', 'fenced acme+other close']);
  });
});
