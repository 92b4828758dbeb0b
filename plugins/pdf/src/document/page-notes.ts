import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { cleanLines } from '../layout/text-run.ts';

/** The members of pdf.js's annotations that carry text. */
interface Annotation {
  readonly subtype?: string | null;
  readonly annotationFlags?: number;
  readonly rect?: readonly number[];
  readonly contentsObj?: { readonly str?: string } | null;
  readonly titleObj?: { readonly str?: string } | null;
  readonly richText?: { readonly str?: string } | null;
  /** The lines of text that it is drawn with. */
  readonly textContent?: readonly string[];
  readonly inReplyTo?: string | null;
  readonly replyType?: string;
  readonly stateModel?: string | null;
  readonly file?: { readonly filename?: string } | null;
  readonly fieldType?: string;
  readonly fieldName?: string;
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly pushButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string | null;
  readonly password?: boolean;
}

/**
 * The texts that a reader shows on or beside a page but that are not part of it, from top to bottom, each with what it is: values of form
 * fields, text boxes, stamps, notes and comments with their author, names of attached files. Hidden ones are left out.
 */
export async function readNotes(page: PDFPageProxy): Promise<readonly string[]> {
  const annotations = (await page.getAnnotations()) as readonly Annotation[];
  const notes = annotations
    .toSorted((one, other) => topOf(other) - topOf(one) || leftOf(one) - leftOf(other))
    .map((annotation) => cleanLines(noteOf(annotation)))
    .filter((note) => note !== '');
  return [...new Set(notes)];
}

function topOf({ rect }: Annotation): number {
  return Math.max(rect?.[1] ?? 0, rect?.[3] ?? 0);
}

function leftOf({ rect }: Annotation): number {
  return Math.min(rect?.[0] ?? 0, rect?.[2] ?? 0);
}

/** The flags of hidden annotations, and of those that are only printed. */
const INVISIBLE = 2 | 32;
/** What annotations of a kind are called; the others with text are comments. */
const NAMES: Readonly<Record<string, string>> = { FreeText: 'Text box', Text: 'Note', Stamp: 'Stamp' };
/** Popups repeat the text of another annotation, and links are text of the page. */
const SILENT: ReadonlySet<string> = new Set(['Popup', 'Link', 'Movie', 'Screen']);

function noteOf(annotation: Annotation): string {
  if (((annotation.annotationFlags ?? 0) & INVISIBLE) !== 0) return '';
  const { subtype, stateModel, replyType, inReplyTo, file } = annotation;
  const kind = subtype ?? '';
  if (kind === 'Widget') return fieldOf(annotation);
  if (SILENT.has(kind) || isText(stateModel) || (isText(inReplyTo) && replyType === 'Group')) return '';
  const text = kind === 'FileAttachment' ? attachmentOf(annotation, file?.filename ?? '') : textOf(annotation);
  if (text === '') return '';
  const name = isText(inReplyTo) ? 'Reply' : kind === 'FileAttachment' ? 'Attachment' : (NAMES[kind] ?? 'Comment');
  const author = annotation.titleObj?.str?.trim() ?? '';
  return `${name}${author === '' ? '' : ` by ${author}`}: ${text}`;
}

function attachmentOf(annotation: Annotation, filename: string): string {
  return [filename.trim(), textOf(annotation)].filter((part) => part !== '').join(': ');
}

/** Its contents; what it is drawn with if it has none. */
function textOf({ contentsObj, richText, textContent = [] }: Annotation): string {
  return [contentsObj?.str, richText?.str, textContent.join('\n')].find(isText)?.trim() ?? '';
}

function fieldOf(field: Annotation): string {
  const value = valueOf(field);
  const { alternativeText, fieldName = '' } = field;
  const label = isText(alternativeText) ? alternativeText : fieldName.replaceAll(/\[\d+\]/g, '').replace(/^.*\./, '');
  if (value === '') return '';
  return label.trim() === '' ? `Form field: ${value}` : `Form field ${label.trim()}: ${value}`;
}

/** Values of boxes and buttons that say no more than that they are checked. */
const CHECKED = /^(?:yes|on|true|checked|\d+)$/i;

/** The value as a reader shows it; empty for buttons, boxes that are not checked, and passwords. */
function valueOf(field: Annotation): string {
  const { fieldValue, checkBox, radioButton, pushButton, password, textContent = [] } = field;
  if (password === true || pushButton === true) return '';
  if (checkBox === true || radioButton === true) {
    const value = checkBox === true ? field.exportValue : field.buttonValue;
    if (!isText(value) || value === 'Off' || fieldValue !== value) return '';
    return CHECKED.test(value) ? 'checked' : value;
  }
  const values = (Array.isArray(fieldValue) ? (fieldValue as readonly unknown[]) : [fieldValue]).map((value) => {
    const option = field.options?.find(({ exportValue }) => exportValue === value);
    return isText(option?.displayValue) ? option.displayValue : value;
  });
  const shown = values.filter(isText).join(', ');
  return shown.trim() === '' ? textContent.join('\n').trim() : shown.trim();
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
