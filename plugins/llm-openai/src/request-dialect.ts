import type { GenerateRequest } from '@kebab/core';
import type { AnswerFault } from './openai-failure.ts';

/** The members of a request that a server may refuse and that an answer does not depend on. */
const OPTIONAL = ['temperature', 'seed', 'stop', 'stream_options', 'stream'] as const;
type Optional = (typeof OPTIONAL)[number];

/** How the requests of a server differ from what most servers take. */
export interface RequestDialect {
  /** The name of the limit of an answer; null if the server takes none. */
  readonly limit: 'max_tokens' | 'max_completion_tokens' | null;
  /** The highest limit that the server takes. */
  readonly maxTokens: number;
  readonly omitted: ReadonlySet<Optional>;
  /** Whether instructions are part of the first message of the user, because the model takes no system message. */
  readonly isSystemless: boolean;
}

/** What most servers take. */
export const COMMON_DIALECT: RequestDialect = {
  limit: 'max_tokens',
  maxTokens: Infinity,
  omitted: new Set(),
  isSystemless: false,
};

/** The body of `POST …/chat/completions`. */
export type ChatBody = Readonly<Record<string, unknown>>;

/** Writes a request in a dialect. */
export function chatBody(model: string, request: GenerateRequest, dialect: RequestDialect): ChatBody {
  const { images = [], stop, maxTokens, temperature, seed, schema } = request;
  const messages = dialect.isSystemless ? withoutSystem(request.messages) : request.messages;
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  const body = {
    model,
    messages: messages.map(({ role, text }, at) => ({
      role,
      content: at === lastQuestion && images.length > 0 ? [{ type: 'text', text }, ...images.map(imagePart)] : text,
    })),
    stream: true,
    stream_options: { include_usage: true },
    ...(dialect.limit === null ? {} : { [dialect.limit]: Math.min(maxTokens, dialect.maxTokens) }),
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(schema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } }),
  };
  const isSent = (name: string): boolean =>
    !dialect.omitted.has(name as Optional) && !(name === 'stream_options' && dialect.omitted.has('stream'));
  return Object.fromEntries(Object.entries(body).filter(([name]) => isSent(name)));
}

function imagePart(png: Uint8Array): object {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } };
}

/** Puts the instructions before the first question. */
function withoutSystem(messages: GenerateRequest['messages']): GenerateRequest['messages'] {
  const rules = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const rest = messages.filter(({ role }) => role !== 'system');
  const [first] = rest;
  if (first?.role !== 'user') return [{ role: 'user', text: rules.join('\n\n') }, ...rest];
  return [{ role: 'user', text: [...rules, first.text].join('\n\n') }, ...rest.slice(1)];
}

const REFUSES =
  /support|unknown|unrecogni[sz]ed|unexpected|extra|permitted|allowed|invalid|deprecated|forbidden|cannot|must|only|accept|too (?:large|high|big)|exceed|at most|maximum|between|no longer/i;
const AT_MOST =
  /(?:at most|maximum(?: value)?|up to|less than or equal to|no more than|limit|<=|≤|\[\s*\d+\s*,)[^\d]{0,30}(\d[\d,]*)/i;
const LIMIT_IN_WORDS = /\b(?:maximum|output|completion) tokens\b/i;
const NO_SYSTEM =
  /(?:system|developer)\W{0,3}(?:role|messages?|prompts?|instructions?)?.{0,40}not (?:supported|allowed|enabled)|role.{0,40}does not support.{0,4}system|roles must alternate/i;

/** The dialect of a server that refused a request; null if another form of it would be refused as well. */
export function dialectAfter(fault: AnswerFault, body: ChatBody, dialect: RequestDialect): RequestDialect | null {
  if (![400, 422, 500, 501].includes(fault.status)) return null;
  const { message } = fault;
  const isLimit = isNamed(String(dialect.limit), fault) || (LIMIT_IN_WORDS.test(message) && REFUSES.test(message));
  const limit = isLimit ? dialect.limit : null;
  if (limit !== null) return withOtherLimit(message, Number(body[limit]), dialect);
  const refused = OPTIONAL.filter((name) => name in body && isNamed(name, fault));
  if (refused.length > 0) return { ...dialect, omitted: new Set([...dialect.omitted, ...refused]) };
  if (!dialect.isSystemless && NO_SYSTEM.test(message)) return { ...dialect, isSystemless: true };
  return null;
}

/** Whether a refusal is about a parameter: the server says so, or its message names it. */
function isNamed(name: string, { parameters, message }: AnswerFault): boolean {
  if (parameters.length > 0) return parameters.some((each) => each.split(/[.[]/, 1)[0] === name);
  const written = new RegExp(String.raw`(?<![\w.])${name}(?![\w]|\s+(?:sending|using|the))`, 'i');
  return REFUSES.test(message) && written.test(message);
}

/** A lower limit if the server names one below the present; else its other name, and at last none. */
function withOtherLimit(message: string, present: number, dialect: RequestDialect): RequestDialect | null {
  const isRenamed = dialect.limit === 'max_tokens' && /max_completion_tokens/.test(message);
  const atMost = Number((AT_MOST.exec(message)?.[1] ?? '').replaceAll(',', ''));
  if (!isRenamed && atMost >= 1 && atMost < present) return { ...dialect, maxTokens: atMost };
  if (/context (?:length|window|size)/i.test(message)) return null;
  return { ...dialect, limit: dialect.limit === 'max_tokens' ? 'max_completion_tokens' : null };
}

/** Ends a text where it contains a stop text, for a server that takes none. What may become a stop text is held back. */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';
  #isOver = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes a piece, and returns what of the text so far is certain. */
  push(piece: string): string {
    this.#held += piece;
    const places = this.#stops.map((stop) => this.#held.indexOf(stop)).filter((at) => at >= 0);
    this.#isOver = places.length > 0;
    return this.#release(this.#isOver ? Math.min(...places) : this.#held.length - this.#open());
  }

  /** The remaining text, at the end of the stream. */
  end(): string {
    return this.#isOver ? '' : this.#release(this.#held.length);
  }

  /** The length of the end that may be the beginning of a stop text. */
  #open(): number {
    const longest = Math.max(0, ...this.#stops.map((stop) => stop.length - 1));
    for (let length = Math.min(longest, this.#held.length); length > 0; length--)
      if (this.#stops.some((stop) => stop.startsWith(this.#held.slice(-length)))) return length;
    return 0;
  }

  #release(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }
}
