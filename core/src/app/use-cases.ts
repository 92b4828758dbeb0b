import type { DescribeSchema } from '../admin/describe-schema.ts';
import type { Inspect } from '../admin/inspect.ts';
import type { ListDocs } from '../admin/list-docs.ts';
import type { FetchText } from '../fetch/fetch-text.ts';
import type { VerifyCitation } from '../fetch/verify-citation.ts';
import type { IngestExternal } from '../ingest/ingest-external.ts';
import type { IngestFolder } from '../ingest/run-ingest.ts';
import type { SearchDocuments } from '../search/search-documents.ts';
import type {
  ConfigPaths,
  ConfigView,
  Doctor,
  InitReport,
  PluginList,
  ResetReport,
  TrustReport,
} from '../wire/index.ts';
import type { ResetScope, RunOptions, TrustRequest } from './app.ts';

/** The use cases behind the facade; each is loaded and made when it is first asked for. */
export interface UseCases {
  readonly search: () => Promise<SearchDocuments>;
  readonly fetch: () => Promise<FetchText>;
  readonly verify: () => Promise<VerifyCitation>;
  readonly ingest: () => Promise<IngestFolder>;
  readonly external: () => Promise<IngestExternal>;
  readonly list: () => Promise<ListDocs>;
  readonly inspect: () => Promise<Inspect>;
  readonly describe: () => Promise<DescribeSchema>;
  readonly resolveId: (kind: 'document' | 'chunk', text: string) => Promise<string>;
  readonly diagnose: (options?: RunOptions) => Promise<Doctor>;
  readonly init: (options: { readonly force: boolean }) => Promise<InitReport>;
  readonly reset: (scope: ResetScope, options?: RunOptions) => Promise<ResetReport>;
  readonly trust: (request: TrustRequest) => Promise<TrustReport>;
  readonly configView: () => Promise<ConfigView>;
  readonly configPaths: () => Promise<ConfigPaths>;
  readonly pluginList: () => Promise<PluginList>;
}
