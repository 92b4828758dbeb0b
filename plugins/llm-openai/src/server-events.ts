import { createParser } from 'eventsource-parser';
import { AnswerFault } from './answer-fault.ts';

/** A part of an answer: some words, and what the server says beside them. */
const MAX_EVENT_CHARS = 2 ** 20;

/**
 * The JSON values of a stream of server-sent events, up to `[DONE]`. Characters may be split between packets. Throws an
 * {@link AnswerFault} for an event that is not JSON or reports an error; the end of the stream before `[DONE]` is the caller's to judge.
 */
export async function* serverEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const data of eventData(body)) {
    if (data === '[DONE]') return;
    const value = parsed(data);
    if (value === undefined) throw new AnswerFault(200, false, 'it sent something that is not JSON');
    yield value;
  }
}

/** The data of each event; llama.cpp once sent errors in a field of that name. */
async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const arrived: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ type, field, value }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
      if (field === 'error') arrived.push(`{"error":${value ?? '""'}}`);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (isTooLong) throw new AnswerFault(200, false, 'it sent a part that is far too long');
    yield* arrived.splice(0);
  }
  // Some servers close the connection without the empty line that ends the last event.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* arrived;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
