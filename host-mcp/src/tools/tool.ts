import {
  inputSchemaOf,
  readArguments,
  toErrorV1,
  type App,
  type ErrorV1,
  type Fields,
  type RequestOf,
  type WireName,
} from '@kebab/core/app';
import type { LiveApp, Settings } from '../live-app.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { CallContext, ServedTool, ToolResult } from '../protocol/surface.ts';
import { outputSchemaOf } from './output-schema.ts';

/** The App that a call works on, and its context. */
export interface ToolCall extends CallContext {
  readonly app: App;
  readonly settings: Settings;
}

/** A tool of kebab: its arguments, the wire object it answers with, and how it makes one. */
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

/** Longer texts of an error are cut: it may quote an argument of any size. */
const MAX_ERROR_TEXT = 500;

/** Connects a tool to the protocol: its arguments are checked, and an exception becomes a result with `isError`. */
export function serveTool(tool: KebabTool, live: LiveApp): ServedTool {
  const { name, title, description, input, output, writes } = tool;
  const describe = async (): Promise<JsonObject> => ({
    name,
    title,
    description,
    inputSchema: inputSchemaOf(input),
    outputSchema: await outputSchemaOf(output),
    annotations: annotationsOf(tool),
  });
  let described: Promise<JsonObject> | undefined;
  return {
    name,
    listed: !(writes && live.readonly),
    describe: () => (described ??= describe()),
    call: async (args, context) => {
      try {
        const request = readArguments(args, input);
        return resultOf(await live.use((app, settings) => tool.run(request, { ...context, app, settings })));
      } catch (error) {
        return { ...resultOf(shortened(toErrorV1(error, { operation: name }))), isError: true };
      }
    },
  };
}

function annotationsOf({ title, writes }: KebabTool): JsonObject {
  return writes
    ? { title, readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
    : { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
}

/** One object in both forms: some hosts show the model only the text, some only the structured content. */
function resultOf(object: object): ToolResult {
  const text = JSON.stringify(object);
  return { content: [{ type: 'text', text }], structuredContent: object as JsonObject };
}

function shortened(error: ErrorV1): JsonObject {
  const details = Object.entries(error.details).map(([key, value]) => [
    key,
    typeof value === 'string' ? cut(value) : value,
  ]);
  return { ...error, message: cut(error.message), details: Object.fromEntries(details) };
}

function cut(text: string): string {
  return text.length > MAX_ERROR_TEXT ? `${text.slice(0, MAX_ERROR_TEXT)}…` : text;
}
