/** One message of a conversation, in chat roles. */
export interface HistoryItem {
  readonly role: 'user' | 'system' | 'assistant';
  readonly text: string;
}

/** One question with its answer and everything between them in the history. */
export interface Turn {
  readonly question: string;
  readonly answer: string;
  /** The citations of answer.v1, as JSON values. */
  readonly citationsJson: string;
  readonly items: readonly HistoryItem[];
  readonly createdAt: Date;
}

/** A conversation. */
export interface ChatSession {
  readonly sessionId: string;
  readonly title: string | null;
  readonly configSnapshotJson: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A piece of a question: text, or a reference to a file. Joining the pieces as typed reproduces the question. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file_ref'; readonly path: string; readonly raw: string };

const OPENING = /^\s*<(think|thinking)>/;
const OPENINGS = ['<think>', '<thinking>'];

type State = 'start' | 'thinking' | 'after' | 'answer';

/**
 * Strips a model's reasoning from the start of an answer: `<think>…</think>`, and the white space around it. Only text that may turn out to
 * be a tag is held back, so an answer without reasoning streams as it arrives.
 */
export class ThinkFilter {
  #state: State = 'start';
  #held = '';
  #closing = '';

  /** Returns the part of the answer that a piece contributes: often the piece itself, sometimes nothing. */
  push(piece: string): string {
    this.#held += piece;
    if (this.#state === 'start') this.#state = this.#begun();
    if (this.#state === 'thinking') this.#state = this.#thought();
    if (this.#state === 'after') this.#held = this.#held.trimStart();
    if (this.#state === 'after' && this.#held !== '') this.#state = 'answer';
    return this.#state === 'answer' ? this.#release() : '';
  }

  /** Returns the text held back, at the end of the stream; an unclosed reasoning block is not part of the answer. */
  end(): string {
    return this.#state === 'start' ? this.#release() : '';
  }

  #begun(): State {
    const opening = OPENING.exec(this.#held);
    const shown = this.#held.trimStart();
    if (opening === null) return OPENINGS.some((tag) => tag.startsWith(shown)) ? 'start' : 'answer';
    this.#closing = `</${opening[1] ?? ''}>`;
    this.#held = this.#held.slice(opening[0].length);
    return 'thinking';
  }

  #thought(): State {
    const end = this.#held.indexOf(this.#closing);
    const keptFrom = end === -1 ? -this.#closing.length : end + this.#closing.length; // the tag may be split across pieces
    this.#held = this.#held.slice(keptFrom);
    return end === -1 ? 'thinking' : 'after';
  }

  #release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
