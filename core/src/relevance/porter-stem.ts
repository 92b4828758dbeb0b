const VOWELS = /[aeiou]/;

/** Suffixes that follow a measure above 0, with what stands for them (steps 2 and 3); the longest that fits is taken. */
const STEP_2 = [
  ...pairs('ational ate|tional tion|enci ence|anci ance|izer ize|bli ble|alli al|entli ent|eli e|ousli ous'),
  ...pairs('ization ize|ation ate|ator ate|alism al|iveness ive|fulness ful|ousness ous|aliti al|iviti ive|biliti ble'),
  ...pairs('logi log'),
];
const STEP_3 = pairs('icate ic|ative |alize al|iciti ic|ical ic|ful |ness ');
const STEP_4 = [
  ...pairs('al |ance |ence |er |ic |able |ible |ant |ement |ment |ent |ion |ou |ism |ate |iti |ous |ive |ize '),
];

/**
 * The stem of a folded English word, as the full-text index makes it (Porter's algorithm): `pruning` and `pruned` are both
 * `prune`. Words with anything but Latin letters, and those of less than three, are their own stems.
 */
export function porterStem(word: string): string {
  if (word.length < 3 || word.length > 64 || !/^[a-z]+$/.test(word)) return word;
  const plural = withoutPlural(word);
  const past = withoutPast(plural);
  const third = replaced(replaced(withI(past), STEP_2, 0), STEP_3, 0);
  return withoutLastE(withoutSuffix(third));
}

function pairs(text: string): readonly (readonly [suffix: string, stands: string])[] {
  return text.split('|').map((pair) => {
    const [suffix = '', stands = ''] = pair.split(' ');
    return [suffix, stands] as const;
  });
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? '';
  if (VOWELS.test(letter)) return false;
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1);
}

/** How often a stretch of vowels is followed by one of consonants. */
function measure(stem: string): number {
  let count = 0;
  for (let at = 1; at < stem.length; at++) if (isConsonant(stem, at) && !isConsonant(stem, at - 1)) count++;
  return count;
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (!isConsonant(stem, at)) return true;
  return false;
}

function endsInDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);
}

/** Consonant, vowel, consonant other than w, x and y: such a word lost an e. */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || !isConsonant(word, last) || isConsonant(word, last - 1) || !isConsonant(word, last - 2)) return false;
  return !/[wxy]$/.test(word);
}

function withoutPlural(word: string): string {
  if (/(?:sses|ies)$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = /(?:ed|ing)$/.exec(word)?.[0] ?? '';
  const stem = word.slice(0, word.length - suffix.length);
  if (suffix === '' || !hasVowel(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsInDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withI(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function replaced(word: string, table: readonly (readonly [string, string])[], least: number): string {
  const [suffix, stands] = longest(word, table);
  const stem = word.slice(0, word.length - suffix.length);
  return suffix !== '' && measure(stem) > least ? stem + stands : word;
}

function withoutSuffix(word: string): string {
  const [suffix] = longest(word, STEP_4);
  const stem = word.slice(0, word.length - suffix.length);
  if (suffix === '' || measure(stem) < 2) return word;
  return suffix === 'ion' && !/[st]$/.test(stem) ? word : stem;
}

function longest(word: string, table: readonly (readonly [string, string])[]): readonly [string, string] {
  let found: readonly [string, string] = ['', ''];
  for (const entry of table) if (entry[0].length > found[0].length && word.endsWith(entry[0])) found = entry;
  return found;
}

function withoutLastE(word: string): string {
  let stem = word;
  if (word.endsWith('e')) {
    const rest = word.slice(0, -1);
    if (measure(rest) > 1 || (measure(rest) === 1 && !endsShort(rest))) stem = rest;
  }
  return stem.endsWith('ll') && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}
