import type { Extractor } from '../contracts/extractor.ts';
import type { MediaType } from '../domain/media.ts';

/** Told why an extractor cannot say whether it takes a file. */
export type OnUnsure = (error: unknown) => void;

/**
 * The same extractor, run in a thread with limits whatever it says itself: only what comes with kebab may run on the calling
 * thread. What it is asked for here (what it takes, how it is labelled) stays its own; where it has no answer to that it does
 * not take the file, and `onUnsure` is told.
 */
export function isolateExtractor(extractor: Extractor, onUnsure: OnUnsure): Extractor {
  const { id, version, match } = extractor;
  return {
    ...{ id, version, match, isolation: 'worker' },
    fingerprint: () => extractor.fingerprint(),
    supports: (media) => {
      try {
        return extractor.supports(media) && isLabelled(extractor, media);
      } catch (error) {
        onUnsure(error);
        return false;
      }
    },
    parserVersion: (media) => extractor.parserVersion(media),
    chunkerId: (media) => extractor.chunkerId(media),
    extract: (input, context) => extractor.extract(input, context),
    ...renderingOf(extractor),
    ...healthOf(extractor),
  };
}

/** Throws unless the labels of a medium are there. */
function isLabelled(extractor: Extractor, media: MediaType): true {
  for (const label of ['parserVersion', 'chunkerId'] as const)
    if (typeof extractor[label](media) !== 'string') throw new TypeError(`its ${label} of ${media.kind} is no text`);
  return true;
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
