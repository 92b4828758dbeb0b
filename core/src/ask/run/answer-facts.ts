import type { Mode } from '../../domain/query.ts';
import type { Alert, Answer, Degraded, HopRecord, RefusalReason, Trace } from '../../wire/index.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { Evidence, NumberedEvidence } from '../retrieval/evidence.ts';
import type { Validated } from '../verify/post-validate.ts';

/** Where a question stands in its conversation. */
export interface TurnPlace {
  readonly sessionId: string;
  /** 0-based. */
  readonly index: number;
}

/** What is known about how a question was answered, whatever came of it. */
export interface AnswerFacts {
  readonly asked: CheckedAsk;
  readonly traceId: string;
  readonly createdAt: Date;
  readonly model: Answer['model'];
  readonly embedding: Answer['embedding'];
  /** The mode that ran; the one asked for when none did. */
  readonly mode: Mode;
  readonly scoreGate: number;
  readonly topScore: number;
  readonly chunksReturned: number;
  readonly chunksUsed: number;
  /** Everything that stood in the prompt, by number. */
  readonly passages: readonly NumberedEvidence[];
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly alerts: readonly Alert[];
  readonly degraded: readonly Degraded[];
  readonly trace: Trace | null;
  /** Null without multi-hop. */
  readonly hops: readonly HopRecord[] | null;
  readonly verification: Answer['verification'] | null;
  readonly turn: TurnPlace | null;
}

/** What came of a question. */
export type Outcome =
  | Extract<Validated, { kind: 'answer' }>
  | {
      readonly kind: 'refusal';
      readonly reason: RefusalReason;
      /** What was written before an interruption; the sentence of the reason when empty. */
      readonly text: string;
      readonly near: readonly Evidence[];
    };
