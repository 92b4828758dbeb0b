import type { PictureRequest, PictureUse } from '../../contracts/extractor.ts';
import type { ExtractWarning, ProvenanceEvent } from '../../domain/metadata.ts';
import type { KebabError } from '../../errors/kebab-error.ts';

/** The pictures of a file for which a reader was unavailable, and why. */
interface UnreadPictures {
  readonly pictures: readonly PictureRequest[];
  readonly error: KebabError;
}

const WARNING = { ocr: 'ocr_failed', caption: 'caption_failed' } as const;
const APPLIED = { ocr: 'ocr_applied', caption: 'caption_applied' } as const;

/** Collects the outcomes for the pictures of one file. */
export class PictureNotes {
  readonly #warnings: ExtractWarning[] = [];
  readonly #applied = new Map<PictureUse, { readonly agent: string; readonly pictures: PictureRequest[] }>();
  readonly #unread = new Map<PictureUse, UnreadPictures>();
  #fresh = 0;

  /** Records that a picture was read; `isFresh` when a model was called for it now. */
  applied(use: PictureUse, picture: PictureRequest, by: { readonly agent: string; readonly isFresh: boolean }): void {
    const { pictures } = this.#applied.get(use) ?? { pictures: [] };
    this.#applied.set(use, { agent: by.agent, pictures: [...pictures, picture] });
    if (by.isFresh) this.#fresh++;
  }

  /** Records that reading a picture failed, and would fail again. */
  failed(use: PictureUse, picture: PictureRequest, error: KebabError): void {
    this.#warnings.push({ kind: WARNING[use], note: `${nameOf(picture)}: ${firstLine(error)}` });
  }

  /** Records that no reader was available for a picture. */
  unread(use: PictureUse, picture: PictureRequest, error: KebabError): void {
    const before = this.#unread.get(use);
    this.#unread.set(use, { error: before?.error ?? error, pictures: [...(before?.pictures ?? []), picture] });
  }

  /** The number of pictures read by OCR. */
  get ocrPages(): number {
    return this.#applied.get('ocr')?.pictures.length ?? 0;
  }

  /** The uses that wait for a reader. */
  get unreadUses(): readonly PictureUse[] {
    return [...this.#unread.keys()];
  }

  /** The number of readings from a model in this run, rather than from the cache. */
  get fresh(): number {
    return this.#fresh;
  }

  get warnings(): readonly ExtractWarning[] {
    const unread = [...this.#unread].map(([use, { pictures, error }]) => ({
      kind: WARNING[use],
      note: `${namesOf(pictures)}: ${firstLine(error)}`,
    }));
    return [...this.#warnings, ...unread];
  }

  /** The provenance events of the document: what was applied, and every warning. */
  events({ at, agent }: { readonly at: Date; readonly agent: string }): readonly ProvenanceEvent[] {
    const applied = [...this.#applied].map(([use, by]) => {
      const note = namesOf(by.pictures);
      return { at, agent: by.agent, kind: APPLIED[use], note };
    });
    const warnings = this.warnings.map(
      ({ kind, note }) => ({ at, agent, kind: 'warning', note: `${kind}: ${note}` }) as const,
    );
    return [...applied, ...warnings];
  }
}

function nameOf({ id, page }: PictureRequest): string {
  return page === null ? id : `page ${page}`;
}

/** `page 3`, `pages 1–4, 7`, or the names of pictures without a page. */
function namesOf(pictures: readonly PictureRequest[]): string {
  const pages = pictures.flatMap(({ page }) => page ?? []);
  const others = pictures.filter(({ page }) => page === null).map(nameOf);
  const counted = pages.length === 0 ? [] : [`${pages.length === 1 ? 'page' : 'pages'} ${ranges(pages)}`];
  return [...counted, ...others].join(', ');
}

function ranges(pages: readonly number[]): string {
  const runs: { readonly first: number; readonly last: number }[] = [];
  for (const page of pages.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && page <= run.last + 1) runs[runs.length - 1] = { first: run.first, last: page };
    else runs.push({ first: page, last: page });
  }
  return runs.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

function firstLine({ message }: KebabError): string {
  return message.split('\n', 1)[0] ?? '';
}
