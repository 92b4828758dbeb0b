import { NO_EVIDENCE } from '../prompt/templates.ts';

/** The beginning of a marker that the next token may complete, with as much space before it as is worth holding back. */
const OPEN_MARKER = /[ \t]{0,64}(?:\[(?:#\d{0,3})?)?$/;

/**
 * Turns the tokens of a model into the text that a reader sees, as it grows: `[#2]` becomes `[2]`, a marker of a passage
 * that is not there disappears, and nothing is shown of an answer that begins with the sentinel of missing evidence. What
 * may still become a marker or the sentinel is held back until the next token shows.
 */
export class MarkerStream {
  readonly #passages: number;
  #pending = '';
  #state: 'beginning' | 'answer' | 'sentinel' = 'beginning';

  /** `passages` is the highest number that a marker may have. */
  constructor(passages: number) {
    this.#passages = passages;
  }

  /** Takes a token and returns what can be shown now. */
  push(token: string): string {
    this.#pending += token;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state !== 'answer') return '';
    const held = OPEN_MARKER.exec(this.#pending)?.[0].length ?? 0;
    return this.#take(this.#pending.length - held);
  }

  /** The rest, once no token follows. */
  end(): string {
    if (this.#state === 'sentinel') return '';
    this.#state = 'answer';
    return this.#take(this.#pending.length).trimEnd();
  }

  #begin(): void {
    const text = this.#pending.trimStart();
    if (text.startsWith(NO_EVIDENCE)) this.#state = 'sentinel';
    else if (!NO_EVIDENCE.startsWith(text)) this.#state = 'answer';
    this.#pending = text;
  }

  #take(length: number): string {
    const text = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return rewriteMarkers(text, this.#passages);
  }
}

/** Markers `[#n]` as readers see them, `[n]`; those outside 1 to `passages` are left out with the space before them. */
export function rewriteMarkers(text: string, passages: number): string {
  return text.replaceAll(/((?<![ \t])[ \t]*)\[#(\d{1,3})\]/g, (_, space: string, digits: string) => {
    const number = Number(digits);
    return number >= 1 && number <= passages ? `${space}[${number}]` : '';
  });
}
