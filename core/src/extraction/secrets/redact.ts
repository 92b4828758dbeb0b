import { extname } from 'node:path';
import type { ExtractedDocument } from '../../contracts/extractor.ts';

/** A document without its secrets, and whether it had any. */
export interface RedactedDocument {
  readonly extracted: ExtractedDocument;
  readonly hasSecrets: boolean;
}

/**
 * Puts asterisks in place of every secret of a document, in its text and in whatever else was read from it. Every text
 * keeps its length and its lines, so that places in it stay what they were.
 */
export async function redactDocument(extracted: ExtractedDocument, path: string): Promise<RedactedDocument> {
  const others = new Set<string>();
  collectTexts({ ...extracted, text: '' }, others);
  const beside = [...others].filter((text) => text !== '' && !extracted.text.includes(text));
  const secrets = await findSecrets([extracted.text, ...beside].join('\n'), path);
  if (secrets.length === 0) return { extracted, hasSecrets: false };
  return { extracted: withoutSecrets(extracted, secrets) as ExtractedDocument, hasSecrets: true };
}

/** A text of a document without its secrets, as long as before. */
export async function redactText(text: string, path: string): Promise<string> {
  return withoutSecrets(text, await findSecrets(text, path)) as string;
}

/** Also the text of what stands in lists and plain objects; other objects, such as dates, hold none. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return filled(value, secrets);
  if (Array.isArray(value)) return value.map((item: unknown) => withoutSecrets(item, secrets));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [filled(key, secrets), withoutSecrets(item, secrets)]),
  );
}

function filled(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, (found) => found.replaceAll(/[^\r\n]/g, '*')), text);
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts);
  else if (isPlain(value)) for (const item of Object.values(value)) collectTexts(item, texts);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The texts in a document that look like secrets (keys, tokens, passwords in addresses, private keys), each once, the longest first. Loads the
 * rules with the first call.
 */
async function findSecrets(text: string, path: string): Promise<readonly string[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const { messages } = await lintSource({
    source: { filePath: path, content: text, ext: extname(path), contentType: 'text' },
    options: {
      locale: 'en',
      maskSecrets: false,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    },
  });
  const found = new Set(messages.map(({ range: [start, end] }) => text.slice(start, end)));
  found.delete('');
  return [...found].toSorted((a, b) => b.length - a.length);
}
