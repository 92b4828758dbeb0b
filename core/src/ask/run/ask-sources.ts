import type { Ports } from '../../ports.ts';
import type { RandomBytes } from '../prompt/fence.ts';
import type { Retrieve } from '../retrieval/retrieve-evidence.ts';

/** The ports of asking. */
export interface AskPorts extends Pick<
  Ports,
  | 'documents'
  | 'lexicalIndex'
  | 'sessions'
  | 'embedders'
  | 'languageModels'
  | 'groundednessCheckers'
  | 'interceptors'
  | 'hooks'
  | 'config'
  | 'clock'
  | 'log'
> {
  /** Searching, as the way to evidence. */
  readonly retrieve: Retrieve;
  /** File references are looked up from here first, if it lies in a source. */
  readonly cwd: string;
  readonly randomBytes: RandomBytes;
}
