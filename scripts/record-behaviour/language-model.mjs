// An Ollama server with a scripted model, so that answers can be recorded.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts the test double in ../shared. `script` determines the next answers: `answer`, `decompose` and `decide` create a reply from the
 * passages in the prompt, `fault` is one of the double's faults.
 */
export async function startLanguageModel(shared) {
  const { start } = await import(pathToFileURL(path.join(shared, 'notes', 'tools', 'fake-ollama.mjs')).href);
  const model = { script: {}, url: '', log: [], close: () => undefined };
  const server = await start({
    partDelayMs: 0,
    partSize: 7,
    models: {
      'tiny:latest': { ctx: 8192, caps: ['completion', 'vision'] },
      'embed:latest': { ctx: 512, caps: ['embedding'], dim: 64 },
    },
    reply: (messages) => replyTo(messages, model.script),
    fault: () => model.script.fault ?? null,
  });
  return Object.assign(model, { url: server.url, log: server.log, close: server.close });
}

function replyTo(messages, { answer = quoteFirst, decompose = () => '["memory", "exceptions"]', decide = () => '[]' }) {
  const rules = messages[0]?.content ?? '';
  if (rules.startsWith('You break a question')) return decompose(messages);
  if (rules.startsWith('You decide whether')) return decide(messages);
  return answer(passagesOf(messages), messages);
}

/** The passages of a prompt in the order of their numbers: the text after each header. */
function passagesOf(messages) {
  const text = messages.map(({ content }) => content).join('\n');
  const found = text.matchAll(/^\[#(\d+)\] doc=[^\n]*\n([^]*?)\n<<<end /gm);
  return [...found].toSorted((a, b) => Number(a[1]) - Number(b[1])).map(([, , body]) => body);
}

/** A few words of a passage, without quotation marks. */
export function wordsOf(passage = '', count = 6) {
  const words = /(?:[\p{L}\p{N}]+[ ,]+){3,}[\p{L}\p{N}]+/u.exec(passage)?.[0] ?? passage.slice(0, 20);
  return words
    .split(' ')
    .slice(0, count)
    .join(' ')
    .replace(/[ ,]+$/, '');
}

/** An answer that quotes the first passage and cites the second. */
export function quoteFirst(passages) {
  const [first, second] = passages;
  if (first === undefined) return '[[NO_EVIDENCE]] There is no evidence.';
  const also = second === undefined ? '' : ' Another passage agrees [#2].';
  return `The evidence says "${wordsOf(first)}" [#1].${also}`;
}
