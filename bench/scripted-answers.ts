// Judges the scripted answers, and prints by kind how many end as they must, with those that do not.
//   node --import ./scripts/run-ts.mjs bench/scripted-answers.ts [--set shared|real|own|kinds|held|counted|paraphrases]
import { parseArgs } from 'node:util';
import {
  answersOf,
  COUNTED,
  HELD,
  judgedReply,
  KINDS,
  outcomeOf,
  OWN,
  PARAPHRASES,
  ratesOf,
  REAL,
  SHARED,
} from '../core/test/ask/verify/scripted-answers.ts';

const SETS = {
  shared: SHARED,
  real: REAL,
  own: OWN,
  kinds: KINDS,
  held: HELD,
  counted: COUNTED,
  paraphrases: PARAPHRASES,
};

const { values } = parseArgs({ options: { set: { type: 'string' } } });
for (const [name, set] of Object.entries(SETS)) {
  if ((values.set ?? name) !== name || answersOf(set).length === 0) continue;
  console.log(`${name}: ${answersOf(set).length} answers`);
  for (const { kind, right, of, missed } of await ratesOf(set)) {
    console.log(`  ${kind.padEnd(10)} ${right} of ${of} (${((100 * right) / of).toFixed(1)} %)`);
    for (const each of missed) {
      const result = await judgedReply(set, each);
      const findings = result.kind === 'answer' ? (result.checks?.findings ?? []).map(({ message }) => message) : [];
      console.log(
        `    ${each.id} ${outcomeOf(result)}: ${JSON.stringify(each.reply).slice(0, 200)} ${findings.join(' | ')}`,
      );
    }
  }
}
