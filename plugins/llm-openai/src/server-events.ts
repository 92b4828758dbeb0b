import { AnswerFault } from './answer-fault.ts';

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
  const data: string[] = [];
  for await (const line of linesOf(body)) {
    const [, field, value] = /^(data|error): ?(.*)$/s.exec(line) ?? [];
    if (field === 'error') yield `{"error":${value ?? '""'}}`;
    else if (field === 'data') data.push(value ?? '');
    else if (line === '' && data.length > 0) yield data.splice(0).join('\n');
  }
  if (data.length > 0) yield data.join('\n');
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
