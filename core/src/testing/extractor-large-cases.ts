import type { ContractCase } from './contract-suite.ts';
import {
  extract,
  settlesAfterAbort,
  survives,
  type ExtractorFixture,
  type ExtractorUnderTest,
} from './extractor-case.ts';
import { withinLimit } from './within-limit.ts';

const LARGE_BYTES = 50 * 2 ** 20;
/** Enough to be at work when the signal fires. */
const STOPPED_BYTES = 8 * 2 ** 20;
/** A guard, not a measure; kebab itself gives an extractor 120 s by default (`indexing.extract_timeout_s`). */
const HANG_MS = 100_000;
/** Long enough for an extractor that takes time to be at work. */
const AT_WORK_MS = 50;

/**
 * What an extractor promises of large files: it reads or refuses fifty megabytes, and stops in the middle of a file when
 * the signal fires. One that works in one go is done before any signal can reach it: what stops that one is kebab, which
 * ends its thread.
 */
export function largeInputCases(tested: ExtractorUnderTest, fixture: ExtractorFixture): readonly ContractCase[] {
  return [
    {
      name: `reads or refuses fifty megabytes of ${fixture.path}`,
      run: async () => {
        const ended = new AbortController();
        const large = enlarged(fixture, LARGE_BYTES);
        const work = survives(tested, large, { signal: ended.signal });
        try {
          await withinLimit(work, HANG_MS);
        } finally {
          ended.abort();
        }
      },
    },
    {
      name: `stops in the middle of megabytes of ${fixture.path}`,
      run: async () => {
        const extractor = await tested.make();
        const large = enlarged(fixture, STOPPED_BYTES);
        const ended = new AbortController();
        const timer = setTimeout(() => ended.abort(), AT_WORK_MS);
        try {
          await settlesAfterAbort(extract(extractor, large, ended.signal));
        } finally {
          clearTimeout(timer);
        }
      },
    },
  ];
}

const STRUCTURED_CHARS = 2 ** 14;
const PARAGRAPH_CHARS = 2 ** 14;

/**
 * A file of `size` bytes made of a fixture. A text is repeated as it is at first; then come its words in long paragraphs, for
 * millions of headings would take minutes and show nothing that thousands do not. Bytes are repeated as they are.
 */
function enlarged({ path, content, bodyStart = 0 }: ExtractorFixture, size: number): ExtractorFixture {
  if (typeof content !== 'string')
    return { path, content: Buffer.alloc(size, content.length === 0 ? '\0' : content), bodyStart };
  const body = `${content.slice(bodyStart)}\n`;
  const words = `${(body.match(/[\p{L}\p{N}]+/gu) ?? ['none']).join(' ')} `;
  const large = Buffer.alloc(size, `${words.repeat(Math.ceil(PARAGRAPH_CHARS / words.length))}\n\n`);
  large.write(`${body.repeat(Math.ceil(STRUCTURED_CHARS / body.length))}\n`);
  return { path, content: large };
}
