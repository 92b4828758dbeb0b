const FENCED = /^```(?:json)?[ \t]*\n([^]*?)\n?```$/i;
const TEXT_KEYS = [
  'answer',
  'text',
  'sentence',
  'statement',
  'claim',
  'response',
  'content',
  'result',
  'output',
  'summary',
];
const LIST_KEYS = ['sentences', 'statements', 'claims', 'answers', 'answer', 'items', 'response', 'points', 'facts'];
const CITATION_KEYS =
  /^(?:citations?|cites?|sources?|passages?|references?|refs?|evidence|documents?|docs?|chunks?|ids?|numbers?|source_ids?|passage_ids?)$/i;
const CLOSING = /[.!?。！？…]+["'”’»」』)]*\s*$/u;
const MARKER = /[[【(（][#^]?\d{1,3}/;

/** The text of an answer that is a JSON object or list, fenced or not, with the passages it cites as markers; null for any other text. */
export function textOfJson(written: string): string | null {
  const json = FENCED.exec(written.trim())?.[1] ?? written.trim();
  if (!/^[[{][^]*[\]}]$/.test(json)) return null;
  try {
    const text = textOf(JSON.parse(json) as unknown);
    return text.trim() === '' ? null : text;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return isNumbers(value) ? '' : joined(value);
  if (typeof value !== 'object' || value === null) return '';
  const members = new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member as unknown]));
  const list = LIST_KEYS.map((key) => members.get(key)).find((member) => Array.isArray(member) && !isNumbers(member));
  const own = TEXT_KEYS.map((key) => members.get(key)).find((member) => typeof member === 'string');
  const nested = TEXT_KEYS.map((key) => members.get(key)).find((member) => typeof member === 'object');
  const text = own ?? (Array.isArray(list) ? joined(list) : textOf(nested));
  if (typeof text !== 'string' || text.trim() === '') return '';
  const cited = [...members].flatMap(([key, member]) => (CITATION_KEYS.test(key) ? markersOf(member) : []));
  return withMarkers(text.trim(), [...new Set(cited)]);
}

function joined(values: readonly unknown[]): string {
  return values
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n');
}

function isNumbers(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'number');
}

/** What a list of citations names: numbers as markers, other names in brackets. */
function markersOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(markersOf);
  if (typeof value === 'number') return [`[${value}]`];
  if (typeof value === 'string') {
    const numbers = [...value.matchAll(/\d{1,3}/g)].map(([digits]) => `[${Number(digits)}]`);
    return /\p{L}/u.test(value) && /\.\p{L}{1,5}\b/u.test(value) ? [`[${value}]`] : numbers;
  }
  if (typeof value !== 'object' || value === null) return [];
  const named = Object.entries(value).find(([key]) =>
    /^(?:id|number|index|passage|source|citation|ref|doc)$/i.test(key),
  );
  return named === undefined ? [] : markersOf(named[1] as unknown);
}

function withMarkers(text: string, markers: readonly string[]): string {
  if (markers.length === 0 || MARKER.test(text)) return text;
  // Every line cites what the object cites.
  return text
    .split('\n')
    .map((line) => {
      if (!/[\p{L}\p{N}]/u.test(line)) return line;
      const closing = CLOSING.exec(line)?.[0] ?? '';
      return `${line.slice(0, line.length - closing.length)} ${markers.join('')}${closing}`;
    })
    .join('\n');
}
