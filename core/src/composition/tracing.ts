import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { OperationEnd } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { traceEntered } from './trace-parent.ts';

const LAST_SPANS_MS = 2000;

/**
 * Sends a span for each operation to the collector that the variables of OpenTelemetry name: its name, its times, and the code of its error; neither
 * who asked nor any text.
 */
export class Tracing {
  readonly #tracer: Tracer;
  readonly #shutdown: () => Promise<void>;

  private constructor(tracer: Tracer, shutdown: () => Promise<void>) {
    this.#tracer = tracer;
    this.#shutdown = shutdown;
  }

  /** Loads what traces. The libraries read the variables of this process themselves. */
  static async open(): Promise<Tracing> {
    const [{ OTLPTraceExporter }, { BatchSpanProcessor, TracerProvider }, resources] = await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
    ]);
    const provider = new TracerProvider({
      resource: resources
        .resourceFromAttributes({ 'service.name': 'kebab', 'service.version': KEBAB_VERSION })
        .merge(resources.detectResources({ detectors: [resources.envDetector] })),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
    return new Tracing(provider.getTracer('kebab', KEBAB_VERSION), () => provider.shutdown());
  }

  /** Records an operation that ended at a moment, in milliseconds since 1970, under the span that the request came with. */
  record({ name, ms, error }: OperationEnd, endedMs: number): void {
    const options = { startTime: endedMs - ms, kind: SpanKind.INTERNAL };
    const span = this.#tracer.startSpan(OPERATIONS[name].label, options, parentOf(traceEntered()));
    if (error !== undefined) span.setAttribute('error.type', error.code).setStatus({ code: SpanStatusCode.ERROR });
    span.end(endedMs);
  }

  /** Sends what is left, for at most two seconds. */
  async close(): Promise<void> {
    const sent = this.#shutdown().catch(() => undefined); // the collector is gone
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, LAST_SPANS_MS).unref())]);
  }
}

/** The span of another program that a W3C `traceparent` names; no parent for a header that is malformed or names none. */
function parentOf(traceparent: string | undefined): Context {
  const [, version, traceId = '', spanId = '', flags = '', rest = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent ?? '') ?? [];
  const isKnown = version !== undefined && version !== 'ff' && (version !== '00' || rest === '');
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isKnown && isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
