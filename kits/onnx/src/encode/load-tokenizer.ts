import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TextTokenizer } from './text-tokenizer.ts';

/** Loads `tokenizer.json` and, if there is one, `tokenizer_config.json` of a folder. */
export async function loadTokenizer(folder: string): Promise<TextTokenizer> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const json = JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8')) as object;
  const config = JSON.parse(
    await readFile(path.join(folder, 'tokenizer_config.json'), 'utf8').catch(() => '{}'),
  ) as Readonly<Record<string, unknown>>;
  return new TextTokenizer(new Tokenizer(json, config), json, config);
}
