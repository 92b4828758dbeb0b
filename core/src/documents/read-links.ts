import { normalize } from 'node:path/posix';
import type { DocumentRow } from '../contracts/document-store.ts';

/** A link to another document, as a document writes it. */
export interface WrittenLink {
  /** As written, decoded, without heading and label. */
  readonly target: string;
  /** The heading or anchor behind `#`; null without one. */
  readonly heading: string | null;
  /** Whether the target is the name of a document rather than a path: a wiki link. */
  readonly isName: boolean;
  /** Whether the target is a label that a document sets, as in reStructuredText. */
  readonly isLabel?: true | undefined;
  /** Offset into the text of the document. */
  readonly start: number;
}

/** The pattern of one form of link: its first group with a text is the target. */
interface LinkForm {
  readonly pattern: RegExp;
  readonly isName?: true;
  readonly isLabel?: true;
}

const WIKI: LinkForm = { pattern: /\[\[([^[\]\n]+)\](?:\[[^[\]\n]*\])?\]/g, isName: true };
const HREF: LinkForm = { pattern: /\bhref\s*=\s*(?:"([^"\n]+)"|'([^'\n]+)')/gi };
const MARKDOWN: readonly LinkForm[] = [
  WIKI,
  { pattern: /\]\(\s*(?:<([^<>\n]+)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/g },
  { pattern: /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?:<([^<>\n]+)>|(\S+))/gm },
  HREF,
];
const RST: readonly LinkForm[] = [
  { pattern: /:doc:`(?:[^`<]*<([^`<>]+)>|([^`<>]+))`/g },
  { pattern: /:(?:ref|numref):`(?:[^`<]*<([^`<>]+)>|([^`<>]+))`/g, isLabel: true },
  { pattern: /(?<!:)`[^`<]*<([^`<>]+)>`__?/g },
  { pattern: /^\.\.[ \t]+(?:_[^:\n]+:|include::)[ \t]+(\S+)/gm },
];
const ASCIIDOC: readonly LinkForm[] = [{ pattern: /\b(?:xref|link|include)::?([^\s[\]]+)\[/g }];

/** Forms of link by the ending of the file; other texts are read like Markdown. */
const FORMS: readonly (readonly [file: RegExp, forms: readonly LinkForm[]])[] = [
  [/\.(?:rst|rest)$/i, RST],
  [/\.(?:adoc|asciidoc|asc)$/i, ASCIIDOC],
  [/\.org$/i, [WIKI]],
];

/** Fenced code, code spans and comments, which contain no links. */
const CODE =
  /^([ \t>]*)(`{3,}|~{3,})[^\n]*\n[^]*?(?:^\1\2[`~]*[ \t]*$|$(?![^]))|(?<!`)(`+)(?!`)[^]{0,500}?[^`]\3(?!`)|<!--[^]*?-->/gm;
/** An address of another system; a drive letter is not one. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i;
/** The same behind `[[`, where a colon may be part of a name. */
const NAMED_ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|mailto:|id:)/i;

/** The links of a document to others, in order. Addresses of other systems and links within the document are left out. */
export function readLinks(
  text: string,
  { workspacePath, media }: Pick<DocumentRow, 'workspacePath' | 'media'>,
): readonly WrittenLink[] {
  if (media !== 'markdown' && media !== 'text') return [];
  const forms = FORMS.find(([file]) => file.test(workspacePath))?.[1] ?? MARKDOWN;
  const prose = forms === MARKDOWN ? text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' ')) : text;
  return forms
    .flatMap(({ pattern, isName = false, isLabel }) =>
      [...prose.matchAll(pattern)].flatMap((match) => {
        const written = match.slice(1).find((group) => group !== undefined) ?? '';
        return linkTo(written.trim(), { isName, isLabel, start: match.index }) ?? [];
      }),
    )
    .toSorted((a, b) => a.start - b.start);
}

function linkTo(
  written: string,
  { isName, isLabel, start }: Pick<WrittenLink, 'isName' | 'isLabel' | 'start'>,
): WrittenLink | null {
  const inside = written.replace(/^file:/i, '');
  if ((isName ? NAMED_ADDRESS : ADDRESS).test(inside)) return null;
  const bare = isName ? inside.replace(/\\?\|[^]*$/, '') : inside;
  const [, name = '', anchor] = /^(.*?)(?:(?:#|::(?=[*#\d]))[*^#]?(.*))?$/.exec(bare) ?? [];
  const target = (isName ? name : decoded(name.replace(/\?.*$/, ''))).normalize('NFC').trim();
  if (target === '') return null;
  const heading = anchor === undefined || anchor === '' ? null : decoded(anchor).trim();
  return { target, heading, isName: isName && !/^\.{1,2}\//.test(target), isLabel, start };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that is not an escape
  }
}

const LABEL = /^[ \t]*\.\.[ \t]+_(?:`([^`\n]+)`|([^:\n]+)):[ \t]*$/gm;

/** The labels that a text in reStructuredText sets, and by which others link to it. */
export function readLabels(text: string): readonly string[] {
  return [...text.matchAll(LABEL)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** Endings that a link may leave out, or have instead of the file's own. */
const TEXT_ENDINGS = ['.md', '.markdown', '.mdx', '.rst', '.adoc', '.org', '.txt', '.html'];
/** The document of a folder. */
const FOLDER_FILES = ['index.md', 'README.md', '_index.md', 'index.rst', 'index.html'];

/** The paths within its source that a link may designate, the likeliest first. */
export function pathsOf({ target, isName, isLabel }: WrittenLink, from: string): readonly string[] {
  if (isLabel) return [];
  const folder = folderOf(from);
  // A folder above may be the root of what its documents are built into.
  const above = folder.split('/').map((_, at, steps) => `${steps.slice(0, -at || undefined).join('/')}/${target}`);
  const bases = target.startsWith('/') || isName ? [target.replace(/^\/+/, ''), ...above] : [folder + target, target];
  return bases.flatMap((base) => {
    const path = normalize(base);
    if (path.startsWith('..')) return [];
    const plain = path.replace(/\/$/, '');
    const inFolder = FOLDER_FILES.map((file) => (plain === '.' ? file : `${plain}/${file}`));
    if (path.endsWith('/') || plain === '.') return inFolder;
    const stem = plain.replace(/\.html?$/i, '');
    return [plain, ...TEXT_ENDINGS.map((ending) => stem + ending), ...inFolder];
  });
}

/** The folder of a document with the slash behind it; empty for the folder of the source. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
