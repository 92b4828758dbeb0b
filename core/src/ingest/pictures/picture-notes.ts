import type { PictureRequest, PictureUse } from '../../contracts/extractor.ts';
import type { ExtractWarning, ProvenanceEvent } from '../../domain/metadata.ts';
import type { KebabError } from '../../errors/kebab-error.ts';

/** The pictures of a file that a reader could not be asked about, and why. */
interface UnreadPictures {
  readonly pictures: readonly PictureRequest[];
  readonly error: KebabError;
}

const WARNING = { ocr: 'ocr_failed', caption: 'caption_failed' } as const;
const APPLIED = { ocr: 'ocr_applied', caption: 'caption_applied' } as const;

/** Collects what became of the pictures of one file. */
export class PictureNotes {
  readonly #warnings: ExtractWarning[] = [];
  readonly #applied = new Map<PictureUse, { readonly agent: string; readonly pictures: PictureRequest[] }>();
  readonly #unread = new Map<PictureUse, UnreadPictures>();
  #fresh = 0;

  /** A picture was read; `isFresh` when a model was asked for it now. */
  applied(use: PictureUse, picture: PictureRequest, by: { readonly agent: string; readonly isFresh: boolean }): void {
    const { pictures } = this.#applied.get(use) ?? { pictures: [] };
    this.#applied.set(use, { agent: by.agent, pictures: [...pictures, picture] });
    if (by.isFresh) this.#fresh++;
  }

  /** Reading a picture failed, and would again. */
  failed(use: PictureUse, picture: PictureRequest, error: KebabError): void {
    this.#warnings.push({ kind: WARNING[use], note: `${nameOf(picture)}: ${firstLine(error)}` });
  }

  /** There is nothing to read a picture with. */
  unread(use: PictureUse, picture: PictureRequest, error: KebabError): void {
    const before = this.#unread.get(use);
    this.#unread.set(use, { error: before?.error ?? error, pictures: [...(before?.pictures ?? []), picture] });
  }

  /** How many pictures OCR was applied to. */
  get ocrPages(): number {
    return this.#applied.get('ocr')?.pictures.length ?? 0;
  }

  /** What waits until there is something to read it with. */
  get unreadUses(): readonly PictureUse[] {
    return [...this.#unread.keys()];
  }

  /** Readings that a model made now, rather than the cache. */
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

  /** The provenance of the document: what was applied, and every warning. */
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

/** `page 3`, `pages 1–4, 7`, or the names of pictures that have no page. */
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
