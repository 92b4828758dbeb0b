// Asks a real model the questions of the shared notes, and prints what it made of them: answered, right, right and grounded, wrong and
// grounded, refused, seconds. A test gate never: models differ, and so do their answers.
//   KEBAB_TEST_LLM_URL=http://127.0.0.1:8080/v1 KEBAB_TEST_LLM_MODEL=NAME node --import ./scripts/run-ts.mjs bench/ask-real.ts
//     [--template rag-v2|rag-v3] [--format json|text] [--only e01,r03] [--show] [--gate 0] [--model <embedding model>]
// The server speaks OpenAI's protocol (llama.cpp, vLLM, LM Studio), or Ollama's with KEBAB_TEST_LLM_PROVIDER=ollama.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Answer } from '@kebab/core/app';
import { openBenchApp } from './lib/open-bench-app.ts';
import { RIGHT_ANSWERS } from './lib/right-answers.ts';

const CASES = path.resolve('../shared/cases/asking');

interface Question {
  readonly id: string;
  readonly corpus: string;
  readonly question: string;
}

const { values } = parseArgs({
  options: {
    template: { type: 'string' },
    format: { type: 'string' },
    only: { type: 'string' },
    model: { type: 'string' },
    gate: { type: 'string' },
    show: { type: 'boolean' },
  },
});
const {
  KEBAB_TEST_LLM_URL: url,
  KEBAB_TEST_LLM_MODEL: llm,
  KEBAB_TEST_LLM_PROVIDER: provider = 'openai',
} = process.env;
if (url === undefined || llm === undefined) throw new Error('set KEBAB_TEST_LLM_URL and KEBAB_TEST_LLM_MODEL');

const only = values.only?.split(',');
const questions = (await Promise.all(['everyday.jsonl', 'real.jsonl'].map(read)))
  .flat()
  .filter(({ id }) => RIGHT_ANSWERS[id] !== undefined && (only === undefined || only.includes(id)));
const counts = {
  asked: 0,
  answered: 0,
  right: 0,
  rightGrounded: 0,
  wrong: 0,
  wrongGrounded: 0,
  refused: 0,
  noneRefused: 0,
  none: 0,
};
const started = performance.now();
for (const corpus of new Set(questions.map((question) => question.corpus))) await askAll(corpus);
const seconds = (performance.now() - started) / 1000;
console.log(`\n${llm}, ${values.template ?? 'default template'}, ${values.format ?? 'default format'}`);
console.log(`questions their notes answer  ${counts.asked}`);
console.log(`  answered                    ${counts.answered}`);
console.log(`  right                       ${counts.right}`);
console.log(`  right and grounded          ${counts.rightGrounded} of ${counts.right}`);
console.log(`  refused                     ${counts.refused}`);
console.log(`questions of no note          ${counts.none}, ended as refusals or not grounded ${counts.noneRefused}`);
console.log(`wrong and grounded            ${counts.wrongGrounded} of ${counts.wrong} wrong answers`);
console.log(`seconds                       ${seconds.toFixed(0)}`);

async function read(file: string): Promise<readonly Question[]> {
  const lines = (await readFile(path.join(CASES, file), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Question);
}

async function askAll(corpus: string): Promise<void> {
  const data = await mkdtemp(path.join(tmpdir(), 'kebab-real-'));
  const embedding =
    values.model === undefined
      ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
      : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: path.resolve(values.model) };
  const app = await openBenchApp(path.join(CASES, 'corpus', corpus), data, {
    KEBAB_MODELS_LLM_PROVIDER: provider,
    KEBAB_MODELS_LLM_ENDPOINT: url ?? '',
    KEBAB_MODELS_LLM_MODEL: llm ?? '',
    ...embedding,
    ...(values.gate === undefined ? {} : { KEBAB_RAG_SCORE_GATE: values.gate }),
    ...(values.template === undefined ? {} : { KEBAB_RAG_PROMPT_TEMPLATE_VERSION: values.template }),
    ...(values.format === undefined ? {} : { KEBAB_RAG_ANSWER_FORMAT: values.format }),
  });
  try {
    await app.ingest({ summaryOnly: true });
    for (const question of questions.filter((each) => each.corpus === corpus))
      count(question, await app.ask({ question: question.question }));
  } finally {
    await app.close();
    await rm(data, { recursive: true, force: true });
  }
}

function count({ id, question }: Question, answer: Answer): void {
  const expected = RIGHT_ANSWERS[id] ?? [];
  const isAnswer = answer.checks !== undefined && answer.refusal_reason !== 'llm_self_judge';
  const text = answer.answer.replaceAll(/\s*\[\d+\]/g, '');
  const isRight = isAnswer && expected.length > 0 && expected.every((pattern) => pattern.test(text));
  if (values.show === true) {
    const marks = (answer.checks?.findings ?? []).map(({ message }) => message).join('; ');
    const verdict = answer.grounded ? 'grounded' : String(answer.refusal_reason);
    console.log(`${id} ${isRight ? 'right' : '-'} ${verdict} | ${question} | ${answer.answer} | ${marks}`);
  }
  if (expected.length === 0) {
    counts.none++;
    if (!answer.grounded) counts.noneRefused++;
  } else {
    counts.asked++;
    if (isAnswer) counts.answered++;
    else counts.refused++;
    if (isRight) counts.right++;
    if (isRight && answer.grounded) counts.rightGrounded++;
  }
  if (isAnswer && !isRight) {
    counts.wrong++;
    if (answer.grounded) counts.wrongGrounded++;
  }
}
