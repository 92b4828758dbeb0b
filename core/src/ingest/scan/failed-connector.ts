import type { SourceConnector, SourceEntry } from '../../contracts/source-connector.ts';
import type { KebabError } from '../../errors/kebab-error.ts';

/** Stands for a connector whose plugin does not work: its source is one whose root cannot be read, and keeps its documents. */
export class FailedConnector implements SourceConnector {
  readonly id: string;
  readonly version = '0';
  readonly #why: KebabError;

  constructor(id: string, why: KebabError) {
    this.id = id;
    this.#why = why;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async *scan(): AsyncGenerator<SourceEntry> {
    yield { kind: 'error', workspacePath: '.', message: this.#why.message, code: this.#why.code };
  }

  async read(): Promise<Uint8Array> {
    throw this.#why;
  }
}
