import type { App, Fields, RequestOf, WireName } from '@kebab/core/app';
import type { CallContext } from '../protocol/surface.ts';
import type { Settings } from '../settings.ts';

/** What a tool works with. */
export interface ToolCall extends CallContext {
  readonly app: App;
  readonly settings: Settings;
}

/** A tool of kebab: what it takes, which wire object it answers with, and how it makes one. */
export interface KebabTool<F extends Fields = Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: F;
  readonly output: WireName;
  /** Whether it changes the knowledge base; read-only mode refuses it then. */
  readonly writes: boolean;
  /** Runs with arguments whose names and types have been checked. Failures are `KebabError`s. */
  run(args: RequestOf<F>, call: ToolCall): Promise<object>;
}
