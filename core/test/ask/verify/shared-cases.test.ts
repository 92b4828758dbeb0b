import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { NumberedEvidence } from '../../../src/ask/prompt/pack-context.ts';
import type { CheckedAnswer } from '../../../src/ask/verify/check-answer.ts';
import { formatUri } from '../../../src/domain/uri.ts';
import { checkedAnswer } from '../claims-checker.ts';
import { numbered } from '../evidence-example.ts';

const CASES = fileURLToPath(new URL('../../../../../shared/cases/asking', import.meta.url));
const arePresent = existsSync(path.join(CASES, 'real.jsonl')) && existsSync(path.join(CASES, 'answers.jsonl'));

/** An answer of a model with what must become of it. */
interface Case {
  readonly id: string;
  readonly corpus: string;
  readonly question: string;
  readonly reply: string | { readonly repeat: string; readonly times: number; readonly then?: string };
  readonly kind: 'true' | 'false' | 'refusal' | 'empty' | 'injection';
  readonly must: 'grounded' | 'not grounded' | 'refused' | 'any';
  /** Why a miss is an accepted limit. */
  readonly accepted?: string;
}

function read(file: string): readonly Case[] {
  if (!arePresent) return [];
  const lines = readFileSync(path.join(CASES, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Case);
}

const corpora = new Map<string, readonly NumberedEvidence[]>();

/** The notes of a corpus, each a passage, numbered in the order of their names. */
function notesOf(corpus: string): readonly NumberedEvidence[] {
  const known = corpora.get(corpus);
  if (known !== undefined) return known;
  const folder = path.join(CASES, 'corpus', corpus);
  const notes = readdirSync(folder)
    .toSorted()
    .map((name, at) => noteOf(name, readFileSync(path.join(folder, name), 'utf8').trimEnd(), at + 1));
  corpora.set(corpus, notes);
  return notes;
}

function noteOf(name: string, text: string, number: number): NumberedEvidence {
  const [base] = numbered(text);
  if (base === undefined) throw new Error('there is no passage');
  const title = /^# (.+)/.exec(text)?.[1] ?? name;
  const end = text.split('\n').length;
  const uri = formatUri({ sourceId: null, path: name, fragment: { kind: 'line', start: 1, end } });
  return { ...base, title, headingPath: [], number, citation: { ...base.citation, path: name, uri } };
}

/** The reply with `@@pump@@` replaced by the number of the passage `pump.md`. */
function replyOf({ reply, corpus }: Case): string {
  const text = typeof reply === 'string' ? reply : reply.repeat.repeat(reply.times) + (reply.then ?? '');
  return text.replaceAll(/@@([\w-]+)(\^?)@@/g, (_, name: string, raised: string) => {
    const number = String(notesOf(corpus).find(({ citation }) => citation.path === `${name}.md`)?.number ?? 99);
    return raised === '' ? number : number.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit);
  });
}

function judge(each: Case): Promise<CheckedAnswer> {
  return checkedAnswer(replyOf(each), notesOf(each.corpus), each.question);
}

function outcomeOf(result: CheckedAnswer): 'grounded' | 'not grounded' | 'refused' {
  if (result.kind === 'no_answer' || result.reason === 'llm_self_judge') return 'refused';
  return result.reason === null ? 'grounded' : 'not grounded';
}

const real = read('real.jsonl').filter(({ must }) => must !== 'any');

describe.skipIf(!arePresent)('what a real small model wrote (skipped without ../shared/cases/asking)', () => {
  it.each(real.map((each) => [each.id, each.must, each] as const))('%s is %s', async (_, must, each) => {
    expect(outcomeOf(await judge(each)) === 'grounded').toBe(must === 'grounded');
  });

  it('shows a marker for every sentence that is grounded', async () => {
    for (const each of real.filter(({ must }) => must === 'grounded')) {
      const result = await judge(each);
      expect(result).toMatchObject({ kind: 'answer', reason: null });
      if (result.kind !== 'answer') continue;
      expect(result.checks?.cited).toBe(result.checks?.sentences);
      expect(result.citations.every(({ attributed }) => attributed === true)).toBe(true);
    }
  });
});

/** How many scripted answers of a kind end as they must, with those among the accepted limits apart. */
async function counted(
  kind: Case['kind'],
  outcome: 'grounded' | 'refused',
): Promise<{ readonly judged: number; readonly limits: number }> {
  const ended: Case[] = [];
  for (const each of read('answers.jsonl'))
    if (each.kind === kind && outcomeOf(await judge(each)) === outcome) ended.push(each);
  const limits = ended.filter(({ accepted }) => accepted !== undefined).length;
  return { judged: ended.length - limits, limits };
}

describe.skipIf(!arePresent)('the scripted answers (skipped without ../shared/cases/asking)', () => {
  it('does not ground more of the false ones', async () => {
    const { judged, limits } = await counted('false', 'grounded');
    expect(judged).toBeLessThanOrEqual(49);
    expect(limits).toBeLessThanOrEqual(31);
  });

  it('does not ground fewer of the true ones', async () => {
    const { judged, limits } = await counted('true', 'grounded');
    expect(judged).toBeGreaterThanOrEqual(65);
    expect(limits).toBeGreaterThanOrEqual(1);
  });

  it('does not recognise fewer of the refusals', async () => {
    expect((await counted('refusal', 'refused')).judged).toBeGreaterThanOrEqual(8);
    expect((await counted('refusal', 'grounded')).judged).toBeLessThanOrEqual(9);
  });

  it('grounds no answer without a claim', async () => {
    expect(await counted('empty', 'grounded')).toEqual({ judged: 0, limits: 0 });
  });
});
