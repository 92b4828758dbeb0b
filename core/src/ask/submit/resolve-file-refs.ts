import type { FileRefResult, FsView } from './fs-view.ts';
import type { Interception, Interceptor } from '../../contracts/interceptor.ts';
import type { HistoryItem, Segment } from '../../domain/turn.ts';
import type { Alert } from '../../wire/index.ts';

/** The maximum size of a referenced file's body, in bytes of UTF-8. */
export const TOOL_OUTPUT_MAX_BYTES = 16_384;

/** A file that a question refers to, as it is passed to the model. */
export interface ResolvedFile extends Extract<FileRefResult, { kind: 'file' }> {
  /** As typed. */
  readonly path: string;
  /** The body, with a final line if it was truncated. */
  readonly sent: string;
}

/** The resolved file references of a question. */
interface ResolvedRefs {
  /** The question as typed, with a placeholder for each reference that could not be resolved. */
  readonly userText: string;
  /** In order of appearance, each file once. */
  readonly files: readonly ResolvedFile[];
  readonly alerts: readonly Alert[];
}

const CODES = {
  OutOfScope: 'file_ref_out_of_scope',
  NotFound: 'file_ref_not_found',
  Binary: 'file_ref_binary',
  Io: 'file_ref_io',
} as const satisfies Readonly<Record<Exclude<FileRefResult['kind'], 'file'>, Alert['code']>>;

/** Reads the files that a question refers to; an unavailable one leaves a placeholder and an alert. */
export async function resolveFileRefs(
  segments: readonly Segment[],
  view: Pick<FsView, 'resolveFileRef'>,
): Promise<ResolvedRefs> {
  const known = new Map<string, FileRefResult>();
  const files = new Map<string, ResolvedFile>();
  const alerts = new Map<string, Alert>();
  const texts: string[] = [];
  for (const segment of segments) {
    if (segment.kind === 'text') {
      texts.push(segment.text);
      continue;
    }
    const { path, raw } = segment;
    const result = known.get(path) ?? (await view.resolveFileRef(path, TOOL_OUTPUT_MAX_BYTES));
    known.set(path, result);
    if (result.kind === 'file') {
      const place = `${result.sourceId}:${result.workspacePath}`;
      if (!files.has(place)) files.set(place, { ...result, path, sent: sentBody(result) });
      texts.push(raw);
    } else {
      alerts.set(path, { level: 'warn', code: CODES[result.kind], path, message: result.message });
      texts.push(`[unresolved file ref: ${path}]`);
    }
  }
  return { userText: texts.join(''), files: [...files.values()], alerts: [...alerts.values()] };
}

function sentBody({ body, isCut, totalBytes }: Extract<FileRefResult, { kind: 'file' }>): string {
  if (!isCut) return body;
  return `${body}\n[...truncated, ${totalBytes} bytes total — use read_file for the rest]`;
}

const FILE_HEADER = /^\[File: [^\n]*\]\n/;

/** Whether an item contains the body of a referenced file, which is untrusted text to be fenced. */
export function isFileItem({ role, text }: HistoryItem): boolean {
  return role === 'system' && FILE_HEADER.test(text);
}

/** Adds the files that a question refers to after it, each as a separate system message. Runs as the first interceptor. */
export class FileRefInterceptor implements Interceptor {
  readonly #files: readonly ResolvedFile[];

  constructor(files: readonly ResolvedFile[]) {
    this.#files = files;
  }

  async onPromptSubmit(): Promise<Interception> {
    if (this.#files.length === 0) return { action: 'continue' };
    const items = this.#files.map(({ path, sent }): HistoryItem => ({
      role: 'system',
      text: `[File: ${path}]\n${sent}`,
    }));
    return { action: 'continueWith', items };
  }
}
