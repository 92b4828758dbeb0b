/** The JSON Schema of a structured answer: sentences, each with the numbers of its passages. Only keywords that every server supports. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' }, passages: { type: 'array', items: { type: 'integer' } } },
        required: ['text', 'passages'],
        additionalProperties: false,
      },
    },
  },
  required: ['sentences'],
  additionalProperties: false,
} as const;

/** More text than this after the object, in UTF-16 units, is no end of the stream. */
const MAX_BEHIND = 16;
const CLOSING = /[.!?。！？…]+["'”’»」』)]*\s*$/u;

/**
 * Converts the tokens of a structured answer into plain text with markers, incrementally: `{"text":"It dries.","passages":[2]}` becomes
 * `It dries [2].`. The closing punctuation of a sentence waits for its markers. Text that is no JSON object passes through unchanged: a
 * server may ignore the schema.
 */
export class SentenceStream {
  readonly #passages: number;
  #input = '';
  #state: 'beginning' | 'plain' | 'object' = 'beginning';
  /** How much of the plain text was returned. */
  #shown = 0;

  /** `passages` is the highest number that a passage may have; higher ones are left out. */
  constructor(passages: number) {
    this.#passages = passages;
  }

  /** Takes a token and returns the text that it adds. */
  push(token: string): string {
    this.#input += token;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state === 'beginning') return '';
    return this.#more(
      this.#state === 'plain' ? this.#input : written(this.#input, { isWhole: false, max: this.#passages }),
    );
  }

  /**
   * Whether the server writes on though the answer is there: white space up to the limit, as small models do, or text after the object. A
   * server that ends by itself is waited for, since it reports its counts at the end.
   */
  get isComplete(): boolean {
    if (this.#state !== 'object') return false;
    const object = this.#input.slice(this.#input.indexOf('{'));
    return /\s{64}$/.test(object) || object.length - endOf(object).length > MAX_BEHIND;
  }

  /** The remaining text, at the end of the stream; a sentence that was cut off counts as far as it was written. */
  end(): string {
    return this.#more(
      this.#state === 'object' ? written(this.#input, { isWhole: true, max: this.#passages }) : this.#input,
    );
  }

  #begin(): void {
    const begun = this.#input.trimStart();
    if (/^(?:`{3}(?:json)?\s*)?\{/i.test(begun)) this.#state = 'object';
    else if (!/^`{0,3}(?:j(?:s(?:on?)?)?)?\s*$/i.test(begun)) this.#state = 'plain';
  }

  #more(text: string): string {
    const added = text.slice(this.#shown);
    this.#shown = Math.max(this.#shown, text.length);
    return added;
  }
}

/** The plain text of an object as far as it was received; what may still change is left out unless the object is whole. */
function written(json: string, { isWhole, max }: { readonly isWhole: boolean; readonly max: number }): string {
  const value = closed(json.slice(json.indexOf('{')));
  const list: unknown =
    typeof value === 'object' && value !== null ? (value as { sentences?: unknown }).sentences : null;
  const sentences = Array.isArray(list) ? (list as readonly unknown[]) : [];
  return sentences
    .map((sentence, at) => sentenceText(sentence, { isOpen: !isWhole && at === sentences.length - 1, max }))
    .filter((text) => text !== '')
    .join(' ');
}

function sentenceText(sentence: unknown, { isOpen, max }: { readonly isOpen: boolean; readonly max: number }): string {
  const { text, passages } = (sentence ?? {}) as { readonly text?: unknown; readonly passages?: unknown };
  if (typeof text !== 'string' || text.trim() === '') return '';
  const said = text.replaceAll(/\s+/g, ' ').trim();
  const closing = CLOSING.exec(said)?.[0] ?? '';
  const body = said.slice(0, said.length - closing.length);
  if (isOpen) return body;
  const numbers = Array.isArray(passages)
    ? (passages as readonly unknown[]).filter((number) => isPassage(number, max))
    : [];
  const markers = /\[#?\d{1,3}\]/.test(said)
    ? ''
    : [...new Set(numbers)].map((number) => `[${String(number)}]`).join('');
  return `${body}${markers === '' ? '' : ` ${markers}`}${closing === '' ? '.' : closing}`;
}

function isPassage(number: unknown, max: number): boolean {
  return Number.isInteger(number) && Number(number) >= 1 && Number(number) <= max;
}

/** Where an object of JSON ends, or what is open at the end of its beginning. */
interface JsonEnd {
  readonly length: number;
  readonly inString: boolean;
  /** What closes it, innermost first. */
  readonly closers: string;
}

function endOf(json: string): JsonEnd {
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at] ?? '';
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') {
      open.pop();
      if (open.length === 0) return { length: at + 1, inString, closers: '' };
    }
  }
  return { length: json.length, inString, closers: open.toReversed().join('') };
}

/** Parses the beginning of a JSON object: open strings, lists and objects are closed; null where that is not JSON yet. */
function closed(json: string): unknown {
  const { length, inString, closers } = endOf(json);
  const text = json.slice(0, length).replaceAll(/[\n\r\t]/g, ' ');
  // The beginning of an escape is left out, and so is a member without its value.
  const whole = inString ? `${text.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')}"` : text;
  return parsed(whole + closers) ?? parsed(whole.replace(/,?\s*(?:"[^"]*"\s*:?\s*)?$/, '') + closers);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
