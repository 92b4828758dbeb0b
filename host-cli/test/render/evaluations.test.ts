import type { WireName } from '@kebab/core/app';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { parseWire } from '../../../core/src/wire/validate-wire.ts';
import { renderEvalCompare } from '../../src/render/eval-compare.ts';
import { renderEvalAggregate, renderEvalRun } from '../../src/render/eval-metrics.ts';
import { evalAggregate, evalCompare, evalRun } from '../examples/evaluations.ts';
import { plain } from '../fakes/screens.ts';

describe('the screens of evaluations', () => {
  it.each([
    ['eval-run', 'eval_run', evalRun, renderEvalRun(evalRun, plain)],
    ['eval-aggregate', 'eval_aggregate', evalAggregate, renderEvalAggregate(evalAggregate)],
    ['eval-compare', 'eval_compare', evalCompare, renderEvalCompare(evalCompare, plain)],
  ] as const satisfies readonly (readonly [string, WireName, object, string])[])(
    '%s',
    async (golden, wire, value, text) => {
      expect(() => parseWire(wire, value)).not.toThrow();
      await expect(text).toMatchFileSnapshot(`golden/${golden}.txt`);
    },
  );

  it('says only that nothing changed when nothing did', () => {
    const draws = evalCompare.queries.slice(0, 1);
    expect(renderEvalCompare({ ...evalCompare, queries: draws }, plain)).toMatch(
      /\n\n0 regression, 0 loss, 0 win, 1 draw\n$/,
    );
  });

  it('paints what is worse in another colour than what is better', () => {
    const text = renderEvalCompare(evalCompare, { ...plain, colors: picocolors.createColors(true) });
    const colourOf = (id: string): string | undefined => {
      const line = text.split('\n').find((each) => each.includes(id)) ?? '';
      return line.split('[')[1]?.split('m')[0];
    };
    expect(['better', 'worse', 'gone'].map(colourOf)).toEqual(['32', '31', '31']);
  });
});
