import { inputSchemaOf, readArguments, toErrorV1, type ErrorV1 } from '@kebab/core/app';
import type { LiveApp } from '../live-app.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { ServedTool, ToolResult } from '../protocol/surface.ts';
import type { KebabTool } from './kebab-tool.ts';
import { outputSchemaOf } from './output-schema.ts';

/** Longer texts of an error are cut: it may quote an argument of any size. */
const LONGEST_ERROR_TEXT = 500;

/** Puts a tool before the protocol: its arguments are checked, and whatever it throws becomes a result with `isError`. */
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

/** One object, told twice: some hosts show the model only the one, some only the other. */
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
  return text.length > LONGEST_ERROR_TEXT ? `${text.slice(0, LONGEST_ERROR_TEXT)}…` : text;
}
