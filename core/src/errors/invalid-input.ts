import editDistance from 'damerau-levenshtein';
import { KebabError } from './kebab-error.ts';

/** Details of a bad argument; every member may be left out. */
export interface InvalidInputContext {
  readonly field?: string;
  readonly value?: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string | undefined;
  readonly hint?: string | undefined;
}

/** Makes the `invalid_input` error for an argument, flag, id, URI, filter or cursor that cannot be used. */
export function invalidInput(message: string, context: InvalidInputContext = {}): KebabError<'invalid_input'> {
  const hint = hintOf(message, context);
  return new KebabError('invalid_input', message, {
    details: {
      field: context.field ?? null,
      value: context.value ?? null,
      allowed: context.allowed ?? null,
      suggestion: context.suggestion ?? null,
    },
    ...(hint === undefined ? {} : { hint }),
  });
}

const MAX_LISTED = 20;

/**
 * Suggests the right value: the nearest one, before any other hint, or all allowed ones; one example if the message already lists them.
 */
function hintOf(message: string, { allowed, suggestion, hint }: InvalidInputContext): string | undefined {
  const isAsked = [message, hint].some((text) => text?.includes('did you mean'));
  if (hint !== undefined) return isAsked || suggestion === undefined ? hint : `did you mean ${suggestion}? ${hint}`;
  if (suggestion !== undefined) return isAsked ? `use ${suggestion}` : `did you mean ${suggestion}?`;
  if (allowed === undefined || allowed.length === 0 || allowed.length > MAX_LISTED) return undefined;
  if (message.includes(allowed.join(', '))) return `for example ${allowed[0]}`;
  return `use ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}`;
}

const MAX_SHOWN = 200;

/** Formats a value of any shape for an error message: as JSON, shortened. External data may be nested too deeply to serialise. */
export function shownValue(value: unknown): string {
  try {
    const json = JSON.stringify(value) ?? String(value);
    return clipped(json);
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

/** Longer input is not near any name, and comparing takes time and memory per letter. */
const MAX_TYPED = 200;

/** The beginning of a longer text with an ellipsis, at most `max` UTF-16 code units of it, without splitting a surrogate pair. */
export function clipped(text: string, max = MAX_SHOWN): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/**
 * The known name nearest to the input, or undefined when none is near: at most a third of the letters may differ (Damerau–Levenshtein
 * distance with adjacent transpositions), and at least two must agree.
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase()).steps;
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  if (best === undefined) return undefined;
  const longest = Math.max(wanted.length, best.name.length);
  return best.distance <= Math.floor(longest / 3) ? best.name : undefined;
}
