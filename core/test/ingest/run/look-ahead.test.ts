import { componentPorts } from '../../../src/ports.ts';
import { describe, expect, it } from 'vitest';
import { ExtractionHost } from '../../../src/extraction/extraction-job.ts';
import { InlineExtraction } from '../../../src/extraction/inline-extraction.ts';
import { silentCallContext } from '@kebab/testing';
import { FakeComponents } from '../../fake-components.ts';
import { countsOf, extractors, IngestWorld } from '../ingest-world.ts';
import { lineChunker, plainExtractor } from '../plain-extractor.ts';

/** Starts extracting when `patience` files are waiting, and records the maximum number of files in flight. */
class PatientHost extends ExtractionHost {
  max = 0;
  #inFlight = 0;
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
    super();
    this.#patience = patience;
  }

  async run(...given: Parameters<ExtractionHost['run']>): Promise<unknown> {
    this.max = Math.max(this.max, ++this.#inFlight);
    if (this.#inFlight >= this.#patience) this.#begin();
    await this.#begun;
    this.#inFlight--;
    return this.#inline.run(...given);
  }
}

const LINE = `${'word '.repeat(1000)}\n\n`;

async function maxInFlight({ lines, width, patience }: Readonly<Record<'lines' | 'width' | 'patience', number>>) {
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
    return isolated.max;
  } finally {
    world.close();
  }
}

describe('the lookahead of an ingest with extraction processes', () => {
  it('sends more small files than there are processes, and still reports files in order', async () => {
    expect(await maxInFlight({ lines: 1, width: 2, patience: 8 })).toBe(8);
  });

  it('keeps hardly more large files in flight than there are processes, and one file if one process is configured', async () => {
    expect(await maxInFlight({ lines: 1, width: 1, patience: 1 })).toBe(1);
    expect(await maxInFlight({ lines: 120, width: 2, patience: 2 })).toBeLessThanOrEqual(3);
  });
});
