import type { ModelCaption } from '../domain/block.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** Says in one short text, in the asked language, what an image shows. */
export interface Captioner extends Contribution {
  caption(image: { readonly png: Uint8Array; readonly lang: string }, context: CallContext): Promise<ModelCaption>;
}
