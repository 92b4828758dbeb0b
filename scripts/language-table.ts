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

/** The bundled language packs. */
export const packs = [rust, python, typescript, javascript, go, java, kotlin, c, cpp];

interface Row {
  readonly lang: string;
  readonly units: string;
  readonly symbolForm: string;
  readonly examples: readonly string[];
}

/** The text of docs/languages.md: how each language is cut, from the documentation of its plugin. */
export function languagePage(): string {
  const grammars = packs.map(({ lang, documentation }) => rowOf(lang, documentation));
  const manifests = Object.entries(formats).map(([lang, { documentation }]) => rowOf(lang, documentation));
  const known = new Set([...grammars, ...manifests].map(({ lang }) => lang));
  const others = codeLangs().filter((lang) => !known.has(lang));
  return `# Programming languages

This page is generated from the plugins by \`npm run docs\`.

Source files are cut into units, each with a symbol that a search finds exactly and a citation can name. Comments,
attributes and decorators directly above a unit belong to it. Code between units is a chunk with the symbol
\`<top-level>\`; a file without units is \`<module>\`. A unit that is too long is split into parts named \`X [part i/N]\`.
If a class and its first member begin on the same line, the line belongs to the member, whose symbol contains both names.

## Parsed into syntax trees

${table(grammars)}

A \`.h\` file is parsed as C and, if that gives errors, as C++; the parse with fewer errors decides its language, which is
what hits and filters show; parser and chunker keep the label of C, since its plugin reads the file.
A file that exceeds the parsing time limit or 1 MiB is cut at blank lines instead.
A bracket that is not closed costs the statement or unit around it; in Kotlin it may cost the rest of the file.

## Configuration

${table(manifests)}

## Read as text

Cut into paragraphs at blank lines, joined up to the target size; long ones are cut into overlapping windows. They have no symbol.

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
  return ['| language | files | units | symbol | examples |', '|---|---|---|---|---|', ...lines].join('\n');
}

function filesOf(lang: string): string {
  return fileNamesOf(lang)
    .map((name) => `\`${name}\``)
    .join(' ');
}
