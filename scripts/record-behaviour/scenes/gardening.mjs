// A small knowledge base under changing settings: which settings rebuild what, other providers, plugins, resets, `try`.
import { existsSync, mkdirSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ingest = (recorder, world, name, flags = []) => recorder.cli(world, 'ingest', ['ingest', ...flags], { name });

/** Changes settings one after the other on one index, and records which documents each of them updates. */
export async function recordSettings(recorder, world) {
  await ingest(recorder, world, 'garden, first');
  const settings = [
    { name: 'password', env: {}, flags: ['--pdf-password', 'openpassword'] },
    { name: 'password, again', env: {}, flags: ['--pdf-password', 'openpassword'] },
    { name: 'force', env: {}, flags: ['--force-reingest'] },
    { name: 'smaller chunks', env: { KEBAB_CHUNKING_TARGET_TOKENS: '40', KEBAB_CHUNKING_OVERLAP_TOKENS: '8' } },
    { name: 'chunks across headings', env: { KEBAB_CHUNKING_RESPECT_MARKDOWN_HEADINGS: 'false' } },
    { name: 'shorter units', env: { KEBAB_CODE_MAX_UNIT_LINES: '30' } },
    { name: 'usable pages', env: { KEBAB_PDF_MIN_PAGE_CHARS: '2000' } },
    { name: 'another version of the embedding', env: { KEBAB_MODELS_EMBEDDING_VERSION: 'v2' } },
    { name: 'no embedding', env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } },
    { name: 'search settings', env: { KEBAB_SEARCH_RRF_K: '10' } },
    { name: 'a model that is not there', env: { KEBAB_MODELS_EMBEDDING_MODEL: '/nowhere' } },
    { name: 'one kind of file', env: { KEBAB_WORKSPACE_INCLUDE: '**/*.md' } },
    { name: 'defaults again', env: {} },
  ];
  for (const { name, env, flags } of settings) {
    const changed = world.with(env);
    await ingest(recorder, changed, `garden, ${name}`, flags);
    await recorder.cli(changed, 'search', ['search', 'tea', 'steeped', '-k', '3'], { name: `garden, ${name}` });
    await recorder.cli(changed, 'schema', ['schema'], { name: `garden, ${name}` });
  }
}

/** Text recognition of a line and a scanned page. */
export async function recordRecognition(recorder, world) {
  const reading = world.with({ KEBAB_OCR_ENGINE: 'tesseract' });
  await ingest(recorder, reading, 'garden, text recognition');
  await recorder.cli(reading, 'list docs', ['list', 'docs', '--media', 'image'], { name: 'garden, text recognition' });
  await recorder.cli(reading, 'fetch', ['fetch', 'uri', 'line.jpg'], {
    name: 'garden, a recognised line',
    human: true,
  });
}

/** Embedding and captions with an Ollama server, vectors on a Qdrant server, reranking. */
export async function recordProviders(recorder, world, { model, shared }) {
  const ollama = world.with({
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'ollama',
    KEBAB_MODELS_EMBEDDING_MODEL: 'embed',
    KEBAB_MODELS_EMBEDDING_ENDPOINT: model.url,
    KEBAB_CAPTION_PROVIDER: 'ollama',
    KEBAB_CAPTION_MODEL: 'tiny',
    KEBAB_CAPTION_ENDPOINT: model.url,
  });
  model.script = { answer: () => 'A line of Korean print.' };
  await ingest(recorder, ollama, 'garden, Ollama embeds and describes');
  await recorder.cli(ollama, 'search', ['search', 'green', 'tea', '--mode', 'vector', '-k', '3'], {
    name: 'garden, Ollama',
  });
  await recorder.cli(ollama, 'fetch', ['fetch', 'uri', 'line.jpg#caption'], { name: 'garden, a caption' });
  await recorder.cli(ollama, 'doctor', ['doctor'], { name: 'garden, Ollama' });
  await ingest(recorder, world, 'garden, back to the local model');

  const { start } = await import(pathToFileURL(path.join(shared, 'notes', 'tools', 'fake-qdrant.mjs')).href);
  const qdrant = await start();
  try {
    const remote = world.with({ KEBAB_STORAGE_QDRANT_URL: qdrant.url });
    await recorder.cli(remote, 'vectors copy', ['vectors', 'copy', '--from', 'local', '--to', 'qdrant'], {
      human: false,
    });
    const searching = remote.with({ KEBAB_STORAGE_VECTOR_STORE: 'qdrant' });
    await recorder.cli(searching, 'search', ['search', 'green', 'tea', '-k', '3', '--explain'], {
      name: 'garden, Qdrant',
    });
    await ingest(recorder, searching, 'garden, Qdrant');
    await recorder.cli(searching, 'doctor', ['doctor'], { name: 'garden, Qdrant' });
  } finally {
    await qdrant.close();
  }
  const away = world.with({ KEBAB_STORAGE_QDRANT_URL: 'http://127.0.0.1:9', KEBAB_STORAGE_VECTOR_STORE: 'qdrant' });
  await recorder.cli(away, 'search', ['search', 'green', 'tea', '-k', '3'], {
    name: 'garden, Qdrant is away',
    human: true,
  });
  await recorder.cli(away, 'search', ['search', 'tea', '--mode', 'vector'], {
    name: 'garden, Qdrant is away, vectors alone',
  });
  const judged = world.with({
    KEBAB_MODELS_RERANK_PROVIDER: 'transformers',
    KEBAB_MODELS_RERANK_MODEL: path.join(shared, 'models', 'tiny-random-bert'),
  });
  await recorder.cli(judged, 'search', ['search', 'green', 'tea', '-k', '3'], {
    name: 'garden, judged again',
    human: true,
  });
}

const EXTRACTOR = `
import { definePlugin } from '@kebab/core';
const toy = {
  id: 'toy', version: '1', match: { extensions: ['toy'] }, isolation: 'inline',
  fingerprint: () => 'toy@1', supports: (media) => media.kind === 'other' && media.ext === 'toy',
  parserVersion: () => 'toy-v1', chunkerId: () => 'text-paragraph-v1',
  async extract({ bytes }) {
    const text = new TextDecoder().decode(bytes);
    if (text.includes('explode')) throw new Error('the toy exploded');
    const end = text.trimEnd().length;
    const blocks = end === 0 ? [] : [{ kind: 'paragraph', start: 0, end, headingPath: [], text: text.slice(0, end), inlines: [],
      sourceSpan: { kind: 'line', start: 1, end: text.slice(0, end).split('\\n').length } }];
    return { text, blocks, title: 'Toy' };
  },
};
export default definePlugin({
  name: 'toy', version: '1.0.0', apiVersion: 1, kebab: '*', permissions: { fs: 'none', net: [], spawn: [] },
  contributes: { extractor: { toy: () => toy }, hook: { quiet: () => ({
    async onPromptSubmit({ userItem }) {
      return userItem.text.includes('forbidden') ? { action: 'cancel', reason: 'forbidden word' } : { action: 'continue' };
    },
  }) } },
});
`;

/** A plugin in a file, for one run and by configuration; one that fails to load; and new plugins from their templates. */
export async function recordPlugins(recorder, world, { core }) {
  mkdirSync(world.at('work', 'node_modules', '@kebab'), { recursive: true });
  symlinkSync(core, world.at('work', 'node_modules', '@kebab', 'core'));
  const toy = world.write('work/toy.mjs', EXTRACTOR);
  const broken = world.write('work/broken.mjs', 'export default { name: "broken" };\n');
  world.write('notes/story.toy', 'Once there was a toy.\n\nIt had wheels.\n');
  world.write('notes/bomb.toy', 'This will explode.\n');
  const kept = (args, name) => recorder.cli(world, 'third-party plugin', args, { name });
  await kept(['ingest', '--summary-only'], 'ingest without it');
  await kept(['ingest', '--plugin', toy], 'ingest with it');
  await kept(['search', 'toy', 'wheels', '-k', '2', '--plugin', toy], 'search with it');
  await kept(['ask', 'Is the toy forbidden?', '--plugin', toy], 'its hook stops a question');
  await kept(['plugin', 'list', '--plugin', toy, '--plugin', broken], 'list');
  await kept(['plugin', 'doctor', '--plugin', toy, '--plugin', broken], 'doctor');
  await kept(['plugin', 'explain', 'story.toy', '--plugin', toy], 'explain');
  await kept(['search', 'tea', '-k', '1', '--plugin', broken], 'search with a broken one');
  await kept(['plugin', 'test', broken], 'test of a broken one');
  const none = world.with({ KEBAB_PLUGINS: 'none' });
  await recorder.cli(none, 'third-party plugin', ['plugin', 'list', '--plugin', toy], { name: 'switched off' });
  for (const name of ['story.toy', 'bomb.toy']) unlinkSync(world.at('notes', name));
  await kept(['ingest', '--summary-only'], 'ingest when its files are gone');
  for (const kind of ['extractor', 'hook', 'llm']) {
    const [report] = await recorder.cli(world, 'plugin new', ['plugin', 'new', `sample-${kind}`, '--kind', kind]);
    recorder.keep('plugin new', `files of ${kind}`, (report?.created ?? []).length);
  }
}

/** A folder searched once. */
export async function recordTry(recorder, world) {
  const folder = world.at('notes');
  const calls = [
    { name: 'garden', args: ['green tea', '-k', '2'] },
    { name: 'garden, words alone', args: ['roses', '--mode', 'lexical', '--explain'] },
    { name: 'garden, nothing found', args: ['zyzzyva'] },
  ];
  await Promise.all(
    calls.map(({ name, args }) =>
      recorder.cli(world, 'try', ['try', folder, ...args], { name, human: name === 'garden' }),
    ),
  );
}

/** Every scope of a reset, each twice, and the remaining files of kebab. */
export async function recordResets(recorder, world) {
  const reset = async (scope) => {
    for (const time of ['', ', again'])
      await recorder.cli(world, 'reset', ['reset', `--${scope}`, '--yes'], { name: `garden, ${scope}${time}` });
    recorder.keep('reset', `garden, left after ${scope}`, filesOf(world.at('home')));
  };
  await reset('vector-only');
  await recorder.cli(world, 'search', ['search', 'tea', '-k', '1'], { name: 'garden, without vectors', human: true });
  await ingest(recorder, world, 'garden, after its vectors were removed');
  await reset('data-only');
  await recorder.cli(world, 'init', ['init'], { name: 'garden, after a reset' });
  await reset('config-only');
  await ingest(recorder, world, 'garden, after everything was removed');
  await recorder.human(world, 'reset', ['reset', '--all', '--yes'], { name: 'garden, all' });
  await reset('all');
}

/** Folders and files below a folder, without those that may be rebuilt at any time. */
function filesOf(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => !/cache|logs|-wal$|-shm$|kebab\.lock/.test(name)).toSorted();
}
