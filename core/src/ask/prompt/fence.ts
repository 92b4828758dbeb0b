/** What passages stand between; both lines carry a nonce that no passage can know. */
export interface Fence {
  readonly open: string;
  readonly close: string;
}

/** Makes random bytes; a test brings its own. */
export type RandomBytes = (count: number) => Uint8Array;

const NONCE_BYTES = 12;

/** Draws the fence of one request: 96 random bits, drawn again while they occur in one of the texts. */
export function drawFence(texts: readonly string[], randomBytes: RandomBytes): Fence {
  for (;;) {
    const nonce = Buffer.from(randomBytes(NONCE_BYTES)).toString('hex');
    if (!texts.some((text) => text.includes(nonce)))
      return { open: `<<<passage ${nonce}>>>`, close: `<<<end ${nonce}>>>` };
  }
}

/** A text between the two lines of a fence. */
export function fenced(text: string, { open, close }: Fence): string {
  return `${open}\n${text}\n${close}`;
}
