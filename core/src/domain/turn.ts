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

/** The names of the tags that models put around their reasoning. */
const NAMES =
  'think|thinking|thought|thoughts|reasoning|reason|reflection|analysis|scratchpad|seed:think|internal_monologue';
/** What opens reasoning at the start of an answer: `<think>`, `[THINK]`, `◁think▷`, or a channel of gpt-oss. */
const OPENING = new RegExp(
  `^\\s*(?:<(?<tag>${NAMES})>|\\[(?<bracket>THINK)\\]|◁(?<arrow>think)▷|(?:<\\|start\\|>assistant)?(?<channel><\\|channel\\|>(?:analysis|commentary))[^<]*<\\|message\\|>)`,
  'i',
);
/** The channel of gpt-oss in which the answer stands. */
const FINAL = '<|channel|>final<|message|>';
const OPENINGS = [
  ...`<${NAMES.replaceAll('|', '>|<')}>`.split('|'),
  '[think]',
  '◁think▷',
  '<|start|>assistant',
  '<|channel|>',
];

function closingOf({ tag, bracket, arrow }: Readonly<Record<string, string | undefined>>): string {
  if (tag !== undefined) return `</${tag.toLowerCase()}>`;
  if (bracket !== undefined) return '[/think]';
  return arrow === undefined ? FINAL : '◁/think▷';
}

type State = 'start' | 'thinking' | 'after' | 'answer';

/**
 * Strips a model's reasoning from the start of an answer: `<think>…</think>` and its like, and the white space around it. Only text that may
 * turn out to be a tag is held back, so an answer without reasoning streams as it arrives.
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
    if (opening === null) return this.#mayOpen() ? 'start' : 'answer';
    this.#closing = closingOf(opening.groups ?? {});
    this.#held = this.#held.slice(opening[0].length);
    return 'thinking';
  }

  /** Whether the text so far may be the beginning of an opening tag. */
  #mayOpen(): boolean {
    const shown = this.#held.trimStart().toLowerCase();
    if (OPENINGS.some((tag) => tag.startsWith(shown))) return true;
    return /^(?:<\|start\|>assistant)?<\|channel\|>(?:a|c)?[^<]{0,60}(?:<[|message>]{0,10})?$/.test(shown);
  }

  #thought(): State {
    const end = this.#held.toLowerCase().indexOf(this.#closing);
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

const TAGS = 'think|thinking|thought|thoughts|reasoning|seed:think';
/** A block of reasoning anywhere in a text. */
const BLOCK = new RegExp(`<(${TAGS})>[^]*?</\\1>\\s*|◁think▷[^]*?◁/think▷\\s*|\\[THINK\\][^]*?\\[/THINK\\]\\s*`, 'gi');
/** Reasoning whose opening tag is in the template of the model, and not in its text. */
const CLOSED = new RegExp(`^(?:(?!\`)[^])*?(?:</(?:${TAGS})>|◁/think▷|\\[/THINK\\])\\s*`, 'i');
/** Tokens of chat templates that a server let through. */
const TEMPLATE_TOKEN =
  /<\|(?:im_start|im_end|end|start|return|eot_id|endoftext|end_of_text|channel|message|assistant)\|>|<\/s>$|<end_of_turn>/gi;

/** The text of a model without its reasoning, wherever it stands, and without tokens of its chat template. */
export function withoutReasoning(text: string): string {
  const filter = new ThinkFilter();
  const begun = filter.push(text) + filter.end();
  const final = begun.lastIndexOf(FINAL);
  const spoken = final === -1 ? begun : begun.slice(final + FINAL.length);
  return spoken.replaceAll(BLOCK, '').replace(CLOSED, '').replaceAll(TEMPLATE_TOKEN, '').trim();
}
