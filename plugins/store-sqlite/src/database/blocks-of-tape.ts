/** Flags that versions before 5 added to the number of a kind: how the span was encoded, and that a heading path followed. */
const CODE_SPAN = 16;
const OTHER_SPAN = 32;
const NEW_PATH = 64;

/**
 * Part of migration 5: converts blocks to JSON that versions 1 to 4 stored as a tape of numbers with a separate list of values. The output
 * is the format of version 5, regardless of later versions.
 */
export function blocksOfTape(valuesJson: string, tape: Uint8Array): string {
  const values = JSON.parse(valuesJson) as readonly unknown[];
  const numbers = new Tape(tape);
  const value = (): unknown => values[numbers.take() - 1];
  const text = (): string | null => {
    const position = numbers.take();
    return position === 0 ? null : String(values[position - 1]);
  };
  const blocks: unknown[] = [];
  let path: readonly string[] = [];
  let expected: readonly string[] = [];
  while (!numbers.isAtEnd) {
    const head = numbers.take();
    const kind = head % CODE_SPAN;
    const gap = numbers.takeSigned();
    const length = numbers.take();
    if ((head & NEW_PATH) !== 0) {
      const kept = path.slice(0, numbers.take());
      path = [...kept, ...Array.from({ length: numbers.take() }, () => text() ?? '')];
    }
    const span = readSpan(head, { numbers, text, value });
    const content = readContent(kind, { numbers, text, value });
    const shared = sharedLength(expected, path);
    if (shared !== expected.length || shared !== path.length)
      blocks.push([kind, gap, length, span, content ?? 0, [shared, ...path.slice(shared)]]);
    else blocks.push(content === undefined ? [kind, gap, length, span] : [kind, gap, length, span, content]);
    expected = kind === 0 && Array.isArray(content) ? [...path, String(content[1])] : path;
  }
  return JSON.stringify(blocks);
}

interface Readers {
  readonly numbers: Tape;
  readonly text: () => string | null;
  readonly value: () => unknown;
}

function readSpan(head: number, { numbers, text, value }: Readers): unknown {
  if ((head & OTHER_SPAN) !== 0) return value();
  const lines = [numbers.takeSigned(), numbers.take()];
  return (head & CODE_SPAN) === 0 ? lines : [...lines, text(), text()];
}

/** Kinds from 0 on: heading, paragraph, list, code, table, quote, image, audio. */
function readContent(kind: number, { numbers, text, value }: Readers): unknown {
  switch (kind) {
    case 0:
      return [numbers.take(), text() ?? ''];
    case 2: {
      const head = numbers.take();
      const items = Array.from({ length: Math.floor(head / 2) }, () => [numbers.takeSigned(), numbers.take()]);
      return [head % 2, ...items.flat()];
    }
    case 3:
      return [text(), text()];
    case 6: {
      const [assetId, src, alt, ocr, caption] = value() as readonly unknown[];
      return { assetId, src, alt, ocr, caption };
    }
    case 7: {
      const [assetId, durationMs] = value() as readonly unknown[];
      return { assetId, durationMs };
    }
    default:
      return undefined;
  }
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** A reader of variable-length integers: seven bits per byte, lowest first; all but the last byte have the top bit set. */
class Tape {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('a stored list of blocks is cut off');
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
      unit *= 128;
    }
  }

  takeSigned(): number {
    const value = this.take();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
