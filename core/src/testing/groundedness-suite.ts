import { fingerprintOf } from '../domain/policy-hash.ts';
import assert from 'node:assert/strict';
import type { Entailment, GroundednessChecker } from '../contracts/groundedness-checker.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';

/** What {@link groundednessSuite} needs. */
export interface GroundednessSuiteOptions {
  readonly make: () => GroundednessChecker | Promise<GroundednessChecker>;
  /** Says that it is to tell a claim that a passage repeats from one that no passage mentions; false for a test double. */
  readonly judges?: boolean;
}

const PASSAGE = 'The lighthouse on the northern rock was built in 1871 and is painted white.';
const CLAIM = 'The lighthouse on the northern rock was built in 1871.';
const FOREIGN = 'Sourdough bread needs flour, water, salt and time.';
const TEXTS = ['', ' \n', '한국어 문장입니다.', '😀', '\u0000', '\uD800', 'one word '.repeat(4000)];

/** The promises of a groundedness checker: one triple that sums to 1 for each claim and passage, and no text that is an error. */
export function groundednessSuite({ make, judges = true }: GroundednessSuiteOptions): ContractSuite {
  const promise = (name: string, check: (checker: GroundednessChecker) => Promise<void>): ContractCase => ({
    name,
    run: async () => check(await make()),
  });
  return {
    contract: 'GroundednessChecker',
    cases: [
      promise('has an id, a version and one fingerprint', async (checker) => {
        for (const text of [checker.id, checker.version, fingerprintOf(checker)]) assert.match(text, /\S/);
        assert.equal(fingerprintOf(checker), fingerprintOf(checker));
        assert.equal(fingerprintOf(checker), fingerprintOf(await make()));
      }),
      promise('gives one triple for each claim and passage, in order', async (checker) => {
        const judged = await checker.check([CLAIM, FOREIGN], [PASSAGE, FOREIGN, PASSAGE]);
        assert.deepEqual(
          judged.map((row) => row.length),
          [3, 3],
        );
        for (const triple of judged.flat()) assertTriple(triple);
        for (const [first, , third] of judged) assertNear(first, third, 'the same passage is judged the same');
        assertNear(judged[0]?.[0], (await checker.check([CLAIM], [PASSAGE]))[0]?.[0], 'alone and in company');
      }),
      promise('gives the same twice, in every instance', async (checker) => {
        const first = await checker.check([CLAIM], [PASSAGE]);
        assert.deepEqual(await checker.check([CLAIM], [PASSAGE]), first);
        assert.deepEqual(await (await make()).check([CLAIM], [PASSAGE]), first);
      }),
      promise('answers nothing for nothing', async (checker) => {
        assert.deepEqual(await checker.check([], [PASSAGE]), []);
        assert.deepEqual(await checker.check([CLAIM], []), [[]]);
      }),
      promise('takes any text, of any length', async (checker) => {
        for (const text of TEXTS)
          for (const triple of (await checker.check([text, CLAIM], [text])).flat()) assertTriple(triple);
      }),
      {
        ...promise(
          'finds a claim that a passage says more likely there than in one about something else',
          async (c) => {
            const [[there, elsewhere] = []] = await c.check([CLAIM], [PASSAGE, FOREIGN]);
            assert.ok((there?.entailment ?? 0) > (elsewhere?.entailment ?? 1), `${there?.entailment} is the larger`);
          },
        ),
        ...(judges ? {} : { skip: 'it does not judge' }),
      },
      promise('stops when the signal has fired', async (checker) => {
        await assert.rejects(
          () => checker.check([CLAIM], [PASSAGE], { signal: AbortSignal.abort() }),
          (error) => isAbort(error) || isKebabError(error, 'cancelled'),
        );
      }),
    ],
  };
}

function assertTriple({ entailment, neutral, contradiction }: Entailment): void {
  for (const share of [entailment, neutral, contradiction])
    assert.ok(share >= 0 && share <= 1, `${share} is a probability`);
  const sum = entailment + neutral + contradiction;
  assert.ok(Math.abs(sum - 1) < 1e-3, `the three sum to ${sum}`);
}

/** Batches of quantised models differ a little. */
function assertNear(one: Entailment | undefined, other: Entailment | undefined, what: string): void {
  assert.ok(one !== undefined && other !== undefined, what);
  for (const share of ['entailment', 'neutral', 'contradiction'] as const)
    assert.ok(Math.abs(one[share] - other[share]) < 0.02, `${what}: ${share} ${one[share]} and ${other[share]}`);
}
