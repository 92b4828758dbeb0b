// Clients of the MCP server: one on a pipe, one on HTTP.
import { createInterface } from 'node:readline';

/** Revision and capabilities of every stateless request. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'recorder', version: '1' },
};

/** A client of a server on a pipe. Notifications are kept until they are read. */
export class PipeClient {
  #id = 0;
  #waiting = new Map();
  #closed;
  notifications = [];

  constructor(child) {
    this.child = child;
    child.stderr.resume();
    this.#closed = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
  }

  #take(line) {
    const message = JSON.parse(line);
    if ('method' in message) this.notifications.push(message);
    else this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  /** The response to a request; null when the server ends first. */
  async request(method, params, { stateless = false } = {}) {
    const id = ++this.#id;
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: '2.0', id, method, params: stateless ? { ...params, _meta: META } : params });
    const response = await Promise.race([answer, this.#closed.then(() => null)]);
    return response === null ? null : (response.result ?? { error: response.error });
  }

  /** Sends a message, or an invalid line; use {@link answerTo} for responses without an id. */
  send(message) {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** Sends a line and waits for the answer with this id; `undefined` for an answer without. */
  answerTo(line, id) {
    const answer = new Promise((resolve) => this.#waiting.set(id, resolve));
    this.send(line);
    return answer;
  }

  /** Closes the input of the server; returns its exit code. */
  close() {
    this.child.stdin.end();
    return this.#closed;
  }
}

/** Posts one message to a server on HTTP: status, some headers, body. */
export async function post(url, message, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const type = response.headers.get('content-type');
  return { status: response.status, type, body: bodyOf(await response.text(), type) };
}

function bodyOf(text, type) {
  if (type?.startsWith('text/event-stream') === true)
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
