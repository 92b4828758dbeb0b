// Values that differ between two runs of one program and are therefore not compared. This list is complete: everything else is recorded
// exactly as returned.

/** Members of JSON objects with a duration in milliseconds. `after_ms`, `start_ms` and the like are data. */
const DURATIONS = [
  'duration_ms',
  'latency_ms',
  'llm_call_ms',
  'lexical_ms',
  'vector_ms',
  'fusion_ms',
  'rerank_ms',
  'total_ms',
];

/** Members that are present only if something was slow. */
const SLOW_ONLY = ['ms'];

/**
 * Members that depend on the layout of the database file, on the process, or on the number of documents per commit: each commit increments
 * the corpus revision, and slow files cause more commits.
 */
const OTHER_MEMBERS = { index_bytes: '<bytes>', pid: '<pid>', corpus_revision: '<revision>' };

/** Parts of texts, anywhere. */
const TEXTS = [
  { name: 'id of a run', pattern: /\brun_[0-9a-f]{16,}\b/g, becomes: '<run>' },
  { name: 'id of a trace', pattern: /\bret_[0-9a-f]{8}\b/g, becomes: '<trace>' },
  { name: 'fence of a prompt', pattern: /(<<<(?:passage|end) )[0-9a-f]{24}(>>>)/g, becomes: '$1<nonce>$2' },
  { name: 'address on this machine', pattern: /\b(127\.0\.0\.1|localhost):\d{4,5}\b/g, becomes: '$1:<port>' },
  {
    name: 'version of Node',
    pattern: new RegExp(`\\bv?${process.versions.node.replaceAll('.', '\\.')}\\b`, 'g'),
    becomes: '<node>',
  },
];

/** Lines for people with durations. Applied only to output without --json. */
const HUMAN_LINES = [
  { name: 'headline of an ingest', pattern: /^((?:ingested|stopped) .* in )[\d. a-z]+$/gm, becomes: '$1<duration>' },
  { name: 'files that took long', pattern: /\nslowest .*\n/g, becomes: '' },
  { name: 'cost of an answer', pattern: /\blatency \d+ ms$/gm, becomes: 'latency <ms>' },
  { name: 'corpus revision', pattern: /\bcorpus revision \d+$/gm, becomes: 'corpus revision <revision>' },
  { name: 'timing of a search', pattern: /\b\d+(?:\.\d+)? ms\b/g, becomes: '<ms>' },
];

/** JSON in base64url: it begins with `{"`. */
const CURSOR = /\beyJ[\w-]{10,}/g;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| UTC|[+-]\d\d:\d\d)?(?![\d:])/g;
const DATE = /\b\d{4}-\d\d-\d\d\b(?!T)/g;
const DAY_MS = 86_400_000;

/**
 * Creates a function that removes the volatile parts of answers. `places` are folders by their recorded names, longest path first; times
 * from `since` on belong to the recording, earlier ones are data.
 */
export function volatile({ places, since }) {
  const text = (given) => {
    let out = given;
    for (const [place, name] of places) out = out.replaceAll(place, name);
    for (const { pattern, becomes } of TEXTS) out = out.replaceAll(pattern, becomes);
    out = out.replaceAll(CURSOR, inside);
    return out.replaceAll(TIME, (found) => (isOwnTime(found, since) ? '<now>' : found));
  };
  const value = (given) => {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    const members = Object.entries(given).filter(([key]) => !SLOW_ONLY.includes(key));
    const taken = Object.fromEntries(members.map(([key, member]) => [text(key), memberOf(key, member)]));
    return given.reason === 'revision' ? { ...taken, expected: '<revision>', found: '<revision>' } : taken;
  };
  const memberOf = (key, member) => {
    if (DURATIONS.includes(key) && typeof member === 'number') return '<ms>';
    return Object.hasOwn(OTHER_MEMBERS, key) ? OTHER_MEMBERS[key] : value(member);
  };
  const human = (given) => {
    let out = text(given);
    for (const { pattern, becomes } of HUMAN_LINES) out = out.replaceAll(pattern, becomes);
    return out.replaceAll(DATE, (found) => (isOwnTime(found, since - DAY_MS) ? '<today>' : found));
  };
  return { text, value, human };
}

/** The contents of a cursor without the corpus revision; anything else that looks like one is unchanged. */
function inside(cursor) {
  try {
    const held = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if ('corpus_revision' in held) return `<cursor ${JSON.stringify({ ...held, corpus_revision: '<revision>' })}>`;
  } catch {}
  return cursor;
}

function isOwnTime(found, since) {
  const at = Date.parse(found.replace(/ UTC$/, 'Z').replace(' ', 'T'));
  return at >= since && at < since + 2 * DAY_MS;
}

/**
 * Sorts the lines of `ingest --json` so that they do not depend on which of two parallel extractors was faster: lines about one file are
 * grouped, in the order of the files; batches of vectors, whose boundaries also depend on it, are dropped.
 */
export function inFileOrder(lines) {
  const kept = lines.filter((line) => !String(line?.kind).startsWith('embed_batch_'));
  const first = kept.findIndex(isAsset);
  if (first < 0) return kept;
  const assets = kept.filter(isAsset).toSorted((a, b) => a.idx - b.idx);
  const others = kept.filter((line) => !isAsset(line));
  return [...others.slice(0, first), ...assets, ...others.slice(first)];
}

function isAsset(line) {
  return typeof line?.idx === 'number';
}
