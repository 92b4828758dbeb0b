import type { DescribeSchema } from '../admin/describe-schema.ts';
import type { CopyVectorsOptions, CopyVectorsRequest } from '../admin/copy-vectors.ts';
import type { Inspect } from '../admin/inspect.ts';
import type { Models } from '../admin/models.ts';
import type { ListDocs } from '../admin/list-docs.ts';
import type { AskQuestion } from '../ask/ask-question.ts';
import type { ChatSessions } from '../ask/sessions/chat-sessions.ts';
import type { Evaluation } from '../eval/evaluation.ts';
import type { FetchText } from '../fetch/fetch-text.ts';
import type { LocateCitation } from '../fetch/locate-citation.ts';
import type { SnapCitation } from '../fetch/snap-citation.ts';
import type { VerifyCitation } from '../fetch/verify-citation.ts';
import type { IngestExternal } from '../ingest/ingest-external.ts';
import type { IngestFolder } from '../ingest/run-ingest.ts';
import type { SearchDocuments } from '../search/search-documents.ts';
import type {
  ConfigPaths,
  ConfigView,
  Doctor,
  InitReport,
  PluginExplain,
  PluginList,
  ResetReport,
  TrustReport,
  VectorsCopied,
} from '../wire/index.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ResetScope, TrustRequest } from './app.ts';

/** The use cases behind the facade; each is loaded and made when it is first asked for. */
export interface UseCases {
  readonly search: () => Promise<SearchDocuments>;
  readonly ask: () => Promise<AskQuestion>;
  readonly sessions: () => Promise<ChatSessions>;
  readonly fetch: () => Promise<FetchText>;
  readonly snap: () => Promise<SnapCitation>;
  readonly locate: () => Promise<LocateCitation>;
  readonly verify: () => Promise<VerifyCitation>;
  readonly ingest: () => Promise<IngestFolder>;
  readonly external: () => Promise<IngestExternal>;
  readonly list: () => Promise<ListDocs>;
  readonly inspect: () => Promise<Inspect>;
  readonly describe: () => Promise<DescribeSchema>;
  readonly resolveId: (kind: 'document' | 'chunk', text: string) => Promise<string>;
  readonly diagnose: (options?: AbortOptions) => Promise<Doctor>;
  readonly init: (options: { readonly force: boolean }) => Promise<InitReport>;
  readonly reset: (scope: ResetScope, options?: AbortOptions) => Promise<ResetReport>;
  readonly models: () => Promise<Models>;
  readonly copyVectors: (request: CopyVectorsRequest, options?: CopyVectorsOptions) => Promise<VectorsCopied>;
  readonly evaluation: () => Promise<Evaluation>;
  readonly trust: (request: TrustRequest) => Promise<TrustReport>;
  readonly configView: () => Promise<ConfigView>;
  readonly configPaths: () => Promise<ConfigPaths>;
  readonly pluginList: () => Promise<PluginList>;
  readonly pluginExplain: (path: string) => Promise<PluginExplain>;
  readonly pluginDoctor: (options?: AbortOptions) => Promise<Doctor>;
}
