import { firstChars } from './text-size.ts';

/** One step of an anchor: `{ unit: 'sheet', from: 'Q3', to: 'Q3' }`. For a range, `from` and `to` are its first and last member. */
export interface AnchorStep {
  readonly unit: string;
  readonly from: string;
  readonly to: string;
}

/** A place as a plugin author writes it, outermost step first: `{ cell: 12 }`, `{ sheet: 'Q3', row: 17 }`. */
export type Place = Readonly<Record<string, string | number>>;

const UNIT = /^[a-z][a-z0-9-]{0,31}$/;
/** Units reserved for the other kinds of URI fragment. */
const TAKEN: ReadonlySet<string> = new Set(['p', 'page', 'xywh', 't', 'speaker', 'caption']);
const MAX_STEPS = 4;
const MAX_NAME = 200;
const NUMBER = /^\d{1,15}$/;
const NUMBERS = /^(\d{1,15})-(\d{1,15})$/;
const BETWEEN = '..';

/** Whether a name can be the unit of a step: lower-case letters, digits and hyphens, and not the start of another kind of fragment. */
export function isAnchorUnit(unit: string): boolean {
  return UNIT.test(unit) && !TAKEN.has(unit);
}

/**
 * Formats a place as an anchor, the fragment of its URI: `cell=12`, `sheet=Q3&row=17`. White space in names is collapsed, and long names
 * are truncated. Throws a `TypeError` for an invalid unit, and for a place without steps or with more than four.
 */
export function anchorOf(place: Place): string {
  const steps = Object.entries(place).map(([unit, value]) => {
    const name = firstChars(String(value).replaceAll(/\s+/g, ' ').trim(), MAX_NAME);
    return { unit, from: name, to: name };
  });
  const wrong = steps.find(({ unit }) => !isAnchorUnit(unit));
  if (wrong !== undefined || steps.length === 0 || steps.length > MAX_STEPS)
    throw new TypeError(`${JSON.stringify(place)} is no place: one to four names such as { sheet: 'Q3', row: 17 }`);
  return formatAnchor(steps);
}

/** Formats steps as an anchor: a range of numbers as `row=12-30`, a range of names as `section=a..b`. */
export function formatAnchor(steps: readonly AnchorStep[]): string {
  return steps.map(({ unit, from, to }) => `${unit}=${formatRange(from, to)}`).join('&');
}

/** Parses an anchor; the inverse of {@link formatAnchor}. Returns null when the text is not an anchor. */
export function parseAnchor(text: string): readonly AnchorStep[] | null {
  const parts = text.split('&');
  if (parts.length > MAX_STEPS) return null;
  const steps = parts.map(parseStep);
  return steps.every((step) => step !== null) ? steps : null;
}

/** An anchor in readable form: `sheet "Q3", row 12–30`. */
export function anchorLabel(anchor: string): string {
  const steps = parseAnchor(anchor) ?? [];
  return steps.map(({ unit, from, to }) => `${unit} ${named(from)}${from === to ? '' : `–${named(to)}`}`).join(', ');
}

/**
 * The anchor that spans two places: their common steps, then the first step that differs as a range. Null when they share no unit, such as
 * a cell and a section.
 */
export function joinAnchors(first: string, last: string): string | null {
  if (first === last) return first;
  const [from, to] = [parseAnchor(first) ?? [], parseAnchor(last) ?? []];
  const joined: AnchorStep[] = [];
  for (const [at, step] of from.entries()) {
    const other = to[at];
    if (other === undefined) break;
    if (other.unit !== step.unit) return joined.length === 0 ? null : formatAnchor(joined);
    joined.push({ unit: step.unit, from: step.from, to: other.to });
    if (step.from !== other.from || step.to !== other.to) break;
  }
  return joined.length === 0 ? null : formatAnchor(joined);
}

/** Whether two anchors overlap or one contains the other; ranges of names are compared by their ends. */
export function anchorsMeet(one: string, other: string): boolean {
  return placesMeet(parseAnchor(one) ?? [], parseAnchor(other) ?? []);
}

/**
 * Resolves an anchor against the anchors of a document, given in document order: `[first, last]` by position, or null when nothing matches.
 * It matches the anchors that it contains and those that contain it.
 */
export function anchoredRun(
  anchors: readonly (string | null)[],
  wanted: string,
): readonly [first: number, last: number] | null {
  const steps = parseAnchor(wanted) ?? [];
  const isOfNames = steps.some(({ from, to }) => from !== to && !(NUMBER.test(from) && NUMBER.test(to)));
  const end = (side: 'from' | 'to'): readonly AnchorStep[] =>
    isOfNames ? steps.map((step) => ({ unit: step.unit, from: step[side], to: step[side] })) : steps;
  const places = anchors.map((anchor) => (anchor === null ? null : parseAnchor(anchor)));
  const [first, last] = [end('from'), end('to')];
  const from = places.findIndex((place) => place !== null && placesMeet(place, first));
  const to = places.findLastIndex((place) => place !== null && placesMeet(place, last));
  return from === -1 || to < from ? null : [from, to];
}

function placesMeet(steps: readonly AnchorStep[], others: readonly AnchorStep[]): boolean {
  const shared = Math.min(steps.length, others.length);
  return shared > 0 && steps.slice(0, shared).every((step, at) => stepsMeet(step, others[at] as AnchorStep));
}

function stepsMeet(one: AnchorStep, other: AnchorStep): boolean {
  if (one.unit !== other.unit) return false;
  if ([one.from, one.to, other.from, other.to].every((name) => NUMBER.test(name)))
    return Number(one.from) <= Number(other.to) && Number(other.from) <= Number(one.to);
  return [one.from, one.to].some((name) => name === other.from || name === other.to);
}

function formatRange(from: string, to: string): string {
  if (from === to) return encode(from);
  return NUMBER.test(from) && NUMBER.test(to) ? `${from}-${to}` : `${encode(from)}${BETWEEN}${encode(to)}`;
}

function parseStep(text: string): AnchorStep | null {
  const at = text.indexOf('=');
  const unit = text.slice(0, Math.max(0, at));
  if (!isAnchorUnit(unit)) return null;
  const value = text.slice(at + 1);
  const numbers = NUMBERS.exec(value);
  const cut = value.indexOf(BETWEEN);
  const [from = '', to = ''] =
    numbers !== null
      ? numbers.slice(1)
      : (cut === -1 ? [value, value] : [value.slice(0, cut), value.slice(cut + BETWEEN.length)]).map(decode);
  const isReversed = numbers !== null && Number(to) < Number(from);
  return isReversed || from === '' || to === '' ? null : { unit, from, to };
}

/** Escapes the delimiters of URIs and anchors, and names that would parse as a range. */
function encode(name: string): string {
  const marked = name.replaceAll(/[%#&]/g, (mark) => percent(mark));
  const plain = NUMBERS.test(marked) ? marked.replace('-', percent) : marked;
  return plain.replaceAll('.', (dot, at: number) =>
    plain[at - 1] === '.' || plain[at + 1] === '.' ? percent(dot) : dot,
  );
}

function percent(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}

function decode(text: string): string {
  return text.replaceAll(/%(2[0-9A-F])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function named(name: string): string {
  return NUMBER.test(name) ? name : JSON.stringify(name);
}
