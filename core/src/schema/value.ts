import { nearestName } from '../errors/invalid-input.ts';
import { type Field, type FieldShape, type FieldShapeOf, spellingsOf } from './field.ts';

/** What is wrong with a value. */
export interface ValueProblem {
  /** What the value must be: `a whole number from 1 to 100`. */
  readonly expected: string;
  /** The part of the value that is wrong, and how to show it where that is not obvious. */
  readonly value: unknown;
  readonly shown?: string | undefined;
  /** The values of a closed list, and the nearest one. */
  readonly allowed?: readonly string[] | undefined;
  readonly suggestion?: string | undefined;
}

/**
 * Checks a value against its field: type, range, closed list, pattern. Undefined when it fits. Only that a table of a list is one is not
 * checked: that its members fit is for who reads them.
 */
export function problemWith(field: FieldShape, value: unknown): ValueProblem | undefined {
  const unless = (fits: boolean, expected = expectationOf(field)): ValueProblem | undefined =>
    fits ? undefined : { expected, value };
  switch (field.kind) {
    case 'bool':
      return unless(typeof value === 'boolean');
    case 'int':
    case 'number':
      return unless(isNumberOf(field, value));
    case 'text':
      return unless(typeof value === 'string') ?? textProblem(field, value as string);
    case 'enum':
      return unless(typeof value === 'string') ?? outsideOf(field.values, [value as string]);
    case 'url': {
      const written = typeof value === 'string' ? value : '';
      const isAddress = /^(?:localhost|[\w-]+\.[\w.-]+|[\w-]+(?=:\d))(?::\d+)?(?:\/|$)/.test(written);
      const such = isAddress ? `, such as http://${written}` : '';
      return unless(/^https?:\/\//i.test(written) && URL.canParse(written), `${expectationOf(field)}${such}`);
    }
    case 'path':
      return unless(isPathText(value));
    case 'time':
      return unless(typeof value === 'string');
    case 'texts':
      return unless(isListOf(value, (item) => isTextOf(field, item))) ?? listProblem(field, value as readonly string[]);
    case 'paths':
      return unless(isListOf(value, isPathText));
    case 'free_table':
      return unless(isTable(value));
    case 'tables':
      return unless(Array.isArray(value));
    default:
      return field satisfies never;
  }
}

/** What the value of a field must be, as the end of a sentence. */
export function expectationOf(field: FieldShape): string {
  switch (field.kind) {
    case 'bool':
      return 'true or false';
    case 'int':
    case 'number':
      return `${field.kind === 'int' ? 'a whole number' : 'a number'}${rangeOf(field)}`;
    case 'text':
      return field.notBlank === true ? 'a text that is not empty' : 'a text';
    case 'enum':
      return `one of ${field.values.join(', ')}`;
    case 'url':
      return 'an http or https URL';
    case 'path':
      return 'a path';
    case 'time':
      return 'a text';
    case 'texts':
      return field.notBlank === true ? 'a list of texts that are not empty' : 'a list of texts';
    case 'paths':
      return 'a list of paths';
    case 'free_table':
      return 'a table';
    case 'tables':
      return 'a list';
    default:
      return field satisfies never;
  }
}

/** Whether a parsed value is a table: an object like `{}`, neither a list nor a date. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isNumberOf({ kind, min = -Infinity, max = Infinity }: FieldShapeOf<'int'>, value: unknown): boolean {
  const fits = kind === 'int' ? Number.isSafeInteger(value) : Number.isFinite(value);
  return fits && (value as number) >= min && (value as number) <= max;
}

function rangeOf({ min, max }: FieldShapeOf<'int'>): string {
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`;
  if (min === max) return ` equal to ${min}`;
  return ` from ${min}${max === undefined ? '' : ` to ${max}`}`;
}

function textProblem({ notBlank, pattern, patternDoc }: FieldShapeOf<'text'>, value: string): ValueProblem | undefined {
  if (pattern?.test(value) === false) {
    const expected =
      value.trim() === '' && !pattern.test('')
        ? 'a text that is not empty'
        : (patternDoc ?? `a text that matches ${pattern.source}`);
    return { expected, value };
  }
  return notBlank === true && value.trim() === '' ? { expected: 'a text that is not empty', value } : undefined;
}

function isTextOf({ notBlank }: FieldShapeOf<'texts'>, item: unknown): boolean {
  return typeof item === 'string' && (notBlank !== true || item.trim() !== '');
}

function listProblem(field: FieldShapeOf<'texts'>, values: readonly string[]): ValueProblem | undefined {
  const { max = Infinity, notBlank } = field;
  if (notBlank === true && values.length === 0) return { expected: expectationOf(field), value: values };
  if (values.length > max)
    return { expected: `a list of at most ${max} values`, value: values, shown: `of ${values.length}` };
  const spellings = spellingsOf(field);
  return spellings === undefined ? undefined : outsideOf(spellings, values);
}

function outsideOf(allowed: readonly string[], values: readonly string[]): ValueProblem | undefined {
  const outside = values.find((value) => !allowed.includes(value));
  if (outside === undefined) return undefined;
  const suggestion = nearestName(outside, allowed);
  return { expected: `one of ${allowed.join(', ')}`, value: outside, allowed, suggestion };
}

function isPathText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
}

function isListOf(value: unknown, accepts: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(accepts);
}

/**
 * The value that a text stands for, as environment variables and `config set` write it: lists and tables as JSON, lists also separated by
 * commas. A text that is none is returned as it is, for the check to reject. Throws a SyntaxError for what begins as JSON and is not.
 */
export function parseText(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'bool':
      return booleanOfText(text) ?? text;
    case 'int':
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
    case 'texts':
    case 'paths':
    case 'tables':
      return parseList(text.trim());
    case 'free_table':
      return JSON.parse(text);
    case 'text':
    case 'enum':
    case 'url':
    case 'path':
    case 'time':
      return text;
    default:
      return field satisfies never;
  }
}

function parseList(text: string): unknown {
  if (/^[[{]/.test(text)) return JSON.parse(text);
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  yes: true,
  on: true,
  '0': false,
  false: false,
  no: false,
  off: false,
};

/** Parses a boolean as environment variables write it: `1/0 true/false yes/no on/off`, in any letter case; undefined for anything else. */
export function booleanOfText(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(BOOLEANS, word) ? BOOLEANS[word] : undefined;
}
