import type { AbortOptions } from '../../contracts/contribution.ts';
import type { GroundednessChecker } from '../../contracts/groundedness-checker.ts';

/**
 * How well passages support an answer: for each claim the greatest entailment over the passages, of these the least; 0 to 1,
 * and 0 where there is nothing to compare. Throws what the checker throws, and an error when it answers too little.
 */
export async function verifyEntailment(
  checker: GroundednessChecker,
  { claims, passages }: { readonly claims: readonly string[]; readonly passages: readonly string[] },
  options: AbortOptions = {},
): Promise<number> {
  if (claims.length === 0 || passages.length === 0) return 0;
  const judged = await checker.check(claims, passages, options);
  if (judged.length !== claims.length || judged.some((row) => row.length !== passages.length))
    throw new Error(
      `the checker judged ${judged.length} claims, not ${claims.length} against ${passages.length} passages`,
    );
  const supports = judged.map((row) => Math.max(...row.map(({ entailment }) => entailment)));
  const score = Math.min(...supports);
  if (!Number.isFinite(score)) throw new Error('the checker gave something else than numbers');
  return Math.min(1, Math.max(0, score));
}
