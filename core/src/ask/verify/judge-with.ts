import type { AnswerJudgement, AnswerToJudge } from '../../contracts/groundedness-checker.ts';
import { withDeadline } from '../../errors/abort.ts';
import type { Ports } from '../../ports.ts';
import type { Degraded } from '../../wire/index.ts';

/** The judgement of an answer; null when there is none, with the reason unless the signal has fired. */
interface Judged {
  readonly judgement: AnswerJudgement | null;
  readonly degraded: readonly Degraded[];
}

const OFF = 'none';

/** Judges an answer with the checker that `rag.answer_checker` names. Without one, and when it fails, the answer stays unjudged. */
export async function judgeWith(
  { groundednessCheckers, config, log }: Pick<Ports, 'groundednessCheckers' | 'config' | 'log'>,
  answer: AnswerToJudge,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<Judged> {
  const id = config.rag.answerChecker;
  if (id === OFF) return unjudged('provider_none', 'set rag.answer_checker to claims');
  if (!groundednessCheckers.names().some((name) => name.id === id))
    return unjudged('provider_none', `no active plugin has the checker ${id}: enable it, or set rag.answer_checker`);
  try {
    const checker = await groundednessCheckers.get(id);
    if (checker.judge === undefined)
      return unjudged('provider_none', `the checker ${id} only compares claims: set rag.answer_checker to another one`);
    const judging = checker.judge(answer, { signal });
    return { judgement: await withDeadline(() => judging, { signal, operation: 'ask' }), degraded: [] };
  } catch (error) {
    if (signal?.aborted === true) return { judgement: null, degraded: [] };
    const cause = error instanceof Error ? error.message : String(error);
    log.error('the answer cannot be checked', { checker: id, cause });
    return unjudged('plugin_failed', `the checker ${id} failed (${cause})`);
  }
}

function unjudged(reason: Degraded['reason'], hint: string): Judged {
  const degraded = { stage: 'check', reason, hint: `answers are not checked, so none is grounded: ${hint}` } as const;
  return { judgement: null, degraded: [degraded] };
}
