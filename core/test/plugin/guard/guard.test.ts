import { describe, expect, it } from 'vitest';
import type { ComponentName } from '../../../src/plugin/components.ts';
import type { Contributions, PluginKind } from '../../../src/plugin/contributions.ts';
import type { Reranker } from '../../../src/contracts/reranker.ts';
import { guardContribution, missingMember } from '../../../src/plugin/guard/guard.ts';
import { trustPolicyOf, type PluginOrigin } from '../../../src/plugin/trust-policy.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { answerToJudge, silentCallContext } from '@kebab/testing';

const told: string[] = [];

/** A contribution of `acme` 1.2.3, in which only the given members matter. */
function guarded<K extends PluginKind>(kind: K, given: object, origin: PluginOrigin = 'package'): Contributions[K] {
  const policy = trustPolicyOf({ origin });
  const name: ComponentName = { kind, id: 'x', plugin: 'acme', pluginVersion: '1.2.3', policy };
  const onCallFailure = (_name: ComponentName, error: Error): void => void told.push(error.message);
  return guardContribution(complete(kind, given), name, { onFailure: () => {}, onCallFailure }) as Contributions[K];
}

/** The given members on an object that has every other required member of its kind. */
function complete(kind: PluginKind, given: object): object {
  const others = { ...COMMON, ...REST[kind] };
  const target = Object.isFrozen(given) ? Object.defineProperties({}, Object.getOwnPropertyDescriptors(given)) : given;
  for (const [name, value] of Object.entries(others))
    if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, enumerable: true });
  return Object.isFrozen(given) ? Object.freeze(target) : target;
}

const no = (): never => {
  throw new Error('not asked for');
};
const COMMON = { id: 'x', version: '1', fingerprint: () => 'x@1' };
const REST: { readonly [K in PluginKind]?: object } = {
  source: { scan: no, read: no },
  ocr: { recognize: no },
  embedder: {
    modelId: 'm',
    modelVersion: '1',
    dimensions: 2,
    maxInputTokens: 1,
    relevance: { floor: 0, ceil: 1 },
    languages: null,
    embed: no,
  },
  reranker: { rerank: no },
  llm: { model: { id: 'm', provider: 'x' }, contextTokens: 1, generate: no },
  groundedness: { check: no },
  vector_store: {
    ensureCollection: no,
    upsert: no,
    delete: no,
    search: no,
    listCollections: no,
    count: no,
    dropCollection: no,
  },
};

it.each([undefined, null, 'extractor'])('is not %j, which a factory may return by mistake', (made) => {
  expect(missingMember('extractor', 'x', made)).toBe('its extractor "x" is not an object: its factory must return one');
});

async function failureOf(
  work: () => unknown,
): Promise<{ readonly message: string; readonly hint: string; readonly code: string }> {
  try {
    await work();
  } catch (error) {
    return error as KebabError;
  }
  throw new Error('it did not fail');
}

const nothing = (): never => {
  throw new Error('no luck');
};
const later = async (): Promise<never> => nothing();
const [texts, claims] = [[{ text: 'a', kind: 'document' } as const], ['c']];
const items = [{ chunkId: 'c1', text: 'a' }] as unknown as Parameters<Reranker['rerank']>[1];
const context = silentCallContext();
const unit = new Float32Array([0.6, 0.8]);

async function drain(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const taken: unknown[] = [];
  for await (const one of stream) taken.push(one);
  return taken;
}

const embed = (answer: unknown) => guarded('embedder', { dimensions: 2, embed: async () => answer }).embed(texts);
const rerank = (answer: unknown) => guarded('reranker', { rerank: async () => answer }).rerank('q', items);
const check = (answer: unknown) => guarded('groundedness', { check: async () => answer }).check?.(claims, claims);
const judge = (answer: unknown) =>
  guarded('groundedness', { judge: async () => answer }).judge?.(answerToJudge('It is so [1].', ['It is so.']));
const JUDGEMENT = { text: 'It is', sentences: [], findings: [], cited: [], attributed: [], unsupported: [] };
const generate = (...pieces: readonly unknown[]) =>
  drain(
    guarded('llm', {
      generate: async function* () {
        yield* pieces;
      },
    }).generate({ messages: [], stop: [], maxTokens: 1, temperature: 0 }),
  );

describe('a contribution of a third-party plugin', () => {
  it.each<[string, () => unknown, string]>([
    ['throws synchronously', () => guarded('embedder', { embed: nothing }).embed(texts), 'embed failed: no luck'],
    ['rejects', () => guarded('embedder', { embed: later }).embed(texts), 'embed failed: no luck'],
    [
      'has a member that throws',
      () =>
        Reflect.get(
          guarded('hook', {
            get onAnswer() {
              return nothing();
            },
          }),
          'onAnswer',
        ),
      'onAnswer failed: no luck',
    ],
    [
      'returns vectors of another length',
      () => embed([new Float32Array(3)]),
      'embed failed: a vector has 3 dimensions instead of 2',
    ],
    [
      'returns vectors with NaN',
      () => embed([new Float32Array([NaN, 1])]),
      'embed failed: a vector holds a value that is not finite',
    ],
    ['returns lists for vectors', () => embed([[1, 0]]), 'embed failed: a vector is no Float32Array'],
    ['returns fewer vectors than texts', () => embed([]), 'embed failed: 1 texts came back as 0 vectors'],
    ['returns no vectors at all', () => embed(undefined), 'embed failed: its answer is not a list of vectors'],
    ['loses a passage', () => rerank([]), 'rerank failed: it did not return each passage once'],
    [
      'returns a passage without a score',
      () => rerank([{ chunkId: 'c1', score: NaN }]),
      'rerank failed: a score is NaN, not a number from 0 to 1',
    ],
    ['returns a list of nothing', () => rerank([null]), 'rerank failed: it did not return each passage once'],
    ['judges an answer without a text', () => judge({}), 'judge failed: its judgement has no text'],
    [
      'judges an answer without its sentences',
      () => judge({ ...JUDGEMENT, sentences: undefined }),
      'judge failed: its judgement lacks sentences, findings, cited, attributed or unsupported',
    ],
    [
      'finds something outside its text',
      () => judge({ ...JUDGEMENT, findings: [{ start: 3, end: 9 }] }),
      'judge failed: a range from 3 to 9 is not in its text',
    ],
    [
      'invents a verdict',
      () => judge({ ...JUDGEMENT, sentences: [{ start: 0, end: 5, verdict: 'true' }] }),
      'judge failed: a verdict is true',
    ],
    ['judges too few claims', () => check([]), 'check failed: it did not judge 1 claims against 1 passages'],
    [
      'returns judgements that are not numbers',
      () => check([[{ entailment: '1' }]]),
      'check failed: an entailment is 1, not a number',
    ],
    [
      'yields something that is not a token',
      () => generate({ kind: 'word' }),
      'generate failed: it gave something that is neither a token nor the end',
    ],
    ['yields a token without text', () => generate({ kind: 'token' }), 'generate failed: a token is not a string'],
    [
      'breaks off before the first token',
      () => generate({ kind: 'done', finishReason: 'error', error: 'out of paper', usage: {} }),
      'generate failed: out of paper',
    ],
    [
      'fails during a stream',
      () =>
        drain(
          guarded('llm', {
            generate: async function* () {
              yield { kind: 'token', token: 'a' };
              nothing();
            },
          }).generate({ messages: [], stop: [], maxTokens: 1, temperature: 0 }),
        ),
      'generate failed: no luck',
    ],
    [
      'reads no bytes',
      () => guarded('source', { read: async () => 'text' }).read({} as never, context),
      'read failed: what it read is no Uint8Array',
    ],
    [
      'returns hits without scores',
      () =>
        guarded('vector_store', { search: async () => [{ chunkId: 'c1' }] }).search('c', {
          vector: unit,
          limit: 1,
          allow: { kind: 'all' },
        }),
      'search failed: a hit has no chunk, or no score',
    ],
    [
      'lists no collections',
      () => guarded('vector_store', { listCollections: async () => ({}) }).listCollections(),
      'listCollections failed: its collections are not a list of names',
    ],
    [
      'lists no problems',
      () => guarded('vector_store', { checkIntegrity: async () => 'fine' }).checkIntegrity?.(),
      'checkIntegrity failed: its problems are not a list of sentences',
    ],
    ['observes and throws', () => guarded('hook', { onAnswer: nothing }).onAnswer?.({}), 'onAnswer failed: no luck'],
  ])('that %s is named with its version, reported once, with a remedy', async (_what, act, message) => {
    told.length = 0;
    const failure = await failureOf(act);
    expect(failure.code).toBe('plugin_failed');
    expect(failure.message).toContain(`acme@1.2.3/${message}`);
    expect(failure.hint).toMatch(/update (?:it|acme@1\.2\.3), or .*; `kebab plugin doctor` looks closer/);
    expect(told).toEqual([failure.message]);
  });

  it('puts into the hint what a search reports when it continues without it', async () => {
    expect((await failureOf(() => embed([]))).hint).toBe(
      'acme@1.2.3 failed: 1 texts came back as 0 vectors; update acme@1.2.3, or name another embedder in models.embedding.provider; `kebab plugin doctor` looks closer',
    );
  });

  it('keeps the code of an expected failure, and adds its name', async () => {
    const embedder = guarded('embedder', {
      embed: async () => {
        throw new KebabError('model_unreachable', 'nobody answers at http://127.0.0.1:1', {
          details: { endpoint: 'http://127.0.0.1:1', model: 'm', cause: 'ECONNREFUSED' },
        });
      },
    });
    expect(await failureOf(() => embedder.embed(texts))).toMatchObject({
      code: 'model_unreachable',
      message: 'acme@1.2.3: nobody answers at http://127.0.0.1:1',
      hint: 'acme@1.2.3: start the model server, then run `kebab doctor`',
      details: { endpoint: 'http://127.0.0.1:1' },
    });
  });

  it('leaves failures on a file to the caller that knows the file, and aborts to the caller that aborted', async () => {
    const engine = guarded('ocr', { recognize: later });
    expect(await failureOf(() => engine.recognize({} as never, context))).toMatchObject({ message: 'no luck' });
    const aborted = new DOMException('stop', 'AbortError');
    const embedder = guarded('embedder', { embed: () => Promise.reject(aborted) });
    expect(await failureOf(() => embedder.embed(texts))).toBe(aborted);
  });

  it('answers unchanged when it meets its contract, frozen or with private members', async () => {
    class Model {
      readonly #vector = unit;
      readonly dimensions = 2;
      asked = 0;
      async embed(): Promise<readonly Float32Array[]> {
        this.asked++;
        return [this.#vector];
      }
    }
    const model = new Model();
    const embedder = guarded('embedder', model);
    expect(await embedder.embed(texts)).toEqual([unit]);
    expect([embedder.dimensions, model.asked, 'probe' in embedder, embedder.probe === undefined]).toEqual([
      2,
      1,
      false,
      true,
    ]);
    const methodOf = (): unknown => Reflect.get(embedder, 'embed');
    expect(methodOf()).toBe(methodOf());
    const frozen = guarded('reranker', Object.freeze({ rerank: async () => [{ chunkId: 'c1', score: 1 }] }));
    expect(await frozen.rerank('q', items)).toHaveLength(1);
    const done = { kind: 'done', finishReason: 'stop', usage: { promptTokens: 0, completionTokens: 0 } };
    expect(await generate({ kind: 'token', token: 'a' }, done)).toHaveLength(2);
    expect(await check([[{ entailment: 1, neutral: 0, contradiction: 0 }]])).toHaveLength(1);
  });
});

describe('a contribution of a bundled plugin', () => {
  it('is checked against its contract as well, under its name', async () => {
    const embedder = guarded('embedder', { embed: async () => [new Float32Array(3)] }, 'builtin');
    expect(await failureOf(() => embedder.embed(texts))).toMatchObject({
      code: 'plugin_failed',
      message: 'acme@1.2.3/embed failed: a vector has 3 dimensions instead of 2',
    });
  });

  it('keeps its errors unchanged', async () => {
    told.length = 0;
    const failing = guarded('embedder', { embed: nothing }, 'builtin');
    expect(await failureOf(() => failing.embed(texts))).toMatchObject({ message: 'no luck' });
    expect(told).toEqual([]);
  });

  it('may end its stream with an error, which is not a breach of contract', async () => {
    const end = { kind: 'done', finishReason: 'error', error: 'out of paper', usage: {} };
    const model = guarded(
      'llm',
      {
        generate: async function* () {
          yield end;
        },
      },
      'builtin',
    );
    expect(await drain(model.generate({ messages: [], stop: [], maxTokens: 1, temperature: 0 }))).toEqual([end]);
  });
});

describe('a source of a third-party plugin', () => {
  const file = {
    kind: 'file',
    workspacePath: 'a/b.md',
    uri: 'wiki:a/b',
    size: 1,
    mtimeNs: 1n,
    birthtimeMs: 0,
    mediaType: { kind: 'markdown' },
  };
  const scan = (...entries: readonly unknown[]) =>
    drain(
      guarded('source', {
        scan: async function* () {
          yield* entries;
          nothing();
        },
      }).scan({ root: '/r', include: [], exclude: [] }, context),
    );

  it('counts as unreadable when it fails during a walk, so that nothing of it is purged and other sources continue', async () => {
    expect(await scan(file)).toEqual([
      file,
      { kind: 'error', workspacePath: '.', message: 'acme@1.2.3/scan failed: no luck', code: 'plugin_failed' },
    ]);
  });

  it.each<[string, unknown]>([
    ['"../etc/passwd" is not a path inside the root', { ...file, workspacePath: '../etc/passwd' }],
    ['"/etc/passwd" is not a path inside the root', { ...file, workspacePath: '/etc/passwd' }],
    ['nothing is not a path inside the root', { ...file, workspacePath: undefined }],
    ['a/b.md has no mtimeNs, which is a bigint', { ...file, mtimeNs: 1 }],
    ['a/b.md has no size or no birthtimeMs', { ...file, size: NaN }],
    ['a/b.md has no size or no birthtimeMs', { ...file, size: -1 }],
    ['a/b.md has the birthtimeMs NaN, which is no date', { ...file, birthtimeMs: NaN }],
    ['a/b.md has the birthtimeMs 1e+300, which is no date', { ...file, birthtimeMs: 1e300 }],
    [`a/b.md has the mtimeNs ${2n ** 63n}, which is more than 64 bits hold`, { ...file, mtimeNs: 2n ** 63n }],
    ['a/b.md has a linkChangedNs that is no bigint', { ...file, linkChangedNs: 1 }],
    [
      'a has failed with "boom", which is no code of kebab\'s',
      { kind: 'error', workspacePath: 'a', message: 'no', code: 'boom' },
    ],
    ["a has failed with no code, which is no code of kebab's", { kind: 'error', workspacePath: 'a', message: 'no' }],
    ['a/b.md has no mediaType that kebab knows', { ...file, mediaType: { kind: 'scroll' } }],
    ['a is skipped without saying why', { kind: 'skipped', workspacePath: 'a' }],
    ['a is neither a file nor skipped nor an error', { kind: 'folder', workspacePath: 'a' }],
    ['nothing is not a path inside the root', null],
  ])('is stopped when it breaches its contract: %s', async (cause, entry) => {
    expect(await scan(entry)).toEqual([
      { kind: 'error', workspacePath: '.', message: `acme@1.2.3/scan failed: ${cause}`, code: 'plugin_failed' },
    ]);
  });
});

describe('a contribution with a missing or invalid member', () => {
  it.each<[string, PluginKind, object]>([
    ['no relevance: numbers floor and ceil, the lower one first', 'embedder', { relevance: {} }],
    ['no relevance: numbers floor and ceil, the lower one first', 'embedder', { relevance: { floor: NaN, ceil: 1 } }],
    ['no relevance: numbers floor and ceil, the lower one first', 'embedder', { relevance: { floor: 1, ceil: 0 } }],
    ['no languages: a list of codes, or null for most of them', 'embedder', { languages: [1] }],
    ['no model with an id and a provider', 'llm', { model: { id: 7, provider: 'x' } }],
    ['no reads: a list of settings', 'chunker', { needs: {}, reads: {}, chunk: no }],
  ])('is rejected when it has %s', (fault, kind, given) => {
    expect(() => guarded(kind, given)).toThrow(`its ${kind} "x" has ${fault}`);
  });
});
