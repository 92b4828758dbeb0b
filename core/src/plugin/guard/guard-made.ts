import type { Extractor } from '../../contracts/extractor.ts';
import type { ComponentName } from '../components.ts';
import { isolateExtractor } from '../isolate-extractor.ts';
import { guardContribution, type OnStrangerFailure } from './guard-contribution.ts';
import { missingMember } from './required-members.ts';
import { strangerFailure } from './stranger-failure.ts';

/** Who is told of failures. */
export interface GuardListeners {
  /** Told when a component turns out to be broken as a whole. */
  readonly onFailure: OnStrangerFailure;
  /** Told of each call that fails; it throws as well. */
  readonly onStrangerFailure: OnStrangerFailure;
}

/**
 * What a plugin that did not come with kebab made, watched, and if it is an extractor, for threads only. Throws when it lacks
 * what kebab relies on.
 */
export function guardMade(made: object, name: ComponentName, { onFailure, onStrangerFailure }: GuardListeners): object {
  const missing = missingMember(name.kind, name.id, made);
  if (missing !== null) throw new Error(missing);
  if (name.kind !== 'extractor') return guardContribution(made, name, onStrangerFailure);
  const isolated = isolateExtractor(made as Extractor, (error) =>
    onFailure(name, strangerFailure(error, name, 'supports')),
  );
  return guardContribution(isolated, name, onStrangerFailure);
}
