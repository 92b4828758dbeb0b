import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NumberedEvidence } from '../../../src/ask/prompt/pack-context.ts';
import type { CheckedAnswer } from '../../../src/ask/verify/check-answer.ts';
import { formatUri } from '../../../src/domain/uri.ts';
import { checkedAnswer } from '../claims-checker.ts';
import { numbered } from '../evidence-example.ts';

/** An answer of a model with what must become of it. */
export interface ScriptedAnswer {
  readonly id: string;
  readonly corpus: string;
  readonly question: string;
  readonly reply: string | { readonly repeat: string; readonly times: number; readonly then?: string };
  readonly kind: 'true' | 'false' | 'refusal' | 'empty' | 'injection';
  readonly must: 'grounded' | 'not grounded' | 'refused' | 'any';
  /** Why a miss is an accepted limit. */
  readonly accepted?: string;
}

/** A folder of notes, one folder a corpus, and answers over them, one JSON object a line. */
export interface ScriptedSet {
  readonly notes: string;
  readonly answers: string;
}

/** The answers of the project's shared cases; their files may be missing. */
export const SHARED: ScriptedSet = sharedSet('answers.jsonl');
/** Answers of a real small model. */
export const REAL: ScriptedSet = sharedSet('real.jsonl');
/** Answers that the checks were written with. */
export const OWN: ScriptedSet = ownSet('seen.jsonl');
/** Answers of the kinds of the shared cases on other topics. */
export const KINDS: ScriptedSet = ownSet('kinds.jsonl');
/** Answers that were only ever counted. */
export const HELD: ScriptedSet = ownSet('held.jsonl');
/** Answers of other topics, counted once: nothing was written for them. */
export const COUNTED: ScriptedSet = ownSet('counted.jsonl');
/** Answers that say all of it in other words, counted only. */
export const PARAPHRASES: ScriptedSet = ownSet('paraphrases.jsonl');

function sharedSet(name: string): ScriptedSet {
  const cases = fileURLToPath(new URL('../../../../../shared/cases/asking', import.meta.url));
  return { notes: path.join(cases, 'corpus'), answers: path.join(cases, name) };
}

function ownSet(name: string): ScriptedSet {
  const folder = fileURLToPath(new URL('./scripted', import.meta.url));
  return { notes: path.join(folder, 'notes'), answers: path.join(folder, name) };
}

/** The answers of a set; none when its file is missing. */
export function answersOf({ answers }: ScriptedSet): readonly ScriptedAnswer[] {
  if (!existsSync(answers)) return [];
  const lines = readFileSync(answers, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ScriptedAnswer);
}

/** Judges an answer as `ask` does. */
export function judgedReply(set: ScriptedSet, each: ScriptedAnswer): Promise<CheckedAnswer> {
  const notes = notesOf(path.join(set.notes, each.corpus));
  return checkedAnswer(replyOf(each, notes), notes, each.question);
}

/** How an answer ended, in the words of `must`. */
export function outcomeOf(result: CheckedAnswer): 'grounded' | 'not grounded' | 'refused' {
  if (result.kind === 'no_answer' || result.reason === 'llm_self_judge') return 'refused';
  return result.reason === null ? 'grounded' : 'not grounded';
}

/** Whether an answer ended as it must. A mark counts as well: a grounded answer has none, and a false one may be marked. */
export function endsAsItMust({ must }: ScriptedAnswer, result: CheckedAnswer): boolean {
  const outcome = outcomeOf(result);
  const isMarked = result.kind === 'answer' && (result.checks?.findings ?? []).some(({ kind }) => kind !== 'computed');
  if (must === 'grounded') return outcome === 'grounded' && !isMarked;
  return must === 'not grounded' ? outcome !== 'grounded' || isMarked : outcome === must;
}

/** How many answers of a kind end as they must, and which do not. Those with an accepted limit are left out. */
export interface Rate {
  readonly kind: ScriptedAnswer['kind'];
  readonly right: number;
  readonly of: number;
  readonly missed: readonly ScriptedAnswer[];
}

/** The rates of a set by kind. A refusal that is merely not grounded is missed; a false answer may be refused or marked. */
export async function ratesOf(set: ScriptedSet): Promise<readonly Rate[]> {
  const rates: Rate[] = [];
  for (const kind of ['true', 'false', 'refusal', 'empty', 'injection'] as const) {
    const missed: ScriptedAnswer[] = [];
    let of = 0;
    for (const each of answersOf(set)) {
      if (each.kind !== kind || each.must === 'any' || each.accepted !== undefined) continue;
      of++;
      if (!endsAsItMust(each, await judgedReply(set, each))) missed.push(each);
    }
    if (of > 0) rates.push({ kind, right: of - missed.length, of, missed });
  }
  return rates;
}

const corpora = new Map<string, readonly NumberedEvidence[]>();

/** The notes of a folder, each a passage, numbered in the order of their names. */
function notesOf(folder: string): readonly NumberedEvidence[] {
  const known = corpora.get(folder);
  if (known !== undefined) return known;
  const notes = readdirSync(folder)
    .toSorted()
    .map((name, at) => noteOf(name, readFileSync(path.join(folder, name), 'utf8').trimEnd(), at + 1));
  corpora.set(folder, notes);
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
function replyOf({ reply }: ScriptedAnswer, notes: readonly NumberedEvidence[]): string {
  const text = typeof reply === 'string' ? reply : reply.repeat.repeat(reply.times) + (reply.then ?? '');
  return text.replaceAll(/@@([^@^]+)(\^?)@@/g, (_, name: string, raised: string) => {
    const number = String(notes.find(({ citation }) => citation.path === `${name}.md`)?.number ?? 99);
    return raised === '' ? number : number.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? digit);
  });
}
