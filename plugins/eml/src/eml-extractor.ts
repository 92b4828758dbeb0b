import { readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, invalidInput, markdownExtractor, type Extractor } from '@kebab/plugin';
import type { Address, Email } from 'postal-mime';

/** Larger messages consist mainly of attachments, which are not read. */
const MAX_BYTES = 32 * 2 ** 20;

/** Creates the extractor `eml`: sender, recipients, date and text of a message, cited as `#section=subject-of-it`. */
export function createEmlExtractor(): Extractor {
  return markdownExtractor({
    id: 'eml',
    extensions: ['eml'],
    toMarkdown: async (bytes) => {
      if (bytes.length > MAX_BYTES) throw invalidInput(`the message is larger than ${MAX_BYTES / 2 ** 20} MiB`);
      const message = await parsed(bytes);
      const document = new DocumentBuilder();
      const subject = message.subject?.trim() ?? '';
      document.heading(1, subject);
      document.paragraph(headOf(message));
      if (message.text !== undefined && message.text.trim() !== '') {
        for (const part of message.text.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/))
          if (part.trimStart().startsWith('>')) document.quote(part);
          else document.paragraph(part);
      } else if (message.html !== undefined) await readHtml(message.html, document);
      const date = new Date(message.date ?? Number.NaN);
      return document.build(Number.isNaN(date.getTime()) ? {} : { metadata: { createdAt: date, updatedAt: date } });
    },
  });
}

async function parsed(bytes: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(bytes.slice(), { attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    throw invalidInput(`the message cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The header lines of a message. */
function headOf({ from, to, cc, date, attachments }: Email): string {
  const names = attachments.flatMap(({ filename }) => (filename === null || filename === '' ? [] : [filename]));
  const lines: readonly (readonly [string, string])[] = [
    ['From', from === undefined ? '' : addressOf(from)],
    ['To', (to ?? []).map(addressOf).join(', ')],
    ['Cc', (cc ?? []).map(addressOf).join(', ')],
    ['Date', date ?? ''],
    ['Attachments', names.join(', ')],
  ];
  return lines.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`])).join('\n');
}

function addressOf({ name, address, group }: Address): string {
  if (group !== undefined) return `${name}: ${group.map(addressOf).join(', ')}`;
  return name === '' ? (address ?? '') : `${name} <${address ?? ''}>`;
}
