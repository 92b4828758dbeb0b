import assert from 'node:assert/strict';
import { type ExtractedDocument, type BlockDraft, type TextRange, LineIndex } from '@kebab/core';
import { formatAnchor, parseAnchor } from '@kebab/core/suites';

/**
 * Fails unless an extraction meets the contract on ranges and spans: blocks in order, disjoint, in bounds, not empty for line media,
 * covering every character from `bodyStart` on that is not white space, none before it; spans that agree with ranges; parts (items, pages)
 * inside their wholes.
 */
export function assertExtracted(extracted: ExtractedDocument, bodyStart = 0): void {
  const { text, blocks } = extracted;
  const lines = new LineIndex(text);
  let covered = bodyStart;
  for (const [at, block] of blocks.entries()) {
    const name = `block ${at} (${block.kind}, ${block.start}–${block.end})`;
    assert.ok(Number.isInteger(block.start) && Number.isInteger(block.end), `${name} has whole offsets`);
    assert.ok(block.start >= covered, `${name} begins at or after ${covered}, where the one before it ends`);
    assert.ok(block.end >= block.start && block.end <= text.length, `${name} ends within the text (${text.length})`);
    assertBlank(text, { start: covered, end: block.start }, `before ${name}`);
    assertWholeCharacters(text, block, name);
    assertSpan(extracted, block, { lines, name });
    assertContent(block, name);
    covered = block.end;
  }
  assertBlank(text, { start: covered, end: text.length }, 'after the last block');
  assertPages(extracted);
}

/** Fails when a range begins or ends inside a surrogate pair. */
export function assertWholeCharacters(text: string, range: TextRange, name: string): void {
  for (const offset of [range.start, range.end]) {
    const splits = /^[\uD800-\uDBFF]$/.test(text.charAt(offset - 1)) && /^[\uDC00-\uDFFF]$/.test(text.charAt(offset));
    assert.ok(!splits, `${name} splits the surrogate pair at ${offset}`);
  }
}

/** Fails when a range contains anything but white space. */
export function assertBlank(text: string, range: TextRange, where: string): void {
  const lost = text.slice(range.start, range.end).search(/\S/);
  if (lost === -1) return;
  const at = range.start + lost;
  assert.fail(`${where}: ${JSON.stringify(text.slice(at, at + 40))} at ${at} is not covered`);
}

function assertSpan(
  { text, pages = [] }: ExtractedDocument,
  block: BlockDraft,
  { lines, name }: { readonly lines: LineIndex; readonly name: string },
): void {
  const span = block.sourceSpan;
  switch (span.kind) {
    case 'line':
      assertNotEmpty(block, name);
      assert.deepEqual({ start: span.start, end: span.end }, lines.linesOf(block.start, block.end), `lines of ${name}`);
      return;
    case 'code':
      assertNotEmpty(block, name);
      assert.deepEqual(
        { start: span.line_start, end: span.line_end },
        lines.linesOf(block.start, block.end),
        `lines of ${name}`,
      );
      if (block.kind === 'code')
        assert.deepEqual([span.symbol, span.lang], [block.symbol, block.lang], `symbol and language of ${name}`);
      return;
    case 'page': {
      const page = pages.find((candidate) => candidate.page === span.page);
      assert.ok(page !== undefined, `${name} names page ${span.page}, which is in the page map`);
      assert.ok(block.start >= page.start && block.end <= page.end, `${name} is within page ${span.page}`);
      if (span.char_start !== null) assert.equal(span.char_start, block.start - page.start, `char_start of ${name}`);
      if (span.char_end !== null) assert.equal(span.char_end, block.end - page.start, `char_end of ${name}`);
      return;
    }
    case 'anchor': {
      const steps = parseAnchor(span.anchor);
      assert.ok(steps !== null, `${name} names a place such as cell=12, not ${JSON.stringify(span.anchor)}`);
      assert.equal(formatAnchor(steps), span.anchor, `${name} writes its place in canonical form`);
      return;
    }
    case 'byte':
    case 'time':
    case 'region': {
      const numbers = Object.values(span).filter((value) => typeof value === 'number');
      assert.ok(
        numbers.every((value) => Number.isFinite(value) && value >= 0),
        `${name} has a span of non-negative numbers`,
      );
      assert.ok(text.length >= block.end, `${name} is within the text`);
      return;
    }
    default:
      span satisfies never;
  }
}

function assertNotEmpty(block: BlockDraft, name: string): void {
  assert.ok(block.end > block.start, `${name} is not empty`);
}

function assertContent(block: BlockDraft, name: string): void {
  assert.ok(
    block.headingPath.every((heading) => typeof heading === 'string' && !heading.includes('\n')),
    `${name} has a heading path of one-line strings`,
  );
  if (block.kind === 'heading') {
    assert.ok(block.level >= 1 && block.level <= 6, `${name} has a level from 1 to 6`);
    assert.ok(!block.text.includes('\n'), `${name} has its text on one line`);
  }
  if (block.kind !== 'list') return;
  let end = block.start;
  for (const item of block.items) {
    assert.ok(
      item.start >= end && item.end >= item.start && item.end <= block.end,
      `the items of ${name} are in order`,
    );
    end = item.end;
  }
}

function assertPages({ text, pages = [] }: ExtractedDocument): void {
  let end = 0;
  for (const [at, page] of pages.entries()) {
    assert.equal(page.page, at + 1, 'pages are numbered 1, 2, 3 …');
    assert.ok(page.start >= end && page.end >= page.start && page.end <= text.length, `page ${page.page} is in order`);
    end = page.end;
  }
}
