import { describe, it } from 'vitest';
import type {
  AnswerJudgement,
  Entailment,
  GroundednessChecker,
} from '../../../core/src/contracts/groundedness-checker.ts';
import { throwIfCancelled } from '../../../core/src/errors/abort.ts';
import { groundednessSuite } from '../../src/passage-suites.ts';
import { claimsChecker } from '../../../core/test/ask/claims-checker.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';

type Sound = GroundednessChecker & Required<Pick<GroundednessChecker, 'check'>>;
type Mutate = (sound: Sound) => GroundednessChecker;

/** The bundled checker of answers. */
const SOUND_JUDGE = await claimsChecker();

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

/** A checker that meets its contract: the share of a claim's words that occur in a passage. */
const SOUND: Sound = {
  id: 'words',
  version: '1',
  fingerprint: () => 'words@1',
  check: async (claims, passages, { signal } = {}) => {
    throwIfCancelled(signal, 'check');
    return claims.map((claim) =>
      passages.map((passage): Entailment => {
        const words = wordsOf(claim);
        const held = new Set(wordsOf(passage));
        const entailment = words.length === 0 ? 0 : words.filter((word) => held.has(word)).length / words.length;
        return { entailment, neutral: 1 - entailment, contradiction: 0 };
      }),
    );
  },
};

type Judged = Awaited<ReturnType<NonNullable<GroundednessChecker['check']>>>;

const judging =
  (change: (judged: Judged) => Judged): Mutate =>
  (sound) =>
    changed(sound, {
      check: async (claims, passages, options) => change(await sound.check(claims, passages, options)),
    });

let calls = 0;

describe('groundednessSuite', () => {
  it('detects every mutation', async () => {
    await expectAllCaught<Mutate>(
      (mutate) => groundednessSuite({ make: () => mutate?.(SOUND) ?? SOUND }),
      {
        'sums to 2': judging((judged) => judged.map((row) => row.map((one) => ({ ...one, contradiction: 1 })))),
        'gives percentages': judging((judged) =>
          judged.map((row) =>
            row.map(({ entailment, neutral }) => ({
              entailment: entailment * 100,
              neutral: neutral * 100,
              contradiction: 0,
            })),
          ),
        ),
        'loses a passage': judging((judged) => judged.map((row) => row.slice(1))),
        'loses a claim': judging((judged) => judged.slice(1)),
        'judges passages in another order': judging((judged) => judged.map((row) => row.toReversed())),
        'supports nothing': judging((judged) =>
          judged.map((row) => row.map(() => ({ entailment: 0, neutral: 1, contradiction: 0 }))),
        ),
        'supports everything': judging((judged) =>
          judged.map((row) => row.map(() => ({ entailment: 1, neutral: 0, contradiction: 0 }))),
        ),
        'differs from call to call': judging((judged) => {
          const noise = (calls++ % 7) / 100;
          return judged.map((row) => row.map(() => ({ entailment: noise, neutral: 1 - noise, contradiction: 0 })));
        }),
        'fails on a long text': (sound) =>
          changed(sound, {
            check: (claims, passages, options) => {
              if ([...claims, ...passages].some((text) => text.length > 10_000)) throw new RangeError('too long');
              return sound.check(claims, passages, options);
            },
          }),
        'fails on a lone surrogate': (sound) =>
          changed(sound, {
            check: (claims, passages, options) => {
              encodeURIComponent([...claims, ...passages].join(' '));
              return sound.check(claims, passages, options);
            },
          }),
        'does not stop': (sound) => changed(sound, { check: (claims, passages) => sound.check(claims, passages) }),
        'has a new fingerprint each time': (sound) => changed(sound, { fingerprint: () => `${calls++}` }),
      },
      (sound) => changed(sound, {}),
    );
  });

  it('detects every mutation of a judgement', async () => {
    const sentences =
      (change: (sentence: AnswerJudgement['sentences'][number]) => object) =>
      (judgement: AnswerJudgement): AnswerJudgement => ({
        ...judgement,
        sentences: judgement.sentences.map((sentence) => ({ ...sentence, ...change(sentence) })),
      });
    const faults: Readonly<Record<string, (judgement: AnswerJudgement) => AnswerJudgement>> = {
      'supports nothing': sentences(({ verdict }) => ({ verdict: verdict === null ? null : 'unsupported' })),
      'supports everything': sentences(() => ({ verdict: 'supported' })),
      'grounds everything': (judgement) => ({ ...judgement, reason: null }),
      'has a range outside the text': sentences(({ end }) => ({ end: end + 1 })),
      'rewrites the text': (judgement) => ({ ...judgement, text: judgement.text.replace('bread', 'cake') }),
      'shows something else than it found': (judgement) => ({
        ...judgement,
        findings: judgement.findings.map((finding) => ({ ...finding, text: 'x' })),
      }),
      'differs from call to call': (judgement) => ({ ...judgement, details: calls++ }),
    };
    await expectAllCaught<(judgement: AnswerJudgement) => AnswerJudgement>(
      (mutate) =>
        groundednessSuite({
          make: () =>
            changed<GroundednessChecker>(SOUND_JUDGE, {
              judge: async (answer, options) => {
                const judgement = await SOUND_JUDGE.judge?.(answer, options);
                if (judgement === undefined) throw new Error('it does not judge');
                return mutate?.(judgement) ?? judgement;
              },
            }),
        }),
      { ...faults },
      (judgement) => judgement,
    );
  });
});
