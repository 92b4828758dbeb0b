import claims from '@kebab/plugin-claims';
import { checkAnswer, type CheckedAnswer, type ModelAnswer } from '../../src/ask/verify/check-answer.ts';
import type { GroundednessChecker } from '../../src/contracts/groundedness-checker.ts';
import { pluginContext } from '@kebab/testing';

/** The bundled checker of answers, as the plugin creates it. */
export async function claimsChecker(): Promise<GroundednessChecker> {
  const create = claims.contributes.groundedness?.['claims'];
  if (create === undefined) throw new Error('the plugin has no checker');
  return create(pluginContext({}, { fs: 'none', net: [], spawn: [] }));
}

/** A model's text, checked by the bundled checker. */
export async function checkedAnswer(
  raw: string,
  passages: ModelAnswer['passages'],
  question = '',
  more: Pick<ModelAnswer, 'isCutOff'> = {},
): Promise<CheckedAnswer> {
  const checker = await claimsChecker();
  return checkAnswer({ raw, passages, question, ...more }, async (answer) => (await checker.judge?.(answer)) ?? null);
}
