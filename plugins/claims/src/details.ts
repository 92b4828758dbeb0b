import { asciiDigits, UNDETERMINED, type AnswerFinding, type JudgedQuotation, type TextRange } from '@kebab/core';
import type { CompiledPassage } from './compile-passage.ts';
import { likelyLanguage } from './content-words.ts';
import { numeralsAsDigits } from './east-asian-numerals.ts';
import { foldedQuotation, type Quotation } from './find-quotations.ts';
import { readDates, type ReadDate } from './read-dates.ts';
import { readNumbers, type ReadNumber } from './read-numbers.ts';
import { blanked } from './sorted-ranges.ts';

/** Something in an answer that can be looked up literally. */
export type Detail =
  | (Quotation & { readonly kind: 'quotation' })
  | (TextRange & { readonly kind: 'number'; readonly value: ReadNumber })
  | (TextRange & { readonly kind: 'date'; readonly value: ReadDate });

/** The details of a text without citations, in order. Those inside a quotation are checked as part of it. */
export function detailsOf(bare: string, quotations: readonly Quotation[]): readonly Detail[] {
  const plain = asciiDigits(blanked(withoutNumbering(bare), quotations)).replaceAll('\u2212', '-');
  const { text: outside, at } = numeralsAsDigits(plain);
  const dates = readDates(outside);
  const numbers = readNumbers(blanked(outside, dates), likelyLanguage(outside, UNDETERMINED));
  const rangeOf = ({ start, end }: TextRange): TextRange => ({ start: at(start), end: at(end) });
  return [
    ...quotations.map((quotation) => ({ ...quotation, kind: 'quotation' }) as const),
    ...dates.map((value) => ({ kind: 'date', ...rangeOf(value), value }) as const),
    ...numbers.map((value) => ({ kind: 'number', ...rangeOf(value), value }) as const),
  ].toSorted((a, b) => a.start - b.start);
}

/** Blanks out the numbering of lists, headings and footnotes, and addresses, which are compared literally. */
function withoutNumbering(text: string): string {
  return text
    .replaceAll(
      /^([ \t>]*(?:#{1,6}[ \t]+|[-*+•][ \t]+)?)(\(?\d{1,2}(?:\.\d{1,2})*[.)]|[①-⑳])(?=\s)/gmu,
      (_, head: string, number: string) => head + ' '.repeat(number.length),
    )
    .replaceAll(/^[ \t]*\[[#^]?\d{1,3}\^?\]:/gm, (key) => ' '.repeat(key.length))
    .replaceAll(/\]\([^()\s]*\)|https?:\/\/\S+/g, (target) => ' '.repeat(target.length));
}

/** Where a detail occurs. */
export interface Lookup {
  /** Null when a passage contains it. */
  readonly kind: AnswerFinding['kind'] | null;
  /** The amount of a passage that a number is in another unit. */
  readonly converted?: string;
  /** The passages that contain a quotation. */
  readonly holding: JudgedQuotation['holding'];
}

/** Looks a detail up in passages; one that contains it suffices. `folded` folds a quotation. */
export function lookUp(
  detail: Detail,
  passages: readonly CompiledPassage[],
  folded: (quotation: string) => readonly string[] = foldedQuotation,
): Lookup {
  switch (detail.kind) {
    case 'quotation': {
      const holding = passages.flatMap(({ number, quotes }) => {
        const at = quotes(folded(detail.text));
        return at === null ? [] : [{ number, range: at.range }];
      });
      return { kind: holding.length > 0 ? null : 'quotation', holding };
    }
    case 'date':
      return { kind: passages.some((passage) => passage.dates(detail.value)) ? null : 'date', holding: [] };
    case 'number': {
      const verdicts = passages.map((passage) => passage.gives(detail.value));
      if (verdicts.includes('given')) return { kind: null, holding: [] };
      const converted = passages.map((passage) => passage.converts(detail.value)).find((amount) => amount !== null);
      if (converted !== undefined) return { kind: null, converted, holding: [] };
      return { kind: verdicts.includes('other_unit') ? 'unit' : 'number', holding: [] };
    }
    default:
      return detail satisfies never;
  }
}
