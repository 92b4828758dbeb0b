import { extname } from 'node:path';

/**
 * The texts in a document that look like secrets (keys, tokens, passwords in addresses, private keys), each once, the longest first. Loads the
 * rules with the first call.
 */
export async function findSecrets(text: string, path: string): Promise<readonly string[]> {
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
