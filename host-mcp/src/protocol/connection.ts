import { checkStatelessMeta, eraOf, META, metaOf, type Era } from './era.ts';
import {
  errorResponse,
  idOf,
  readMessage,
  RPC_CODES,
  RpcError,
  type JsonObject,
  type OutgoingNotification,
  type RequestId,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.ts';
import { METHODS, type Method } from './methods.ts';
import type { Progress, Surface } from './surface.ts';

/** How the answer to a message reaches its client. */
export interface Delivery {
  /** Sends a notification that belongs to the request. */
  readonly notify: (notification: OutgoingNotification) => void;
  /** Fires when the response can no longer be read. */
  readonly signal?: AbortSignal | undefined;
  /** The revision named by the transport, as in an HTTP header. */
  readonly announced?: string | undefined;
}

/** What became of a message. */
export interface Outcome {
  /** Null for a notification and for a request that was cancelled: nothing is sent. */
  readonly response: RpcResponse | null;
  readonly httpStatus: number;
}

const NOTHING: Outcome = { response: null, httpStatus: 202 };

/**
 * Answers the messages of one client, in both eras, from one surface. Requests run side by side; what is remembered of
 * them is only how to cancel them while they run. Never throws.
 */
export class Connection {
  readonly #surface: Surface;
  readonly #running = new Map<RequestId, AbortController>();
  #subscriptions: Set<string> | null = null;
  /** Whether the client has opened with `initialize`: others expect nothing but answers. */
  #isOpen = false;

  /** `send` reaches the client at any time, where there is such a way: what it subscribed to is announced then. */
  constructor(surface: Surface, send?: (notification: OutgoingNotification) => void) {
    this.#surface = surface;
    if (send === undefined || surface.onChange === undefined) return;
    const subscriptions = new Set<string>();
    this.#subscriptions = subscriptions;
    surface.onChange((uris) => {
      if (!this.#isOpen) return;
      for (const uri of uris)
        if (subscriptions.has(uri))
          send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
      send({ jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: {} });
    });
  }

  /** Requests that have no response yet. */
  get running(): number {
    return this.#running.size;
  }

  /** Handles one message that JSON could be made of. */
  async handle(message: unknown, delivery: Delivery): Promise<Outcome> {
    try {
      const read = readMessage(message);
      if (read.kind === 'request') return await this.#answer(read, delivery);
      if (read.kind === 'notification') this.#notice(read.method, read.params);
      return NOTHING;
    } catch (error) {
      return failed(error, idOf(message));
    }
  }

  #notice(method: string, params: JsonObject): void {
    if (method !== 'notifications/cancelled') return;
    this.#running
      .get(params['requestId'] as RequestId)
      ?.abort(new DOMException('cancelled by the client', 'AbortError'));
  }

  async #answer(request: RpcRequest, delivery: Delivery): Promise<Outcome> {
    const { id } = request;
    if (this.#running.has(id))
      throw new RpcError(RPC_CODES.invalidRequest, `the id ${JSON.stringify(id)} is that of a request still running`);
    const controller = new AbortController();
    const abort = (): void => controller.abort(delivery.signal?.reason);
    if (delivery.signal?.aborted === true) abort();
    delivery.signal?.addEventListener('abort', abort, { once: true });
    this.#running.set(id, controller);
    try {
      const result = await this.#run(request, { ...delivery, signal: controller.signal });
      return controller.signal.aborted ? NOTHING : { response: { jsonrpc: '2.0', id, result }, httpStatus: 200 };
    } catch (error) {
      return controller.signal.aborted ? NOTHING : failed(error, id);
    } finally {
      this.#running.delete(id);
      delivery.signal?.removeEventListener('abort', abort);
    }
  }

  async #run(request: RpcRequest, delivery: Delivery & { readonly signal: AbortSignal }): Promise<JsonObject> {
    const { method: name, params } = request;
    const era = eraOf(request, delivery.announced);
    if (era === 'stateless') checkStatelessMeta(params);
    const method = methodFor(name, era);
    if (name === 'initialize') this.#isOpen = true;
    const context = {
      surface: this.#surface,
      era,
      subscriptions: this.#subscriptions,
      signal: delivery.signal,
      progress: progressSink(params, delivery),
    };
    const result = await method.run(params, context);
    return era === 'legacy' ? result : this.#stateless(result, method);
  }

  /** Stateless results say that they are complete, who made them, and how long they may be kept. */
  #stateless(result: JsonObject, { cache }: Method): JsonObject {
    return { resultType: 'complete', ...result, ...cache, _meta: { [META.serverInfo]: this.#surface.info } };
  }
}

function methodFor(name: string, era: Era): Method {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method !== undefined && (method.only ?? era) === era) return method;
  throw new RpcError(RPC_CODES.methodNotFound, `method not found: ${name.slice(0, 200)}`, {
    httpStatus: era === 'stateless' ? 404 : 200,
  });
}

/** Reports progress under the token of the request: it only ever grows, and nothing follows a cancellation. */
function progressSink(
  params: JsonObject,
  { notify, signal }: Delivery & { readonly signal: AbortSignal },
): (progress: Progress) => void {
  const { progressToken } = metaOf(params) as { readonly progressToken?: unknown };
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => undefined;
  let last = -1;
  return ({ done, total, message }) => {
    if (signal.aborted || done <= last) return;
    last = done;
    notify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: done, total, message },
    });
  };
}

function failed(error: unknown, id: RequestId | undefined): Outcome {
  return { response: errorResponse(error, id), httpStatus: error instanceof RpcError ? error.httpStatus : 200 };
}
