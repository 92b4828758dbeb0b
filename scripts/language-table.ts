import type { LanguageDocumentation } from '@kebab/code-kit';
import { pack as c } from '@kebab/plugin-code-c';
import { pack as cpp } from '@kebab/plugin-code-cpp';
import { pack as go } from '@kebab/plugin-code-go';
import { pack as java } from '@kebab/plugin-code-java';
import { pack as javascript } from '@kebab/plugin-code-javascript';
import { pack as kotlin } from '@kebab/plugin-code-kotlin';
import { pack as python } from '@kebab/plugin-code-python';
import { pack as rust } from '@kebab/plugin-code-rust';
import { pack as typescript } from '@kebab/plugin-code-typescript';
import { codeLangs, fileNamesOf } from '../core/src/domain/media.ts';
import { formats } from '../plugins/manifests/src/formats.ts';

/** The language packs that come with kebab. */
export const packs = [rust, python, typescript, javascript, go, java, kotlin, c, cpp];

interface Row {
  readonly lang: string;
  readonly units: string;
  readonly symbolForm: string;
  readonly examples: readonly string[];
}

/** Writes docs/languages.md: what becomes of a file of code, language by language, as the plugins say it themselves. */
export function languagePage(): string {
  const grammars = packs.map(({ lang, documentation }) => rowOf(lang, documentation));
  const manifests = Object.entries(formats).map(([lang, { documentation }]) => rowOf(lang, documentation));
  const known = new Set([...grammars, ...manifests].map(({ lang }) => lang));
  const others = codeLangs().filter((lang) => !known.has(lang));
  return `# Languages of code

This page is written by \`node scripts/write-generated-docs.mjs\` from the plugins themselves.

A file of code is cut into units, each with a symbol that a search can find exactly and a citation can name. Comments,
attributes and decorators directly above a unit belong to it. What stands between units is a chunk with the symbol
\`<top-level>\`; a file without any unit is \`<module>\`. A unit that is too long is cut into pieces \`X [part i/N]\`.

## Read by their syntax trees

${table(grammars)}

A \`.h\` file is read as C, and as C++ where C does not understand it; the reading with fewer errors decides its language.
A file that takes longer than the limit to parse, or is larger than 1 MiB, is cut at blank lines instead.

## Configuration

${table(manifests)}

## Read as text

Paragraphs between blank lines, joined up to the target size, long ones in windows; they have no symbol.

| language | files |
|---|---|
${others.map((lang) => `| ${lang} | ${filesOf(lang)} |`).join('\n')}
`;
}

function rowOf(lang: string, { units, symbolForm, examples }: LanguageDocumentation | Omit<Row, 'lang'>): Row {
  return { lang, units, symbolForm, examples };
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ lang, units, symbolForm, examples }) => {
    const shown = examples.map((example) => `\`${example}\``).join(', ');
    return `| ${lang} | ${filesOf(lang)} | ${units} | \`${symbolForm}\` | ${shown} |`;
  });
  return ['| language | files | units | symbol | for example |', '|---|---|---|---|---|', ...lines].join('\n');
}

function filesOf(lang: string): string {
  return fileNamesOf(lang)
    .map((name) => `\`${name}\``)
    .join(' ');
}
