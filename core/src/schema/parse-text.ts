import type { Field } from './field.ts';

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
