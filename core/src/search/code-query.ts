import { nameParts } from './name-parts.ts';
import type { QueryShape } from './query-shape.ts';

/** A name from code in a query: what it calls the thing itself, and what the thing is said to be part of. */
export interface AskedName {
  readonly name: string;
  readonly owner: string | null;
  /** A line that declares it. */
  readonly declaration: RegExp;
}

/** A query as the order of source code reads it. */
export interface CodeQuery {
  readonly parts: ReadonlySet<string>;
  readonly names: readonly AskedName[];
  /** Paths or file names in the query, lower case. */
  readonly paths: readonly string[];
  /** Whether it asks for tests, so that tests are no by-catch. */
  readonly asksForTests: boolean;
}

const KEYWORDS =
  'abstract class|class|const|def|enum|fn|fun|func|function\\*?|impl|interface|let|macro_rules!|mod|module|namespace|object|record|static|struct|trait|type|typedef|union|val|var|#define';
const TESTS = /\b(?:tests?|testing|specs?|mocks?|fixtures?|stubs?)\b/i;
const PATH = /[\w-]\/[\w-]|\w\.[A-Za-z]{1,5}$/;
const JOINTS = /::|[.#]/;

/** Reads what a query asks of source code. A query of one word asks for the thing of that name. */
export function codeQuery({ words, identifiers }: QueryShape): CodeQuery {
  const asked = words.length === 1 ? words : identifiers;
  return {
    parts: new Set(nameParts(words.join(' '))),
    names: asked.filter((word) => !word.includes('/')).flatMap(askedName),
    paths: identifiers.filter(isPath).map((word) => word.toLowerCase().replace(/^[./]+/, '')),
    asksForTests: TESTS.test(words.join(' ')),
  };
}

function isPath(word: string): boolean {
  return word.includes('/') || (PATH.test(word) && !/[A-Z(]/.test(word));
}

function askedName(word: string): readonly AskedName[] {
  const steps = word.split(JOINTS).map((step) => step.replaceAll(/[^\p{L}\p{N}_$]/gu, ''));
  const named = steps.filter((step) => step !== '');
  const name = named.at(-1);
  if (name === undefined || name.length < 2) return [];
  const escaped = name.replaceAll('$', String.raw`\$`);
  const declaration = new RegExp(String.raw`(?:^|[\s(])(?:${KEYWORDS})\s+${escaped}(?![\p{L}\p{N}_$])`, 'mu');
  return [{ name: name.toLowerCase(), owner: named.at(-2)?.toLowerCase() ?? null, declaration }];
}
