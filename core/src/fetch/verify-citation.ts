import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import { blake3Short } from '../domain/blake3.ts';
import { formatUri, parseUri } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { Components } from '../plugin/components.ts';
import { FreshnessCheck } from '../documents/freshness.ts';
import type { CitationCheck } from '../wire/index.ts';
import { designate } from './designate.ts';
import { DocumentViews } from './document-views.ts';
import { findDocument } from '../documents/find-document.ts';
import { findMoved } from './find-moved.ts';

/** What of a citation is known beside its URI. */
export interface VerifyOptions extends AbortOptions {
  /** The hash the cited text had: 16 hex digits. Without it only the place is checked. */
  readonly hash?: string | undefined;
  readonly source?: string | undefined;
}

/** Checks citations: whether the cited text still stands where the URI says, stands elsewhere, or is gone. */
export class VerifyCitation {
  readonly #components: Components;
  readonly #config: Pick<ResolvedConfig, 'search' | 'workspace'>;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(components: Components, config: Pick<ResolvedConfig, 'search' | 'workspace'>, clock: Clock, log: Logger) {
    this.#components = components;
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Markdown, text and code are checked against the file as it is now, everything else against the stored text. Text that
   * moved is looked for in the same document, nearest first, then in every other. Throws `invalid_input` for a URI or hash
   * that is none and for a path in several sources, `not_indexed`, `cancelled`.
   */
  async verify(uri: string, options: VerifyOptions = {}): Promise<CitationCheck> {
    throwIfCancelled(options.signal, 'cite verify');
    const { path, fragment } = parseUri(uri);
    const hash = options.hash === undefined ? null : parseHash(options.hash);
    const store = await this.#components.first('document_store');
    const views = new DocumentViews(store, this.#config);
    const document = findDocument(store, path, options.source);
    const view = document === null ? null : await views.current(document);
    const text = view === null ? null : designate(view, fragment);
    const check = {
      schema_version: 'citation_check.v1',
      uri,
      content_hash: text === null ? null : blake3Short(text),
      found_uri: null,
      freshness: document === null ? null : await this.#freshness(document, options.signal),
    } as const;
    if (text !== null && (hash === null || hash === check.content_hash)) return { ...check, status: 'exact' };
    const lost = { document, fragment, signal: options.signal };
    const moved = hash === null ? null : await findMoved(store, views, { ...lost, hash });
    return moved === null ? { ...check, status: 'gone' } : { ...check, status: 'moved', found_uri: formatUri(moved) };
  }

  async #freshness(document: DocumentRow, signal: AbortSignal | undefined): Promise<CitationCheck['freshness']> {
    const { freshness } = await new FreshnessCheck({
      components: this.#components,
      config: this.#config,
      clock: this.#clock,
      log: this.#log,
      signal,
    }).check(document);
    return freshness;
  }
}

function parseHash(text: string): string {
  const hash = text.trim().toLowerCase();
  if (/^[0-9a-f]{16}$/.test(hash)) return hash;
  throw invalidInput(`${JSON.stringify(text)} is not a content hash: it has 16 hex digits`, {
    field: 'hash',
    value: text,
  });
}
