import type { PromptSubmit } from '../contracts/interceptor.ts';

/** A question with text and a file reference, frozen all the way down, as interceptors and hooks are given it. */
export function sampleSubmit(text = 'What does @notes/a.md say?'): PromptSubmit {
  const at = text.indexOf('@');
  const segments: PromptSubmit['segments'] =
    at === -1
      ? [{ kind: 'text', text }]
      : [
          { kind: 'text', text: text.slice(0, at) },
          { kind: 'file_ref', path: 'notes/a.md', raw: '@notes/a.md' },
          { kind: 'text', text: ' say?' },
        ];
  return Object.freeze({
    segments: Object.freeze(segments.map((segment) => Object.freeze(segment))),
    userItem: Object.freeze({ role: 'user', text }),
    sessionId: null,
  });
}
