/** An object as received over the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or the text where it is none: a glob may begin with a bracket. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The progress of a call. */
export interface Progress {
  readonly done: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** How a call is cancelled and reports progress. */
export interface CallContext {
  /** Fires when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Reports to the client, if it requested progress; never fails. */
  readonly progress: (progress: Progress) => void;
  /** Whether the client shows the views of tools (MCP Apps). */
  readonly showsViews: boolean;
}

/** A part of a result that a person or a model reads. */
export type ContentPart = JsonObject & { readonly type: string };

/** The result of a tool. */
export interface ToolResult {
  readonly content: readonly ContentPart[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
  /** For the view of the tool, not for the model. */
  readonly _meta?: JsonObject;
}

/** A tool as seen by the protocol layer. */
export interface ServedTool {
  readonly name: string;
  /** Whether `tools/list` shows it. A hidden tool can still be called, and then explains why it does not work. */
  readonly listed: boolean;
  /** The entry in `tools/list`: name, title, description, schemas, annotations. */
  readonly described: JsonObject;
  call(args: JsonObject, context: CallContext): Promise<ToolResult>;
}

/** A page of a list. */
export interface Page {
  readonly items: readonly JsonObject[];
  readonly nextCursor: string | null;
}

/** The resources of a server. */
export interface ServedResources {
  readonly templates: readonly JsonObject[];
  list(cursor: string | undefined, context: CallContext): Promise<Page>;
  /** The contents of a resource; null if there is none with this URI. */
  read(uri: string, context: CallContext): Promise<readonly JsonObject[] | null>;
  /** A version for each of these URIs, which differs once the resource may read differently; null if there is none with this URI. */
  versions(uris: readonly string[]): Promise<readonly (string | null)[]>;
}

/** An argument of a prompt; all values are strings. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A prompt as seen by the protocol layer. */
export interface ServedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The messages for arguments that have been checked. */
  render(args: Readonly<Record<string, string>>): readonly JsonObject[];
}

/** A request to complete a partly typed value. */
export interface CompletionRequest {
  /** The name of a prompt, or the URI template of a resource. */
  readonly of: { readonly kind: 'prompt' | 'resource'; readonly name: string };
  readonly argument: string;
  readonly typed: string;
}

/** Everything that a server offers; the protocol layer uses nothing else of kebab. */
export interface Surface {
  readonly info: {
    readonly name: string;
    readonly title: string;
    readonly version: string;
    readonly icons?: { readonly src: string; readonly mimeType: string }[];
  };
  readonly instructions: string;
  /** In the order in which they are listed. */
  readonly tools: readonly ServedTool[];
  readonly resources: ServedResources;
  readonly prompts: readonly ServedPrompt[];
  /** The scope that a method, or the tool that it calls, needs and the client does not have; null for any other. */
  missingScope?(method: string, tool: unknown): Promise<string | null>;
  /** Calls a listener whenever resources may have been added, changed or removed. */
  onChange?(listener: () => void): void;
  /** Values that complete the typed text, best first. */
  complete(request: CompletionRequest, context: CallContext): Promise<readonly string[]>;
}
