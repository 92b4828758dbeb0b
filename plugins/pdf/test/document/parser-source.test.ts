import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadPdfjs } from '../../src/document/load-pdfjs.ts';
import { CHANGED_PASSAGES, parserFunction } from '../../src/document/parser-source.ts';

it('changes passages that the installed parser has, each once', async () => {
  const { parserUrl } = await loadPdfjs();
  const source = readFileSync(fileURLToPath(parserUrl), 'utf8');
  expect(CHANGED_PASSAGES.map((passage) => source.split(passage).length - 1)).toEqual(CHANGED_PASSAGES.map(() => 1));
  const body = parserFunction(source, parserUrl);
  expect(body).toContain('return WorkerMessageHandler;');
  expect(body).not.toContain('import.meta');
});
