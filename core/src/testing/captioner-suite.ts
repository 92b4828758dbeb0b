import { fingerprintOf } from '../domain/policy-hash.ts';
import assert from 'node:assert/strict';
import type { Captioner } from '../contracts/captioner.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { silentCallContext } from './call-context.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';

/** What {@link captionerSuite} needs. */
export interface CaptionerSuiteOptions {
  /** Makes a captioner that can be used at once. */
  readonly open: () => Promise<{ readonly captioner: Captioner; readonly close?: () => void | Promise<void> }>;
  /** A picture in which there is something to see. */
  readonly png: Uint8Array;
}

const MAX_CAPTION_CHARS = 1000;

/** The promises of a captioner: one short text, in the asked language, that names the model; an abort that is noticed. */
export function captionerSuite({ open, png }: CaptionerSuiteOptions): ContractSuite {
  const promise = (name: string, check: (captioner: Captioner) => Promise<void>): ContractCase => ({
    name,
    run: async () => {
      const { captioner, close } = await open();
      try {
        await check(captioner);
      } finally {
        await close?.();
      }
    },
  });
  return {
    contract: 'Captioner',
    cases: [
      promise('has an id, a version and one fingerprint', async (captioner) => {
        for (const text of [captioner.id, captioner.version, fingerprintOf(captioner)]) assert.match(text, /\S/);
        assert.equal(fingerprintOf(captioner), fingerprintOf(captioner));
      }),
      promise('says one short text and names the model', async (captioner) => {
        const caption = await captioner.caption({ png, lang: 'en' }, silentCallContext());
        assert.match(caption.text, /[a-z]{2}/i, 'there are words');
        assert.equal(caption.text, caption.text.trim());
        assert.doesNotMatch(caption.text, /\n/, 'it is one line');
        assert.ok(caption.text.length <= MAX_CAPTION_CHARS, `${caption.text.length} characters are short`);
        for (const text of [caption.model, caption.modelVersion]) assert.match(text, /\S/);
      }),
      promise('speaks the asked language', async (captioner) => {
        const { text } = await captioner.caption({ png, lang: 'ko' }, silentCallContext());
        assert.match(text, /\p{Script=Hangul}{2}/u);
      }),
      promise('leaves the bytes of the picture as they are', async (captioner) => {
        const given = png.slice();
        await captioner.caption({ png: given, lang: 'en' }, silentCallContext());
        assert.equal(Buffer.compare(given, png), 0);
      }),
      promise('stops when the signal has fired', async (captioner) => {
        await assert.rejects(
          () => captioner.caption({ png, lang: 'en' }, silentCallContext(AbortSignal.abort())),
          (error) => isAbort(error) || isKebabError(error, 'cancelled'),
        );
      }),
    ],
  };
}
