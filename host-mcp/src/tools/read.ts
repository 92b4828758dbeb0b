import { lastStep, printable, RELATED, SYMBOL, symbolLines, VERIFY_CITATION, type SymbolResult } from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

/** `verify_citation`: whether a citation is still valid. */
export const verifyCitation: KebabTool<typeof VERIFY_CITATION> = {
  name: 'verify_citation',
  operation: 'verifyCitation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri says where) or gone. Give uri and content_hash as they came.',
  input: VERIFY_CITATION,
  outputs: ['citation_check'],
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};

const { source: _source, ...TOOL } = RELATED; // a uri names its source

/** `related`: what is around a document. */
export const related: KebabTool<typeof TOOL> = {
  name: 'related',
  operation: 'related',
  title: 'See what is related',
  description: 'Lists what a document links to, what links to it, what is nearest, and its copies.',
  input: TOOL,
  outputs: ['related'],
  run({ uri, limit }, { app, signal }) {
    return app.related({ kind: 'uri', uri }, { limit, signal });
  },
};

/** `schema`: versions, capabilities and counts. */
export const schema: KebabTool = {
  name: 'schema',
  operation: 'schema',
  title: 'Describe the knowledge base',
  description: 'Shows versions, capabilities, and counts of documents by medium, language and source.',
  input: {},
  outputs: ['schema'],
  run: (_args, { app, signal }) => app.schema({ signal }),
};

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  operation: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names remedies.',
  input: {},
  outputs: ['doctor'],
  despiteConfig: true,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};

/** `symbol`: where code declares or uses a name. */
export const symbol: KebabTool<typeof SYMBOL> = {
  name: 'symbol',
  operation: 'findSymbol',
  title: 'Find a definition or references',
  description:
    'Finds the definition of a function, class, method, constant, enum member, table entry or test by its name, or its references (callers, usages, imports) by the unit around them, definitions marked. Answers path:line:text.',
  input: SYMBOL,
  outputs: ['symbol_result'],
  textOf: (answer) => symbolText(answer as SymbolResult),
  async run(args, { app, settings, signal }) {
    return withNextCall(await app.findSymbol({ ...args, max_tokens: settings.defaultMaxTokens }, { signal }));
  },
};

/** A result of `symbol` as text. */
export function symbolText(result: SymbolResult): string {
  return symbolLines(result).map(printable).join('\n');
}

/** Names the tools that look for a name elsewhere, where no code declares or uses it. */
export function withNextCall(result: SymbolResult): SymbolResult {
  if (result.total > 0) return result;
  const name = JSON.stringify(lastStep(result.name));
  return { ...result, hint: `call grep {"pattern": ${name}} for every line with it, or search {"query": ${name}}` };
}
