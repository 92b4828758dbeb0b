import { rmSync } from 'node:fs';
import type { CliHome } from '../../../host-cli/test/fakes/built-cli.ts';
import type { Bench } from '../harness/area.ts';
import { watched } from '../harness/watched-process.ts';

/** Documents of a small knowledge base; each contains the word wombat. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  'notes/tea.md':
    '---\ntags: [kitchen/tea]\ndate: 2024-02-03\n---\n# Tea\n\nThe wombat steeps green tea at eighty degrees.\n',
  'notes/a#b%20c.md': '# Odd name\n\nA wombat in a file with an odd name.\n',
  '한글.md': '# 한글\n\n웜뱃 wombat 은 흙을 판다.\n',
  'src/dig.py': 'def dig(depth):\n    """The wombat digs."""\n    return depth * 2\n',
  'list.txt': Array.from({ length: 200 }, (_, i) => `wombat number ${i}\n\n`).join(''),
};

/** No models, so that nothing depends on the machine. */
export const LEXICAL = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } as const;

/** Creates a home with an ingested knowledge base, and removes it afterwards. */
export async function* inKnowledgeBase<T>({ cli }: Bench, use: (home: CliHome) => AsyncIterable<T>): AsyncGenerator<T> {
  const home = cli.newHome();
  try {
    for (const [file, text] of Object.entries(DOCUMENTS)) home.write(file, text);
    const run = await watched(cli.start(['ingest', '--quiet'], { home, env: LEXICAL }));
    if (run.code !== 0) throw new Error(`the documents could not be indexed: ${run.stderr}`);
    yield* use(home);
  } finally {
    rmSync(home.folder, { recursive: true, force: true });
  }
}
