import { ReadableStream as WebStream } from 'node:stream/web';

/** Vectors of a batch take a tenth of it. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** A part of an answer, and what a refusal says. */
const MAX_LINE_CHARS = 2 ** 20;

/**
 * Gives the client only answers that it understands. With others it would print to stdout or stderr, skip lines, or throw
 * errors without a type; here they become an {@link AnswerFault}. Of a stream every line is JSON, none reports an error,
 * and the last one says that it is the last. An answer has a bound, and so has each line of a stream.
 */
export async function checkedAnswer(answer: Response): Promise<Response> {
  if (!answer.ok) throw await refusal(answer);
  if (answer.body !== null && /ndjson/.test(answer.headers.get('content-type') ?? '')) {
    const lines = WebStream.from(checkedLines(answer.body, answer.status));
    return new Response(lines, { status: answer.status, headers: answer.headers });
  }
  const text = await boundedText(answer, MAX_ANSWER_BYTES);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) throw notJson(answer.status);
  return new Response(text, { status: answer.status, headers: answer.headers });
}

async function refusal(answer: Response): Promise<AnswerFault> {
  const { status, statusText } = answer;
  const value = parsed(await boundedText(answer, MAX_LINE_CHARS));
  const told = (value as { readonly error?: unknown } | null | undefined)?.error;
  if (typeof told === 'string' && told !== '') return new AnswerFault('refused', status, told);
  return new AnswerFault('garbled', status, `${status} ${statusText}`.trim());
}

async function* checkedLines(body: ReadableStream<Uint8Array>, status: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let complete = false;
  for await (const line of linesOf(body, status)) {
    const value = parsed(line);
    if (typeof value !== 'object' || value === null) throw notJson(status);
    const { error, done, status: progress } = value as Readonly<Record<string, unknown>>;
    if (error !== undefined) throw new AnswerFault('reported', status, textOf(error));
    complete = done === true || progress === 'success';
    yield encoder.encode(`${line}\n`);
  }
  if (!complete) throw new AnswerFault('incomplete', status, 'the answer ended before its last line');
}

/** Lines of text, without blank ones; characters may be split between packets. */
async function* linesOf(body: ReadableStream<Uint8Array>, status: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = []; // of a line whose end has not come; put together once, since a line may come in a thousand packets
  let length = 0;
  for await (const bytes of body) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > MAX_LINE_CHARS) throw tooLong(status);
    for (const next of others) {
      const line = begun.join('');
      begun = [next];
      length = next.length;
      if (line.trim() !== '') yield line;
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

async function boundedText({ body, status }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLong(status);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function tooLong(status: number): AnswerFault {
  return new AnswerFault('garbled', status, 'it sent an answer that is far too long');
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notJson(status: number): AnswerFault {
  return new AnswerFault('garbled', status, 'it sent something that is not JSON');
}

/** What was wrong with an answer of the server. */
type FaultKind =
  /** A status other than 200; `status` says which. */
  | 'refused'
  /** The server said in mid-stream that something went wrong. */
  | 'reported'
  /** A line, or the whole answer, is not JSON. */
  | 'garbled'
  /** The answer ended before its last line. */
  | 'incomplete';

/** A failure of the server that reached us as an answer; a broken connection is none. */
export class AnswerFault extends Error {
  readonly kind: FaultKind;
  /** The HTTP status of the answer. */
  readonly status: number;

  constructor(kind: FaultKind, status: number, message: string) {
    super(message.split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.kind = kind;
    this.status = status;
  }
}
