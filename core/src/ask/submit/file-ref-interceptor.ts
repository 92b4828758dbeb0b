import type { Interception, Interceptor } from '../../contracts/interceptor.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import type { ResolvedFile } from './resolve-file-refs.ts';

const FILE_HEADER = /^\[File: [^\n]*\]\n/;

/** Whether an item holds the body of a referenced file: text of somebody else, to be fenced. */
export function isFileItem({ role, text }: HistoryItem): boolean {
  return role === 'system' && FILE_HEADER.test(text);
}

/** Adds the files that a question refers to behind it, each as a system message of its own. The first of all interceptors. */
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
