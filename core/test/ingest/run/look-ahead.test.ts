import { componentPorts } from '../../../src/ports.ts';
import { describe, expect, it } from 'vitest';
import type { ExtractionHost } from '../../../src/extraction/extraction-job.ts';
import { InlineExtraction } from '../../../src/extraction/inline-extraction.ts';
import { silentCallContext } from '../../../src/testing/contract-suite.ts';
import { FakeComponents } from '../../fake-components.ts';
import { countsOf, extractors, IngestWorld } from '../ingest-world.ts';
import { lineChunker, plainExtractor } from '../plain-extractor.ts';

/** Processes that begin when a number of files waits for them, and remember how many they were given at a time. */
class PatientHost implements ExtractionHost {
  most = 0;
  #given = 0;
  readonly #patience: number;
  #begin: () => void = () => {};
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  readonly #inline = new InlineExtraction({
    ...componentPorts(
      new FakeComponents({
        extractor: { plain: plainExtractor() },
        chunker: { 'md-heading-v1': lineChunker('md-heading-v1') },
      }),
    ),
    log: silentCallContext().log,
  });

  constructor(patience: number) {
    this.#patience = patience;
  }

  async extract(...given: Parameters<ExtractionHost['extract']>): ReturnType<ExtractionHost['extract']> {
    this.most = Math.max(this.most, ++this.#given);
    if (this.#given >= this.#patience) this.#begin();
    await this.#begun;
    this.#given--;
    return this.#inline.extract(...given);
  }

  render(): never {
    throw new Error('nothing is rendered here');
  }

  cut(): never {
    throw new Error('nothing is cut here');
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}

const LINE = `${'word '.repeat(1000)}\n\n`;

async function mostAtATime({ lines, width, patience }: Readonly<Record<'lines' | 'width' | 'patience', number>>) {
  const isolated = new PatientHost(patience);
  const names = Array.from({ length: 12 }, (_, n) => `${n}.md`);
  const files = Object.fromEntries(names.map((name) => [name, `# ${name}\n\n${LINE.repeat(lines)}`]));
  const contributions = extractors(plainExtractor({ isolation: 'worker' }));
  const env = { KEBAB_INDEXING_MAX_PARALLEL_EXTRACTORS: String(width) };
  const world = await IngestWorld.open({ files, contributions, isolated, env });
  try {
    const report = await world.ingest();
    expect(countsOf(report)).toEqual({ new: names.length });
    expect(report.items?.map(({ doc_path }) => doc_path)).toEqual(names.toSorted());
    return isolated.most;
  } finally {
    world.close();
  }
}

describe('files on their way to processes', () => {
  it('wait there in small numbers when they are small, and are still reported in order', async () => {
    expect(await mostAtATime({ lines: 1, width: 2, patience: 8 })).toBe(8);
  });

  it('are as many as there are processes when they are large, and one where one is configured', async () => {
    expect(await mostAtATime({ lines: 1, width: 1, patience: 1 })).toBe(1);
    expect(await mostAtATime({ lines: 120, width: 2, patience: 2 })).toBeLessThanOrEqual(3);
  });
});
