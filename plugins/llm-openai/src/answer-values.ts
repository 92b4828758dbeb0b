import { createParser } from 'eventsource-parser';
import { AnswerFault, WEB_PAGE } from './openai-failure.ts';

/** A value of an answer, or the mark of the server that the answer is complete. */
export type AnswerValue =
  | { readonly kind: 'value'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'done' };

/** The maximum size of an answer in one piece; a list of a thousand models takes a tenth of it. */
const MAX_CHARS = 4 * 2 ** 20;
/** The maximum size of an event, which contains a few words and metadata. */
const MAX_EVENT_CHARS = 2 ** 20;

/**
 * Reads an answer whatever its content type says: server-sent events, one JSON value though a stream was requested, or a JSON value a line.
 * Characters may be split between packets. Throws an {@link AnswerFault} for anything else; the caller decides what an answer without its
 * last mark means.
 */
export async function* answerValues(body: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<AnswerValue> {
  const texts = decoded(body);
  let begun = '';
  // A `for await` that ends early would close the packets.
  while (begun === '') {
    const { done, value } = await texts.next();
    if (done === true) break;
    begun = value.trimStart();
  }
  if (begun.startsWith('<')) throw notJson(begun);
  if (/^[{[]/.test(begun)) yield* jsonValues(begun, texts);
  else if (begun !== '') yield* events(begun, texts, contentType);
  else if (!/event-stream/.test(contentType)) throw new AnswerFault({ message: 'it sent an empty answer' });
}

/** Reads a whole answer as text. */
export async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
  return joined('', decoded(body));
}

/** Decodes packets; the decoder drops a byte order mark. */
async function* decoded(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function joined(begun: string, rest: AsyncIterable<string>): Promise<string> {
  const parts = [begun];
  let length = begun.length;
  for await (const text of rest) {
    length += text.length;
    if (length > MAX_CHARS) throw new AnswerFault({ message: 'it sent an answer that is far too long' });
    parts.push(text);
  }
  return parts.join('');
}

async function* jsonValues(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<AnswerValue> {
  const text = await joined(begun, rest);
  const whole = parsed(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '' && line.trim() !== '[DONE]');
  for (const value of whole === undefined ? lines.map(parsed) : [whole]) {
    if (value === undefined) throw notJson(text);
    yield { kind: 'value', value };
  }
  yield { kind: 'done' };
}

async function* events(begun: string, rest: AsyncGenerator<string>, contentType: string): AsyncGenerator<AnswerValue> {
  let isEmpty = true;
  for await (const data of eventData(begun, rest)) {
    isEmpty = false;
    if (data.trim() === '') continue;
    if (data.trim() === '[DONE]') {
      yield { kind: 'done' };
      break;
    }
    const value = parsed(data);
    if (value === undefined) throw notJson(data);
    yield { kind: 'value', value };
  }
  if (isEmpty && !/event-stream/.test(contentType)) throw new AnswerFault({ message: 'it sent no stream of events' });
}

/** The data of each event; llama.cpp once sent errors in a field named `error`. */
async function* eventData(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  const arrived: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ event, data }) =>
      arrived.push(event === 'error' && parsed(data) === undefined ? JSON.stringify({ error: data }) : data),
    onError: ({ type, field, value }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
      if (field === 'error') arrived.push(`{"error":${value ?? '""'}}`);
    },
  });
  const read = (text: string): readonly string[] => {
    parser.feed(text);
    if (isTooLong) throw new AnswerFault({ message: 'it sent a part that is far too long' });
    return arrived.splice(0);
  };
  yield* read(begun);
  for await (const text of rest) yield* read(text);
  yield* read('\n\n'); // some servers close the connection without the empty line that ends the last event
}

/** The failure for a text that is no JSON. */
export function notJson(text: string): AnswerFault {
  return new AnswerFault({ message: /^\s*</.test(text) ? WEB_PAGE : 'it sent something that is not JSON' });
}

/** Parses an object or a list; undefined for anything else. */
export function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
