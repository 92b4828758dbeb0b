/**
 * English words of grammar rather than content. Between them no word of a thing or an action, and none that a query can be
 * about; forms as `foldWord` leaves them.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been before being but by can cannot could did do does each else every few for from given had ' +
    'has have having he her here his how i if in into is it its itself just less may me might more most much must my ' +
    'neither no nor not nothing of off on once one only or other others otherwise our out over own same she should since ' +
    'so some such than that the their them then there these they this those though through thus to too two under unless ' +
    'until up upon us very was we were what whatever when where whether which while who whole whom whose why will with ' +
    'within without would yet you your'
  ).split(' '),
);

/** Whether a folded word serves the grammar of an English sentence and says nothing about what is looked for. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
