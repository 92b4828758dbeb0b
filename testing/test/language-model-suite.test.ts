import { describe, expect, it } from 'vitest';
import type { AbortOptions } from '../../core/src/contracts/contribution.ts';
import type { GenerateRequest, TokenChunk } from '../../core/src/contracts/language-model.ts';
import { languageModelSuite, type Arrangement } from '../src/language-model-suite.ts';
import { ScriptedModel } from '../src/fake-models.ts';
import { failuresOf } from './failures.ts';
import { expectAllCaught } from './mutations/mutants.ts';
import { openScripted, SUITE_SCRIPT } from './open-scripted.ts';

type Chunks = AsyncGenerator<TokenChunk>;

/** A model that modifies the request, or the chunks, of a correct one. */
class Changed extends ScriptedModel {
  readonly #request: (request: GenerateRequest) => GenerateRequest;
  readonly #chunks: (chunks: Chunks) => Chunks;

  constructor({ request = same, chunks = same }: Partial<Changes>) {
    super(SUITE_SCRIPT);
    this.#request = request;
    this.#chunks = chunks;
  }

  override async *generate(request: GenerateRequest, options?: AbortOptions): Chunks {
    yield* this.#chunks(super.generate(this.#request(request), options));
  }
}

interface Changes {
  readonly request: (request: GenerateRequest) => GenerateRequest;
  readonly chunks: (chunks: Chunks) => Chunks;
}

const same = <T>(value: T): T => value;

class Deaf extends ScriptedModel {
  override generate(request: GenerateRequest): Chunks {
    return super.generate(request);
  }
}

/** A model that keeps the request of a call where the next call overwrites it. */
class Mixing extends ScriptedModel {
  #request: GenerateRequest | undefined;

  override async *generate(request: GenerateRequest, options?: AbortOptions): Chunks {
    this.#request = request;
    await Promise.resolve();
    yield* super.generate(this.#request, options);
  }
}

async function* withoutDone(chunks: Chunks): Chunks {
  for await (const chunk of chunks) if (chunk.kind === 'token') yield chunk;
}

async function* doneTwice(chunks: Chunks): Chunks {
  for await (const chunk of chunks) {
    yield chunk;
    if (chunk.kind === 'done') yield chunk;
  }
}

async function* bytewise(chunks: Chunks): Chunks {
  for await (const chunk of chunks) {
    if (chunk.kind === 'done') yield chunk;
    else yield { kind: 'token', token: chunk.token.replaceAll(/[^\p{ASCII}]/gu, '\uFFFD') };
  }
}

async function* counting(chunks: Chunks): Chunks {
  for await (const chunk of chunks) yield chunk.kind === 'token' ? { ...chunk, token: ` ${Math.random()}` } : chunk;
}

const ARRANGES: readonly Arrangement[] = ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'];

describe('languageModelSuite', () => {
  it('detects every mutation', async () => {
    await expectAllCaught<ScriptedModel>(
      (model) =>
        languageModelSuite({ open: () => openScripted(model ?? new ScriptedModel(SUITE_SCRIPT)), arranges: ARRANGES }),
      {
        'never ends': new Changed({ chunks: withoutDone }),
        'ends twice': new Changed({ chunks: doneTwice }),
        'ignores maxTokens': new Changed({ request: (request) => ({ ...request, maxTokens: 999 }) }),
        'ignores stop texts': new Changed({ request: (request) => ({ ...request, stop: [] }) }),
        'ignores the seed': new Changed({ chunks: counting }),
        'breaks characters': new Changed({ chunks: bytewise }),
        'answers something else': new ScriptedModel('one two three'),
        'mixes up answers': new Mixing(SUITE_SCRIPT),
        'ignores its signal': new Deaf(SUITE_SCRIPT),
      },
      null,
    );
  });

  it.each(['unreachable', 'missing', 'impatient'] as const)('detects one that answers when it is %s', async (fault) => {
    const sound = new ScriptedModel(SUITE_SCRIPT);
    const suite = languageModelSuite({
      open: () => ({ ...openScripted(sound), [fault]: () => sound }),
      arranges: [fault],
    });
    expect(await failuresOf(suite)).toHaveLength(1);
  });

  it('detects one that throws after the first token', async () => {
    const throwing = new Changed({
      chunks: async function* (chunks) {
        for await (const chunk of chunks) {
          yield chunk;
          throw new Error('the line went dead');
        }
      },
    });
    const suite = languageModelSuite({
      open: () => ({ ...openScripted(), breaking: () => throwing }),
      arranges: ['breaking'],
    });
    expect(await failuresOf(suite)).toEqual([
      'throws nothing after the first token: it ends as error, with the text so far',
    ]);
  });

  it('omits what cannot be arranged', () => {
    const names = languageModelSuite({ open: () => openScripted(), arranges: [] }).cases.map(({ name }) => name);
    expect(names).toContain('answers in tokens and ends with exactly one done');
    expect(names.join()).not.toContain('throws');
  });
});
