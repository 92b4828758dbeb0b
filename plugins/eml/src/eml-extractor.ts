import { decodePage, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type ExtractWarning, type Extractor } from '@kebab/plugin';
import { calendarEvents } from './calendar-text.ts';
import { decodeAs } from './header-text.ts';
import { parseMessage, type MimePart } from './mime-part.ts';

/** Larger messages consist mainly of attachments, which are not read. */
const MAX_BYTES = 32 * 2 ** 20;
const MAX_ATTACHED = 10;

/**
 * Creates the extractor `eml`: sender, recipients, date and text of a message, with attached messages, calendars and texts, cited as
 * `#section=subject-of-it`. What is encrypted is named in a warning.
 */
export function createEmlExtractor(): Extractor {
  return markdownExtractor({
    id: 'eml',
    version: '6',
    extensions: ['eml'],
    toMarkdown: async (bytes) => {
      if (bytes.length > MAX_BYTES) throw invalidInput(`the message is larger than ${MAX_BYTES / 2 ** 20} MiB`);
      const message = await parseMessage(bytes);
      const document = new DocumentBuilder();
      const reader = new MessageReader(document);
      await reader.message(message, 1);
      const date = new Date(await message.header('Date'));
      const { warnings } = reader;
      return document.build(
        Number.isNaN(date.getTime()) ? { warnings } : { warnings, metadata: { createdAt: date, updatedAt: date } },
      );
    },
  });
}

/** A text that OpenPGP has encrypted. */
const ARMOUR = /-----BEGIN PGP MESSAGE-----[\s\S]*?(?:-----END PGP MESSAGE-----|$)/g;

/** Pictures, sounds and signatures, which have no text. */
const WITHOUT_TEXT = /^(?:image|audio|video|font)\/|-signature$/;

/** Writes a message, and those attached to it, into a document. */
class MessageReader {
  readonly warnings: ExtractWarning[] = [];
  readonly #document: DocumentBuilder;
  readonly #isCompared: boolean;

  constructor(document: DocumentBuilder, { isCompared = false } = {}) {
    this.#document = document;
    this.#isCompared = isCompared;
  }

  async message(message: MimePart, depth: number): Promise<void> {
    this.#document.heading(
      Math.min(2, depth),
      (await message.header('Subject')) || (depth > 1 ? 'Attached message' : ''),
    );
    this.#document.paragraph(await headOf(message));
    await this.#part(message, depth);
  }

  async #part(part: MimePart, depth: number): Promise<void> {
    const type = typeOf(part);
    if (type === 'multipart/alternative') await this.#alternative(part.parts, depth);
    else if (type === 'multipart/encrypted') this.#unread('the text of the message is encrypted');
    else if (/^application\/(?:x-)?pkcs7-mime$/.test(type))
      this.#unread(
        `the text of the message is ${part.parameters.get('smime-type') === 'signed-data' ? 'in a signed container' : 'encrypted'} (S/MIME)`,
      );
    else if (part.parts.length > 0) for (const inner of part.parts) await this.#part(inner, depth);
    else if (/^message\/(?:rfc822|global)$/.test(type)) {
      if (depth < MAX_ATTACHED) await this.message(await parseMessage(part.content), depth + 1);
      else this.#unread(`messages attached to one another are read to a depth of ${MAX_ATTACHED}`);
    } else if (type === 'text/calendar')
      for (const event of calendarEvents(await this.#textOf(part))) this.#document.paragraph(event);
    else if (isText(type)) {
      if (part.isAttachment || (part.filename !== '' && type !== 'text/html')) this.#document.heading(2, part.filename);
      if (type === 'text/html') await this.#html(part, this.#document);
      else this.#plain(await this.#textOf(part), part);
    } else if (part.filename !== '' && !WITHOUT_TEXT.test(type))
      this.#unread(`the attachment ${part.filename} was not read`);
  }

  /** Of several forms of a text the one that says more; each of them, if they differ. The others are in addition to it. */
  async #alternative(parts: readonly MimePart[], depth: number): Promise<void> {
    const bodies = parts.filter((part) => /^(?:text\/(?:plain|html|enriched|markdown)|multipart\/)/.test(part.type));
    const plain = bodies.findLast(({ type }) => type !== 'text/html' && !type.startsWith('multipart/'));
    const rich = bodies.findLast(({ type }) => type === 'text/html' || type.startsWith('multipart/'));
    if (this.#isCompared || plain === undefined || rich === undefined)
      for (const part of bodies.slice(-1)) await this.#part(part, depth);
    else {
      const shown = await Promise.all([plain, rich].map((part) => textsOf(part)));
      const { first, second } = comparedTexts(shown[0] ?? '', shown[1] ?? '');
      if (second) await this.#part(rich, depth);
      if (first) await this.#part(plain, depth);
    }
    for (const part of parts.filter((other) => !bodies.includes(other) && other.type !== 'text/x-amp-html'))
      await this.#part(part, depth);
  }

  #plain(text: string, part: MimePart): void {
    const isFlowed = part.parameters.get('format')?.toLowerCase() === 'flowed';
    const clear = text.replaceAll(ARMOUR, '');
    if (clear !== text) this.#unread('a text of the message is encrypted (OpenPGP)');
    const lines = isFlowed ? unwrapped(clear, part.parameters.get('delsp')?.toLowerCase() === 'yes') : clear;
    for (const paragraph of lines.split(/\n{2,}/))
      if (paragraph.trimStart().startsWith('>')) this.#document.quote(paragraph);
      else if (/[^\s\p{Default_Ignorable_Code_Point}]/u.test(paragraph)) this.#document.paragraph(paragraph);
  }

  async #html(part: MimePart, document: DocumentBuilder): Promise<void> {
    const decoding = part.charset === '' ? decodePage(part.content) : decodeAs(part.content, part.charset);
    const { text, warnings } = await decoding;
    this.warnings.push(...warnings);
    await readHtml(text, document);
  }

  async #textOf(part: MimePart): Promise<string> {
    const { text, warnings } = await decodeAs(part.content, part.charset);
    this.warnings.push(...warnings);
    return text;
  }

  #unread(note: string): void {
    this.warnings.push({ kind: 'extract_failed', note });
  }
}

/** What a part shows, without attachments. */
async function textsOf(part: MimePart): Promise<string> {
  const scratch = new DocumentBuilder();
  await new MessageReader(scratch, { isCompared: true }).message({ ...part, header: async () => '' }, 2);
  return scratch.build().text.replace(/^Attached message\n*/, '');
}

/** The type of a part; a file without one is known by its name. */
function typeOf({ type, filename }: MimePart): string {
  if (type !== 'application/octet-stream' && type !== 'application/ics') return type;
  if (type === 'application/ics' || /\.(?:ics|ical)$/i.test(filename)) return 'text/calendar';
  if (/\.eml$/i.test(filename)) return 'message/rfc822';
  if (/\.html?$/i.test(filename)) return 'text/html';
  return /\.(?:txt|text|md|markdown|csv|tsv|log|rst|org)$/i.test(filename) ? 'text/plain' : type;
}

/** Texts for programs. */
const NOT_WORDS = new Set(['text/css', 'text/javascript', 'text/rtf', 'text/richtext', 'text/x-amp-html']);

function isText(type: string): boolean {
  return (type.startsWith('text/') && !NOT_WORDS.has(type)) || type === 'message/delivery-status';
}

/** Joins the lines that a program has wrapped (RFC 3676): those that end with a space, except in a quote or before a signature. */
function unwrapped(text: string, dropsSpace: boolean): string {
  return text.replaceAll(/^(?!>|-- $)(.*) \n(?!>|-- ?\n|\n)/gm, dropsSpace ? '$1' : '$1 ');
}

/** The header lines of a message. */
async function headOf(message: MimePart): Promise<string> {
  const lines: (readonly [string, string])[] = [];
  for (const name of ['From', 'To', 'Cc', 'Bcc']) lines.push([name, addressesOf(await message.header(name))]);
  const source = await message.header('Date');
  const date = new Date(source);
  lines.push(['Date', Number.isNaN(date.getTime()) ? source : date.toISOString()]);
  lines.push(['Attachments', filenamesOf(message).join(', ')]);
  return lines.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n');
}

/** Addresses without the quotation marks around names. */
function addressesOf(header: string): string {
  return header.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, name: string) => name.replaceAll(/\\(.)/g, '$1')).trim();
}

function filenamesOf({ filename, parts }: MimePart): readonly string[] {
  return [...(filename === '' ? [] : [filename]), ...parts.flatMap((part) => filenamesOf(part))];
}

/** Which of two forms of a text are to be shown. */
interface ShownTexts {
  readonly first: boolean;
  readonly second: boolean;
}

/** The minimum share of the words of a text that another has, for both to be the same text. */
const MIN_SHARED = 0.5;
/** The maximum share of further words for a text that says nothing more. */
const MAX_FURTHER = 0.1;

/**
 * Compares two forms of a text by their words. Of the same text the first is shown, unless the second says more; of different ones both, because
 * neither is in the other. A form without words is not shown.
 */
function comparedTexts(first: string, second: string): ShownTexts {
  const [one, other] = [wordsOf(first), wordsOf(second)];
  if (one.size === 0 || other.size === 0) return { first: one.size > 0 || other.size === 0, second: other.size > 0 };
  const shared = [...one].filter((word) => other.has(word)).length;
  if (shared < MIN_SHARED * Math.min(one.size, other.size)) return { first: true, second: true };
  const further = other.size - shared;
  const isMore = further > MAX_FURTHER * other.size && further > one.size - shared;
  return { first: !isMore, second: isMore };
}

/** The distinct words of a text without addresses of pages; of scripts without spaces, each pair of letters. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/\bhttps?:\/\/\S+/g, ' ')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  return new Set(
    (words ?? []).flatMap((word) =>
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(word) ? pairsOf(word) : [word],
    ),
  );
}

function pairsOf(word: string): readonly string[] {
  const letters = Array.from(word);
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`);
}
