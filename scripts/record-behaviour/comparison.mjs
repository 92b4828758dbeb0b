// Compares two recordings.

/** Maximum printed differences per answer; the rest is counted. */
const MAX_SHOWN = 6;
const MAX_CHARS = 160;

/**
 * The differences of two recordings, and how many answers were compared. `ignore` names operations and forms that may differ,
 * `ignoreMembers` members of JSON objects.
 */
export function compareRecordings(before, after, { ignore = [], ignoreMembers = [] } = {}) {
  const isCompared = ({ operation, form }) => !ignore.includes(operation) && !ignore.includes(form);
  const [a, b] = [before, after].map(({ answers }) => byKey(answers.filter(isCompared)));
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  const differing = keys.flatMap((key) => {
    const [one, other] = [a.get(key), b.get(key)];
    const { operation } = one ?? other;
    if (one === undefined) return [{ operation, key, lines: ['only in the second recording'] }];
    if (other === undefined) return [{ operation, key, lines: ['only in the first recording'] }];
    const lines = differences(one.value, other.value, new Set(ignoreMembers));
    return lines.length === 0 ? [] : [{ operation, key, lines }];
  });
  return { compared: keys.length, differing };
}

function byKey(answers) {
  return new Map(answers.map((answer) => [`${answer.operation} [${answer.form}] ${answer.name}`, answer]));
}

/** Where two values differ, as lines `path: this → that`. The order of an object's members does not count. */
export function differences(a, b, ignored = new Set(), at = '') {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => !ignored.has(name));
    return names.flatMap((name) => differences(a[name], b[name], ignored, at === '' ? name : `${at}.${name}`));
  }
  if (Array.isArray(a) && Array.isArray(b)) return listDifferences(a, b, ignored, at);
  if (Object.is(a, b)) return [];
  const place = at || 'value';
  if (typeof a !== 'string' || typeof b !== 'string') return [`${place}: ${shown(a)} → ${shown(b)}`];
  const [one, other] = fromDifference(a, b);
  const note = a.normalize() === b.normalize() ? ' (another Unicode form)' : '';
  return [`${place}: ${shown(one)} → ${shown(other)}${note}`];
}

/** Excerpts of two long texts from shortly before their first difference. */
function fromDifference(a, b) {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const from = Math.max(0, same - MAX_CHARS / 4);
  return from === 0 ? [a, b] : [`…${a.slice(from)}`, `…${b.slice(from)}`];
}

/** Compares lists of equal length item by item, and others as sets, so that an additional line does not shift everything. */
function listDifferences(a, b, ignored, at) {
  if (a.length === b.length) return a.flatMap((item, i) => differences(item, b[i], ignored, `${at}[${i}]`));
  const texts = (list) => list.map((item) => JSON.stringify(withoutMembers(item, ignored)));
  const [one, other] = [texts(a), texts(b)];
  return [
    `${at}: ${a.length} → ${b.length} items`,
    ...onlyIn(one, other).map((item) => `${at} - ${clipped(item)}`),
    ...onlyIn(other, one).map((item) => `${at} + ${clipped(item)}`),
  ];
}

function onlyIn(list, other) {
  const left = new Map();
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const count = left.get(item) ?? 0;
    if (count > 0) left.set(item, count - 1);
    return count === 0;
  });
}

/** A value with its members in order, and without those that may differ. */
function withoutMembers(value, ignored) {
  if (Array.isArray(value)) return value.map((item) => withoutMembers(item, ignored));
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => !ignored.has(name));
  return Object.fromEntries(names.toSorted().map((name) => [name, withoutMembers(value[name], ignored)]));
}

/** The printed result of a comparison: the differing answers by operation, or one line that says there are none. */
export function comparisonText({ compared, differing }) {
  if (differing.length === 0) return `no differences in ${compared} answers\n`;
  const operations = [...new Set(differing.map(({ operation }) => operation))];
  const groups = operations.map((operation) => {
    const own = differing.filter((difference) => difference.operation === operation);
    return `${operation}: ${own.length}\n${own.map(differenceText).join('')}`;
  });
  return `${groups.join('\n')}\n${differing.length} of ${compared} answers differ\n`;
}

function differenceText({ key, lines }) {
  const more = lines.length - MAX_SHOWN;
  const shownLines = [...lines.slice(0, MAX_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return `  ${key}\n${shownLines.map((line) => `    ${line}\n`).join('')}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value) {
  return value === undefined ? 'nothing' : clipped(JSON.stringify(value));
}

function clipped(text) {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
