import { serveExtraction } from '../../src/extraction/extraction-worker.ts';
import { definePlugin } from '../../src/plugin/define-plugin.ts';
import { pictureExtractor } from '../ingest/pictures/picture-extractor.ts';
import { lineChunker } from '../ingest/plain-extractor.ts';
import { pictureManifest } from './picture-manifest.ts';

/** Misbehaves for certain picture names. */
function obey(picture: string): void {
  if (picture === 'page=66') process.exit(3);
  if (picture === 'page=77') throw new Error('there is no such picture');
}

const plugin = definePlugin({
  ...pictureManifest,
  kebab: '*',
  contributes: {
    extractor: { pictures: () => pictureExtractor({ before: obey }) },
    chunker: { 'lines-v1': () => lineChunker('lines-v1') },
  },
});

serveExtraction([{ manifest: pictureManifest, load: async () => ({ default: plugin }) }]);
