import type { ModelCaption } from '../domain/block.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** Describes an image in one short text, in the requested language. */
export interface Captioner extends Contribution {
  caption(image: { readonly png: Uint8Array; readonly lang: string }, context: CallContext): Promise<ModelCaption>;
}
