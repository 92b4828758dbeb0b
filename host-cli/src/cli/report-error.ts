import { toErrorV1 } from '@kebab/core/app';
import type { CommandHost } from './command-context.ts';

/** How an error is to be told. */
export interface ErrorReport {
  readonly json: boolean;
  /** Adds the chain of causes. */
  readonly verbose: boolean;
  /** What was being done. */
  readonly operation: string;
}

/** Writes an error on stderr: one error.v1 line, or for people what failed and what to do. */
export async function reportError(error: unknown, report: ErrorReport, { io, setup }: CommandHost): Promise<void> {
  const wire = toErrorV1(error, { operation: report.operation });
  if (report.json) {
    io.stderr.json(wire);
    return;
  }
  const { renderError } = await import('../render/error.ts');
  const { screenOf } = await import('../render/screen.ts');
  const causes = report.verbose ? causesOf(error) : [];
  io.stderr.print(renderError(wire, causes, screenOf(io.stderr, setup.environment)));
}

/** The messages behind an error, outermost first. */
function causesOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  const seen = new Set<unknown>([error]);
  for (let cause = causeOf(error); cause !== undefined && cause !== null && !seen.has(cause); cause = causeOf(cause)) {
    seen.add(cause);
    messages.push(cause instanceof Error ? `${cause.name}: ${cause.message}` : JSON.stringify(cause));
  }
  return messages;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
