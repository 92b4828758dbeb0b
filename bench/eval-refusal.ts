// Measures how well the score gate separates questions with an answer in the corpus from questions without one, by mode and gate.
//   npm run eval:refusal -- [--mode lexical|vector|hybrid|all] [--model <folder or name>] [--k N] [--curve] [set …]
// `set` is the name of a set or its beginning: everyday (in the repository), shared, squad2, ko-autorag, cranfield, cacm.
// Every question is asked through the App with a model that always refuses, so that only the relevance of the evidence is measured. Without
// --model the search is lexical only. Sets of one kind are added up; --curve prints the shares for every gate.
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
  readonly part?: 'fit' | 'held' | undefined;
  readonly score: number;
}

/** Targets of the gate: the share of answerable questions that pass, and of far ones that are refused. */
const TARGET = { pass: 0.97, refuse: 0.75 };
/** The default of `rag.score_gate`. */
const GATE = 0.3;
const KINDS: readonly QuestionKind[] = ['answerable', 'reworded', 'near', 'far'];
const SHOWN_STEP = 0.05;
const FINE_STEP = 0.01;
const MODES: readonly Mode[] = ['lexical', 'vector', 'hybrid'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string' }, model: { type: 'string' }, k: { type: 'string' }, curve: { type: 'boolean' } },
});
const asked = values.mode ?? (values.model === undefined ? 'lexical' : 'all');
const modes = asked === 'all' ? MODES : MODES.filter((mode) => mode === asked);
if (modes.length === 0) throw new Error(`--mode is lexical, vector, hybrid or all, not ${asked}`);
if (values.model === undefined && asked !== 'lexical') throw new Error(`--mode ${asked} needs --model`);

const isAsked = ({ name }: RefusalSet): boolean =>
  positionals.length === 0 || positionals.some((wanted) => name.startsWith(wanted));
const results = new Map<string, readonly Scored[]>();
for (const set of refusalSets().filter(isAsked)) await evaluate(set);
for (const [name, scored] of results) print(name, scored);

async function evaluate(set: RefusalSet): Promise<void> {
  const work = await mkdtemp(path.join(tmpdir(), 'kebab-refusal-'));
  try {
    await set.write(path.join(work, 'corpus'));
    const app = await openRefusingApp(path.join(work, 'corpus'), path.join(work, 'data'), values.model ?? null);
    try {
      const report = await app.ingest({ summaryOnly: true });
      if (report.errors > 0) throw new Error(`${report.errors} documents failed`);
      for (const mode of modes) record(set, mode, await measure(app, set, mode));
    } finally {
      await app.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Asks every question. One that runs in another mode, for example because the model does not know its language, is left out. */
async function measure(app: App, { questions }: RefusalSet, mode: Mode): Promise<readonly Scored[]> {
  const k = values.k === undefined ? {} : { k: Number(values.k) };
  const scored: Scored[] = [];
  for (const { text, kind, part } of questions) {
    const { retrieval, refusal_reason: reason } = await app.ask({ question: text, mode, ...k });
    if (retrieval.mode !== mode) continue;
    if (reason !== 'llm_self_judge' && reason !== 'no_chunks') throw new Error(`refused because of ${String(reason)}`);
    scored.push({ kind, part, score: reason === 'no_chunks' ? -1 : retrieval.top_score });
  }
  return scored;
}

/** Adds the result to those of the sets of the same kind; everyday questions by whether the bounds were chosen with them. */
function record({ name }: RefusalSet, mode: Mode, scored: readonly Scored[]): void {
  for (const part of new Set(scored.map((each) => each.part))) {
    const key = [name.split('/')[0], ...(part === undefined ? [] : [part]), mode].join(' ');
    results.set(key, [...(results.get(key) ?? []), ...scored.filter((each) => each.part === part)]);
  }
}

function print(name: string, scored: readonly Scored[]): void {
  const shares = KINDS.filter((kind) => countOf(scored, kind) > 0).map((kind) => {
    const all = countOf(scored, kind);
    return `${kind} ${Math.round(refused(scored, kind, GATE) * all)} of ${all} (${percent(refused(scored, kind, GATE))})`;
  });
  console.log(`${name.padEnd(26)} refused at ${GATE}: ${shares.join(', ')}`);
  if (values.curve !== true) return;
  console.log('  gate   answerable pass   near refused   far refused');
  for (const gate of gates(SHOWN_STEP)) {
    const curve = [
      1 - refused(scored, 'answerable', gate),
      refused(scored, 'near', gate),
      refused(scored, 'far', gate),
    ];
    const [pass = '', near = '', far = ''] = curve.map((share) => (Number.isNaN(share) ? '–' : percent(share)));
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
