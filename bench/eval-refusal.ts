// Measures how well the score gate separates questions with an answer in the corpus from questions without one, by mode and gate.
//   node --import ./scripts/run-ts.mjs bench/eval-refusal.ts [--mode lexical|vector|hybrid|all] [--model <folder or name>] [--k N]
// Every question is asked through the App with a model that always refuses, so that only the relevance of the evidence is measured. Without
// --model the search is lexical only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { App, Mode } from '@kebab/core/app';
import { openRefusingApp } from './lib/open-bench-app.ts';
import { refusalSets, type QuestionKind, type RefusalSet } from './lib/refusal-sets.ts';

/** The best relevance found for a question, -1 if nothing was found. */
interface Scored {
  readonly kind: QuestionKind;
  readonly score: number;
}

/** Targets of the gate: the share of answerable questions that pass, and of far ones that are refused. */
const TARGET = { pass: 0.95, refuse: 0.8 };
const SHOWN_STEP = 0.05;
const FINE_STEP = 0.01;
const MODES: readonly Mode[] = ['lexical', 'vector', 'hybrid'];

const { values } = parseArgs({
  options: { mode: { type: 'string' }, model: { type: 'string' }, k: { type: 'string' } },
});
const asked = values.mode ?? (values.model === undefined ? 'lexical' : 'all');
const modes = asked === 'all' ? MODES : MODES.filter((mode) => mode === asked);
if (modes.length === 0) throw new Error(`--mode is lexical, vector, hybrid or all, not ${asked}`);
if (values.model === undefined && asked !== 'lexical') throw new Error(`--mode ${asked} needs --model`);

for (const set of refusalSets()) await evaluate(set);

async function evaluate(set: RefusalSet): Promise<void> {
  const work = await mkdtemp(path.join(tmpdir(), 'kebab-refusal-'));
  try {
    await set.write(path.join(work, 'corpus'));
    const app = await openRefusingApp(path.join(work, 'corpus'), path.join(work, 'data'), values.model ?? null);
    try {
      const report = await app.ingest({ summaryOnly: true });
      if (report.errors > 0) throw new Error(`${report.errors} documents failed`);
      for (const mode of modes) print(set, mode, await measure(app, set, mode));
    } finally {
      await app.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Asks every question; returns a text if the mode cannot be measured, for example with a model that does not support the language. */
async function measure(app: App, { questions }: RefusalSet, mode: Mode): Promise<readonly Scored[] | string> {
  const k = values.k === undefined ? {} : { k: Number(values.k) };
  const scored: Scored[] = [];
  for (const { text, kind } of questions) {
    const { retrieval, refusal_reason: reason, degraded } = await app.ask({ question: text, mode, ...k });
    if (retrieval.mode !== mode) return `it ran as ${retrieval.mode}: ${degraded.map(({ hint }) => hint).join('; ')}`;
    if (reason !== 'llm_self_judge' && reason !== 'no_chunks') throw new Error(`refused because of ${String(reason)}`);
    scored.push({ kind, score: reason === 'no_chunks' ? -1 : retrieval.top_score });
  }
  return scored;
}

function print({ name }: RefusalSet, mode: Mode, scored: readonly Scored[] | string): void {
  if (typeof scored === 'string') {
    console.log(`\n${name}, ${mode}: not measured; ${scored}`);
    return;
  }
  const counts = (['answerable', 'near', 'far'] as const).map((kind) => `${countOf(scored, kind)} ${kind}`);
  console.log(`\n${name}, ${mode}: ${counts.join(', ')}`);
  console.log('  gate   answerable pass   near refused   far refused');
  for (const gate of gates(SHOWN_STEP)) {
    const shares = [
      1 - refused(scored, 'answerable', gate),
      refused(scored, 'near', gate),
      refused(scored, 'far', gate),
    ];
    const [pass = '', near = '', far = ''] = shares.map((share) => (Number.isNaN(share) ? '–' : percent(share)));
    console.log(`  ${gate.toFixed(2)}   ${pass.padStart(15)}   ${near.padStart(12)}   ${far.padStart(11)}`);
  }
  console.log(`  ${verdict(scored)}`);
}

/** The gates that reach both targets; if there are none, the result of the best one. */
function verdict(scored: readonly Scored[]): string {
  const target = `pass ≥ ${percent(TARGET.pass)} and far refused ≥ ${percent(TARGET.refuse)}`;
  const passing = gates(FINE_STEP).filter((gate) => 1 - refused(scored, 'answerable', gate) >= TARGET.pass);
  const reaching = passing.filter((gate) => refused(scored, 'far', gate) >= TARGET.refuse);
  const [first, last] = [reaching[0], reaching.at(-1)];
  if (first !== undefined && last !== undefined) return `${target}: gates ${first.toFixed(2)} to ${last.toFixed(2)}`;
  const highest = passing.at(-1) ?? 0;
  return `${target}: no gate; at ${highest.toFixed(2)}, the highest that passes enough, ${percent(refused(scored, 'far', highest))}`;
}

/** The share of questions of a kind that a gate refuses; NaN if there are none. */
function refused(scored: readonly Scored[], kind: QuestionKind, gate: number): number {
  const own = scored.filter((each) => each.kind === kind);
  return own.filter(({ score }) => score < gate).length / own.length;
}

function countOf(scored: readonly Scored[], kind: QuestionKind): number {
  return scored.filter((each) => each.kind === kind).length;
}

function gates(step: number): readonly number[] {
  return Array.from({ length: Math.round(1 / step) + 1 }, (_, at) => Math.round(at * step * 100) / 100);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
