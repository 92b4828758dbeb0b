import type { App, WireName } from '@kebab/core/app';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { CallContext } from '../protocol/surface.ts';
import type { Settings } from '../settings.ts';
import type { Parameter } from './parameter.ts';

/** What a tool works with. */
export interface ToolCall extends CallContext {
  readonly app: App;
  readonly settings: Settings;
}

/** A tool of kebab: what it takes, which wire object it answers with, and how it makes one. */
export interface KebabTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly output: WireName;
  /** Whether it changes the knowledge base; read-only mode refuses it then. */
  readonly writes: boolean;
  /** Runs with arguments whose names and types have been checked. Failures are `KebabError`s. */
  run(args: JsonObject, call: ToolCall): Promise<object>;
}
