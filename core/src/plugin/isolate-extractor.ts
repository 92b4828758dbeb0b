import type { Extractor } from '../contracts/extractor.ts';

/**
 * The same extractor, run in a thread with limits whatever it says itself: only what comes with kebab may run on the calling
 * thread. What it is asked for here (what it takes, how it is labelled) stays its own.
 */
export function isolateExtractor(extractor: Extractor): Extractor {
  const { id, version, match } = extractor;
  return {
    ...{ id, version, match, isolation: 'worker' },
    fingerprint: () => extractor.fingerprint(),
    supports: (media) => extractor.supports(media),
    parserVersion: (media) => extractor.parserVersion(media),
    chunkerId: (media) => extractor.chunkerId(media),
    extract: (input, context) => extractor.extract(input, context),
    ...renderingOf(extractor),
    ...healthOf(extractor),
  };
}

function renderingOf(extractor: Extractor): Pick<Extractor, 'render'> {
  if (extractor.render === undefined) return {};
  const render = extractor.render.bind(extractor);
  return { render: (input, request, context) => render(input, request, context) };
}

function healthOf(extractor: Extractor): Pick<Extractor, 'health'> {
  if (extractor.health === undefined) return {};
  const health = extractor.health.bind(extractor);
  return { health: (options) => health(options) };
}
