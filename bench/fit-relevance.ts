// Fits the weights of core/src/relevance/estimate-relevance.ts, and evaluates them on sets they were not fitted on.
//   npm run fit:relevance -- [--model <folder or name>]
// Without --model only the lexical weights are fitted; with one, also those with vector nearness. Questions about another corpus, or about
// omitted articles and subjects, should be refused.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fitLogistic, type LogisticModel } from './lib/fit-logistic.ts';
import { writeAsMarkdown } from './lib/judged-set.ts';
import { openRefusingApp } from './lib/open-bench-app.ts';
import { relevanceSets, type RelevanceSet } from './lib/relevance-sets.ts';

interface Sample {
  readonly isAnswerable: boolean;
  readonly features: readonly number[];
  /** The estimate with kebab's current weights. */
  readonly present: number;
}

/** The target share of refused answerable questions, as the mean of the fitted sets: other sets lose more or less. */
const REFUSED = 0.015;
const OPERATING_POINT = 0.3;

const { values } = parseArgs({ options: { model: { type: 'string' } } });
const names = ['held', 'held_by_two', 'in_order', 'ln(1 + words)', ...(values.model === undefined ? [] : ['nearness'])];
const fitted: { readonly name: string; readonly samples: readonly Sample[] }[] = [];
const held: typeof fitted = [];
for (const set of relevanceSets()) {
  const samples = await collect(set);
  console.log(`${set.name}: ${samples.length} questions, for ${set.isFitted ? 'fitting' : 'checking'}`);
  (set.isFitted ? fitted : held).push({ name: set.name, samples });
}

const model = fitLogistic(
  fitted.map(({ samples }) => samples.map(({ isAnswerable, features }) => ({ features, isTrue: isAnswerable }))),
);
const gate = operatingPoint(model);
const bias = model.bias + logit(OPERATING_POINT) - logit(gate);
console.log(
  `\nbias ${bias.toFixed(2)}, ${names.map((name, at) => `${name} ${(model.weights[at] ?? 0).toFixed(2)}`).join(', ')}`,
);
console.log('                              these weights            present weights');
console.log('set                       answerable       far       answerable       far   refused');
for (const { name, samples } of [...fitted, ...held]) {
  const own = refused(samples, ({ features }) => model.estimate(features) < gate);
  const present = refused(samples, (sample) => sample.present < OPERATING_POINT);
  console.log(`${name.padEnd(24)} ${own}    ${present}`);
}

/** Asks every question and collects the features of its relevance. */
async function collect(set: RelevanceSet): Promise<readonly Sample[]> {
  const work = await mkdtemp(path.join(tmpdir(), 'kebab-fit-'));
  try {
    await writeAsMarkdown({ documents: set.documents, queries: [] }, path.join(work, 'corpus'));
    const app = await openRefusingApp(path.join(work, 'corpus'), path.join(work, 'data'), values.model ?? null);
    try {
      await app.ingest({ summaryOnly: true });
      const samples: Sample[] = [];
      for (const { text, isAnswerable } of set.questions) {
        const { retrieval } = await app.ask({ question: text, k: 10, explain: true });
        const { evidence, top_score: present } = retrieval;
        if (evidence === undefined) continue;
        const words = [evidence.held, evidence.held_by_two, evidence.in_order, Math.log(1 + evidence.words)];
        if (values.model === undefined) samples.push({ isAnswerable, features: words, present });
        else if (evidence.nearness !== null)
          samples.push({ isAnswerable, features: [...words, evidence.nearness], present });
      }
      return samples;
    } finally {
      await app.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The mean, in logits, of the points at which each fitted set loses its share of answerable questions. */
function operatingPoint(of: LogisticModel): number {
  const points = fitted.map(({ samples }) => {
    const estimates = samples.filter((sample) => sample.isAnswerable).map(({ features }) => of.estimate(features));
    return logit(estimates.toSorted((a, b) => a - b)[Math.floor(estimates.length * REFUSED)] ?? OPERATING_POINT);
  });
  return 1 / (1 + Math.exp(-points.reduce((sum, point) => sum + point, 0) / points.length));
}

/** The shares of answerable and of far questions that are refused. */
function refused(samples: readonly Sample[], isRefused: (sample: Sample) => boolean): string {
  const shares = [true, false].map((isAnswerable) => {
    const own = samples.filter((sample) => sample.isAnswerable === isAnswerable);
    return own.length === 0 ? '–' : `${((100 * own.filter(isRefused).length) / own.length).toFixed(1)} %`;
  });
  return `${shares[0]?.padStart(11)} ${shares[1]?.padStart(9)}`;
}

function logit(chance: number): number {
  return Math.log(chance / (1 - chance));
}
