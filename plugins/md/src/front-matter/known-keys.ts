const KNOWN: ReadonlySet<string> = new Set([
  'title',
  'aliases',
  'tags',
  'lang',
  'created_at',
  'updated_at',
  'source_type',
  'trust_level',
  'id',
]);
const YES: ReadonlySet<string> = new Set(['yes', 'Yes', 'YES', 'on', 'On', 'ON']);
const NO: ReadonlySet<string> = new Set(['no', 'No', 'NO', 'off', 'Off', 'OFF']);

/** Whether kebab gives a front matter key a meaning. Its scalars are texts as they are written: `title: 1.10` is "1.10". */
export function isKnownKey(key: string): boolean {
  return KNOWN.has(key);
}

/** The boolean that a word without quotes stands for where people write `published: yes`; undefined for any other word. */
export function yesOrNo(word: string): boolean | undefined {
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
