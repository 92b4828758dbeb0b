import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../contracts/contribution.ts';
import type { CitedQuery } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Components } from '../plugin/components.ts';
import { FreshnessCheck } from '../documents/freshness.ts';
import type { Open } from '../wire/index.ts';
import { findCitedPlace, type CitedPlace } from './cited-place.ts';
import { requirePage } from './require-page.ts';
import { sourceFileOf } from './source-file.ts';

/** Tells where cited places lie on this machine: the file, and the line or page in it. */
export class LocateCitation {
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
   * A file that is gone is told with where it was, as `deleted`. Errors: `invalid_input` for a URI that is none or names a
   * page or line that the document does not have, for a path in several sources, and for a source that is no folder;
   * `chunk_not_found`, `doc_not_found`, `not_indexed`.
   */
  async locate(query: CitedQuery, { signal }: AbortOptions = {}): Promise<Open> {
    throwIfCancelled(signal, 'open');
    const place = findCitedPlace(await this.#components.first('document_store'), query);
    const { path } = sourceFileOf(place.document, this.#config);
    const check = new FreshnessCheck({
      ...{ components: this.#components, config: this.#config, clock: this.#clock, log: this.#log, signal },
    });
    const { freshness } = await check.check(place.document);
    return { schema_version: 'open.v1', path, ...positionOf(place), uri: place.uri, freshness };
  }
}

function positionOf({ document, fragment }: CitedPlace): {
  readonly line: number | null;
  readonly page: number | null;
} {
  const nowhere = { line: null, page: null };
  switch (fragment?.kind) {
    case 'line':
      // A line of a PDF or of the text in an image is no line of its file.
      return isText(document.media) ? { ...nowhere, line: fragment.start } : nowhere;
    case 'page':
      requirePage(document, fragment.page);
      return { ...nowhere, page: fragment.page };
    case 'region':
    case 'caption':
    case 'time':
    case undefined:
      return nowhere;
    default:
      return fragment satisfies never;
  }
}

function isText(media: CitedPlace['document']['media']): boolean {
  return media !== 'pdf' && media !== 'image' && media !== 'audio';
}
