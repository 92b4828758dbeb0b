import type { App } from '@kebab/core/app';
import { kebabSurface } from './kebab-surface.ts';
import { LiveApp } from './live-app.ts';
import { Connection } from './protocol/connection.ts';
import { serveStdio } from './transport/serve-stdio.ts';

/** What a server is made of, whatever the transport. */
export interface ServeOptions {
  /** Opens the App; called at the first call, and again when the database has been replaced. */
  readonly open: () => Promise<App>;
  /** The working directory, absolute: relative paths mean it, and files in it may be ingested. */
  readonly cwd: string;
  /** Hides and refuses the tools that write. */
  readonly readonly: boolean;
}

/** What a server on a pipe needs besides. */
export interface PipeOptions extends ServeOptions {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (line: string) => void;
  /** Fires when nobody reads what is written any more: what is running is cancelled. */
  readonly signal?: AbortSignal;
}

/** Serves one client over a pipe until it closes its end; then everything is finished, answered and closed. */
export async function servePipe({ input, write, signal, ...options }: PipeOptions): Promise<void> {
  const live = new LiveApp(options);
  try {
    await serveStdio({ input, write, signal, connection: new Connection(kebabSurface(live)) });
  } finally {
    await live.close();
  }
}
