import { Agent, DecoratorHandler, type Dispatcher } from 'undici';

/** The maximum size of a response; a page of vectors takes a third of it. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
const CONNECTIONS = 25;

/** Sends requests to an untrusted server: the size of a response is bounded, compressed or not. Timeouts are up to the caller. */
export class BoundedAgent extends Agent {
  constructor() {
    super({ maxResponseSize: MAX_ANSWER_BYTES, bodyTimeout: 0, headersTimeout: 0, connections: CONNECTIONS });
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandlers): boolean {
    return super.dispatch(options, new UnpackedAnswers(handler));
  }
}

/** Rejects compressed responses, which were not requested: decompressed they may be of any size. */
class UnpackedAnswers extends DecoratorHandler implements Dispatcher.DispatchHandlers {
  readonly #handler: Dispatcher.DispatchHandlers;

  constructor(handler: Dispatcher.DispatchHandlers) {
    super(handler);
    this.#handler = handler;
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    const names = headers.filter((_, at) => at % 2 === 0).map((name) => name.toString('latin1').toLowerCase());
    if (names.includes('content-encoding')) throw new Error('its answer is packed, which was not asked for');
    return this.#handler.onHeaders?.(status, headers, resume, statusText) ?? true;
  }
}
