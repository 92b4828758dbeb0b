import { extname } from 'node:path';
import type { ExtractedDocument } from '../../contracts/extractor.ts';

/** A document with its secrets redacted, and whether it had any. */
export interface RedactedDocument {
  readonly extracted: ExtractedDocument;
  readonly hasSecrets: boolean;
}

/**
 * Replaces every secret of a document with asterisks, in its text and in all other strings. Every string keeps its length and its line
 * breaks, so that offsets and line numbers stay valid.
 */
export async function redactDocument(extracted: ExtractedDocument, path: string): Promise<RedactedDocument> {
  const others = new Set<string>();
  collectTexts({ ...extracted, text: '' }, others);
  const beside = [...others].filter((text) => text !== '' && !extracted.text.includes(text));
  const secrets = await findSecrets([extracted.text, ...beside].join('\n'), path);
  if (secrets.length === 0) return { extracted, hasSecrets: false };
  return { extracted: withoutSecrets(extracted, secrets) as ExtractedDocument, hasSecrets: true };
}

/** Redacts the secrets of a text without changing its length. */
export async function redactText(text: string, path: string): Promise<string> {
  return withoutSecrets(text, await findSecrets(text, path)) as string;
}

/** Redacts strings, also within lists and plain objects; other objects, such as dates, are left as they are. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return masked(value, secrets);
  if (Array.isArray(value)) return value.map((item: unknown) => withoutSecrets(item, secrets));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [masked(key, secrets), withoutSecrets(item, secrets)]),
  );
}

function masked(text: string, secrets: readonly string[]): string {
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
 * Finds the strings in a text that look like secrets (keys, tokens, passwords in addresses, private keys), without duplicates, longest
 * first. The first call loads the rules.
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
