import type { RetrievalRequest } from '../contracts/retriever.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Degraded } from '../wire/index.ts';
import {
  askContributed,
  degradedRetriever,
  type ContributedRanking,
  type ContributedRequest,
  type ContributedRetriever,
  type ReadyRetriever,
} from './contributed-retrievers.ts';
import type { Stage } from '../paging/cursor.ts';

/** What the retrievers of plugins made of a query, and which of them took no part. */
export interface ContributedRankings {
  readonly rankings: readonly ContributedRanking[];
  /** One for each ranking, in the same order. */
  readonly stages: readonly Stage[];
  readonly degraded: readonly Degraded[];
}

/** What all retrievers of one search are asked. */
export interface ContributedQuestion extends Omit<ContributedRequest, 'retrieval'> {
  readonly retrieval: Omit<RetrievalRequest, 'limit'>;
}

/** The retrievers of plugins as sides of one hybrid search. One that fails is left out, and named. */
export class ContributedSides {
  readonly #retrievers: readonly ContributedRetriever[];
  readonly #question: ContributedQuestion;

  constructor(retrievers: readonly ContributedRetriever[], question: ContributedQuestion) {
    this.#retrievers = retrievers;
    this.#question = question;
  }

  /** The stages that a list goes through when none of them fails. */
  get stages(): readonly Stage[] {
    return this.#retrievers.flatMap((one) => (one.kind === 'ready' ? [one.stage] : []));
  }

  /** Asks all of them at once, preferred first in what comes back. Aborts pass through. */
  async rank(limit: number): Promise<ContributedRankings> {
    const outcomes = await Promise.all(this.#retrievers.map((one) => this.#ask(one, limit)));
    return {
      rankings: outcomes.flatMap((one) => ('ranking' in one ? [one.ranking] : [])),
      stages: outcomes.flatMap((one) => ('ranking' in one ? [one.stage] : [])),
      degraded: outcomes.flatMap((one) => ('degraded' in one ? [one.degraded] : [])),
    };
  }

  async #ask(
    one: ContributedRetriever,
    limit: number,
  ): Promise<{ readonly ranking: ContributedRanking; readonly stage: Stage } | { readonly degraded: Degraded }> {
    if (one.kind === 'absent') return one;
    try {
      const retrieval = { ...this.#question.retrieval, limit };
      return { ranking: await askContributed(one, { ...this.#question, retrieval }), stage: one.stage };
    } catch (error) {
      return { degraded: this.#failed(error, one) };
    }
  }

  #failed(error: unknown, { name }: ReadyRetriever): Degraded {
    if (isAbort(error) || isKebabError(error, 'cancelled') || !(error instanceof Error)) throw error;
    return degradedRetriever(error, name);
  }
}
