import type { AskQuestion } from '../../ask/ask-question.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { Clock } from '../../contracts/contribution.ts';
import type { VerifyCitation } from '../../fetch/verify-citation.ts';
import type { Components } from '../../plugin/components.ts';
import type { SearchDocuments } from '../../search/search-documents.ts';

/** What is evaluated, and what the evaluation needs besides. The use cases are made when they are first called for. */
export interface EvalSources {
  readonly components: Components;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly search: () => Promise<Pick<SearchDocuments, 'search'>>;
  readonly ask: () => Promise<Pick<AskQuestion, 'ask'>>;
  readonly verify: () => Promise<Pick<VerifyCitation, 'verify'>>;
}
