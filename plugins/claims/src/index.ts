import { definePlugin } from '@kebab/core';

/** Checks whether the cited passages say what an answer claims, by comparing words, values and quotations, without a model. */
export default definePlugin({
  contributes: {
    groundedness: {
      claims: async () => {
        const { ClaimsChecker } = await import('./claims-checker.ts');
        return new ClaimsChecker();
      },
    },
  },
});
