import { BLOCK_KINDS } from '../../domain/block.ts';
import type { JsonValue } from '../../domain/json.ts';
import { SOURCE_TYPES, TRUST_LEVELS } from '../../domain/kinds.ts';
import { WARNING_KINDS } from '../../domain/metadata.ts';

/** Describes what is wrong with a value, by its name in the answer; null for a valid value. */
type Check = (value: unknown, name: string) => string | null;

/** Describes the first member of an extractor's answer that has the wrong type, or null. Does not check ranges and spans. */
export function misshapenExtraction(answer: unknown): string | null {
  return isObject(answer) ? faultInMembers(answer, DOCUMENT) : 'its answer is not a document';
}

/** Describes the first member of a chunker's answer that has the wrong type, or null. */
export function misshapenSlices(answer: unknown): string | null {
  return Array.isArray(answer) ? slices(answer, 'chunks') : 'its answer is not a list of chunks';
}

/** Describes the first member of a rendered picture that has the wrong type, or null. */
export function misshapenPicture(answer: unknown): string | null {
  return isObject(answer) ? faultInMembers(answer, PICTURE) : 'its answer is not a picture';
}

type Members = Readonly<Record<string, Check>>;

function faultInMembers(value: Readonly<Record<string, unknown>>, members: Members, prefix = ''): string | null {
  for (const [name, check] of Object.entries(members)) {
    const fault = check(value[name], `${prefix}${name}`);
    if (fault !== null) return fault;
  }
  return null;
}

function must(what: string, holds: (value: unknown) => boolean): Check {
  return (value, name) => (holds(value) ? null : `${name} is not ${what}`);
}

function ofMembers(members: Members): Check {
  return (value, name) => (isObject(value) ? faultInMembers(value, members, `${name}.`) : `${name} is not an object`);
}

function listOf(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `${name} is not a list`;
    for (const [at, item] of value.entries()) {
      const fault = check(item, `${name}[${at}]`);
      if (fault !== null) return fault;
    }
    return null;
  };
}

/** Accepts undefined and null as well. */
function ifAny(check: Check): Check {
  return (value, name) => (value === undefined || value === null ? null : check(value, name));
}

/** Accepts undefined as well. */
function ifGiven(check: Check): Check {
  return (value, name) => (value === undefined ? null : check(value, name));
}

function oneOf(values: readonly unknown[]): Check {
  return must(`one of ${values.join(', ')}`, (value) => values.includes(value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const text = must('a text', isText);
const texts = must('a list of texts', (value) => Array.isArray(value) && value.every(isText));
const flag = must('true or false', (value) => typeof value === 'boolean');
const number = must('a finite number', Number.isFinite);
const whole = must('a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const count = must('a whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1);
const bytes = must('a Uint8Array', (value) => value instanceof Uint8Array);
const date = must('a date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));
const range = ofMembers({ start: whole, end: whole });
const object = must('an object', isObject);

/** Far more levels than any front matter has, so that only cyclic objects exceed it. */
const MAX_DEPTH = 100;

const user = must(
  `an object of JSON values, in at most ${MAX_DEPTH} levels`,
  (value) => isObject(value) && isJson(value, MAX_DEPTH),
);

function isJson(value: unknown, levels: number): value is JsonValue {
  if (value === null || isText(value) || typeof value === 'boolean') return true;
  if (typeof value !== 'object') return Number.isFinite(value);
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, levels - 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every((item) => item === undefined || isJson(item, levels - 1));
}

const METADATA = {
  aliases: ifAny(texts),
  tags: ifAny(texts),
  inlineTags: ifGiven(texts),
  createdAt: ifAny(date),
  updatedAt: ifAny(date),
  sourceType: ifAny(oneOf(SOURCE_TYPES)),
  trustLevel: ifAny(oneOf(TRUST_LEVELS)),
  userIdAlias: ifAny(text),
  user: ifAny(user),
  repo: ifAny(text),
  gitBranch: ifAny(text),
  gitCommit: ifAny(text),
  codeLang: ifAny(text),
};

const REGION = { bbox: listOf(number), text, confidence: number };
const OCR = { joined: text, regions: listOf(ofMembers(REGION)), engine: text, engineVersion: text };
const CAPTION = { text, model: text, modelVersion: text };

/** The members of blocks that depend on their kind. */
const BLOCKS: Readonly<Record<string, Check>> = {
  heading: ofMembers({ level: oneOf([1, 2, 3, 4, 5, 6]), text }),
  list: ofMembers({ ordered: flag, items: listOf(range) }),
  code: ofMembers({ lang: ifAny(text), symbol: ifAny(text) }),
  imageref: ofMembers({
    assetId: ifAny(text),
    src: text,
    alt: text,
    ocr: ifAny(ofMembers(OCR)),
    caption: ifAny(ofMembers(CAPTION)),
  }),
  audioref: ofMembers({ assetId: text, durationMs: number }),
};
const ANY_BLOCK = ofMembers({ kind: oneOf(BLOCK_KINDS), headingPath: texts, sourceSpan: object });

const block: Check = (value, name) =>
  ANY_BLOCK(value, name) ?? BLOCKS[(value as { readonly kind: string }).kind]?.(value, name) ?? null;

const DOCUMENT = {
  text,
  blocks: listOf(block),
  pages: ifGiven(listOf(ofMembers({ page: count, start: whole, end: whole }))),
  title: ifAny(text),
  titleIsDerived: ifAny(flag),
  lang: ifAny(text),
  metadata: ifAny(ofMembers(METADATA)),
  warnings: ifGiven(listOf(ofMembers({ kind: oneOf(WARNING_KINDS), note: text }))),
  pictures: ifGiven(listOf(ofMembers({ id: text, page: ifAny(count), uses: listOf(oneOf(['ocr', 'caption'])) }))),
  chunkerId: ifAny(text),
  parserVersion: ifAny(text),
};

const slices = listOf(
  ofMembers({
    headingPath: ifAny(texts),
    sectionLabel: ifAny(text),
    sourceSpans: ifGiven(listOf(object)),
    indexPrefix: ifAny(text),
    symbol: ifAny(text),
  }),
);

const PLACED_TEXT = { text, line: whole, turn: whole, x: number, y: number, w: number, h: number };
const PICTURE = { png: bytes, width: count, height: count, texts: ifGiven(listOf(ofMembers(PLACED_TEXT))) };
