import type { Socket } from 'node:net';

/** A longer message than any use of kebab makes: what sends it is not kebab. */
const MAX_CHARS = 256 * 1_048_576;

/** Messages over a socket, each one line of JSON. */
export class LineChannel<Sent, Received> {
  readonly socket: Socket;
  #rest: string[] = [];
  #restChars = 0;

  /** `onMessage` receives what comes; `onEnd` is called once, when nothing comes any more, whatever the reason. */
  constructor(socket: Socket, on: { readonly message: (message: Received) => void; readonly end: () => void }) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#take(text, on.message));
    socket.on('error', () => socket.destroy());
    socket.once('close', on.end);
  }

  /** Sends a message, and returns whether more may follow at once. */
  send(message: Sent): boolean {
    return !this.socket.destroyed && this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits until what was sent has left this process, or cannot any more. */
  async drained(): Promise<void> {
    const { socket } = this;
    if (socket.destroyed || !socket.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done);
        resolve();
      };
      socket.once('drain', done).once('close', done);
    });
  }

  #take(text: string, onMessage: (message: Received) => void): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = this.#rest.length === 0 ? text.slice(from, end) : `${this.#rest.join('')}${text.slice(from, end)}`;
      this.#rest = [];
      this.#restChars = 0;
      from = end + 1;
      try {
        onMessage(JSON.parse(line) as Received);
      } catch {
        this.socket.destroy(); // no message of kebab's
        return;
      }
    }
    if (from < text.length) this.#rest.push(text.slice(from));
    this.#restChars += text.length - from;
    if (this.#restChars > MAX_CHARS) this.socket.destroy();
  }
}
