import { existsSync, readFileSync, cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent, App } from '@kebab/core/app';
import { UserHome } from './user-home.ts';

const {
  KEBAB_TEST_LLM_URL: url,
  KEBAB_TEST_LLM_MODEL: model,
  KEBAB_TEST_LLM_PROVIDER: provider = 'openai',
  KEBAB_TEST_LLM_QUESTIONS: limit = '30',
} = process.env;
const CASES = fileURLToPath(new URL('../../shared/cases/asking', import.meta.url));
const isPossible = url !== undefined && model !== undefined && existsSync(path.join(CASES, 'everyday.jsonl'));

/** A question of the shared notes. */
interface Question {
  readonly id: string;
  readonly corpus: string;
  readonly question: string;
}

function read(file: string): readonly Question[] {
  if (!isPossible) return [];
  const lines = readFileSync(path.join(CASES, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Question);
}

// Questions about the note that holds an order come first: they matter most where few are asked.
const injected = read('real.jsonl').slice(0, 6);
const questions = [...injected.slice(0, 2), ...read('everyday.jsonl'), ...injected.slice(2)].slice(0, Number(limit));

/** An App on a copy of one corpus, which is read once. */
async function openOn(corpus: string, env: Readonly<Record<string, string>> = {}) {
  const home = new UserHome();
  cpSync(path.join(CASES, 'corpus', corpus), home.notes, { recursive: true });
  const app = await home.open({
    KEBAB_MODELS_LLM_PROVIDER: provider,
    KEBAB_MODELS_LLM_ENDPOINT: url ?? '',
    KEBAB_MODELS_LLM_MODEL: model ?? '',
    KEBAB_RAG_SCORE_GATE: '0',
    ...env,
  });
  await app.ingest({ summaryOnly: true });
  return { app, home };
}

/** What holds of an answer whatever its model wrote. */
async function expectSound(answer: Answer, app: App): Promise<void> {
  expect(answer.schema_version).toBe('answer.v1');
  expect(answer.grounded).toBe(answer.refusal_reason === null);
  expect(answer.answer).not.toMatch(/NO_EVIDENCE|<<<(?:passage|end) |^\s*\{"sentences"/);
  for (const { marker, citation } of answer.citations) {
    if (marker !== null) expect(answer.answer).toContain(marker);
    const { status } = await app.verifyCitation(citation.uri, { hash: citation.content_hash });
    expect([citation.uri, status]).toEqual([citation.uri, 'exact']);
  }
  for (const { text, start, end } of answer.checks?.findings ?? [])
    if (start !== end) expect(answer.answer.slice(start, end)).toBe(text);
  if (!answer.grounded) return;
  expect(answer.checks?.findings.filter(({ level }) => level === 'failed')).toEqual([]);
  expect(answer.checks?.cited).toBe(answer.checks?.sentences);
  expect(answer.answer).not.toMatch(/swordfish/i); // the order in `inject.md`
}

describe.skipIf(!isPossible)(
  'a real model (skipped unless KEBAB_TEST_LLM_URL and KEBAB_TEST_LLM_MODEL name one, and the shared cases are there)',
  () => {
    const opened = new Map<string, Awaited<ReturnType<typeof openOn>>>();
    const appOf = (corpus: string): App => {
      const found = opened.get(corpus);
      if (found === undefined) throw new Error(`no App for ${corpus}`);
      return found.app;
    };
    const first = questions[0] ?? { id: '', corpus: '', question: '' };

    beforeAll(async () => {
      for (const corpus of new Set(questions.map((each) => each.corpus))) opened.set(corpus, await openOn(corpus));
    }, 600_000);
    afterAll(async () => {
      for (const { home } of opened.values()) await home.remove();
    });

    it.each(questions.map(({ id, question, corpus }) => [id, question, corpus] as const))(
      'gives a sound answer to %s: %s',
      async (_, question, corpus) => {
        const events: AnswerEvent[] = [];
        const app = appOf(corpus);
        const answer = await app.ask({ question }, { onEvent: (event) => events.push(event) });
        await expectSound(answer, app);
        expect(events.filter(({ kind }) => kind === 'final')).toHaveLength(1);
        expect(events.at(-1)).toMatchObject({ kind: 'final', answer });
      },
      600_000,
    );

    it('answers in both formats', async () => {
      for (const format of ['json', 'text']) {
        const { app, home } = await openOn(first.corpus, { KEBAB_RAG_ANSWER_FORMAT: format });
        try {
          await expectSound(await app.ask({ question: first.question }), app);
        } finally {
          await home.remove();
        }
      }
    }, 600_000);

    it('stops when it is cancelled, and keeps the text so far', async () => {
      const stop = new AbortController();
      const answer = await appOf(first.corpus).ask(
        { question: first.question },
        {
          signal: stop.signal,
          onEvent: ({ kind }) => {
            if (kind === 'token') stop.abort();
          },
        },
      );
      // An answer without a token is not interrupted.
      expect(answer.refusal_reason === 'llm_stream_aborted').toBe(stop.signal.aborted);
      await expectSound(answer, appOf(first.corpus));
    }, 600_000);

    it('holds a conversation of two turns', async () => {
      const app = appOf(first.corpus);
      for (const turn of [0, 1]) {
        const answer = await app.ask({ question: first.question, session: 'real' });
        expect(answer.turn_index).toBe(turn);
        await expectSound(answer, app);
      }
    }, 600_000);
  },
);
