import type { Answer, App } from '@kebab/core/app';
import { citedTexts } from './answers.ts';
import { assetText } from './http/serve-http.ts';
import { answerSection } from './pages/answer.ts';
import { textsFor } from './texts.ts';

/** Shows checked answers in other hosts: a document without anything outside it, and the markup that its script puts into it. */
export interface AnswerView {
  readonly document: string;
  markup(app: App, answer: Answer, question: string): Promise<string>;
}

/** The citation check of the page of a question, for hosts of MCP Apps. */
export function answerView(): AnswerView {
  return {
    document: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>kebab</title>
<style>${assetText('style.css')}</style></head>
<body><main class="said"></main><script>${assetText('view.js')}</script></body>
</html>
`,
    markup: async (app, answer, question) => {
      const texts = textsFor(/\p{Script=Hangul}/u.test(question) ? 'ko' : 'en');
      const cited = await citedTexts(app, answer.citations, new AbortController().signal);
      return String(answerSection(answer, { texts, cited, checks: new Map(), question, hrefOf: () => null }));
    },
  };
}
