import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judged } from './judged.ts';

const NOTE = `# The pottery kiln

The kiln was rebuilt in 2018 by Petra Lindqvist. It holds 140 litres.
A bisque firing takes eleven hours. A glaze firing reaches 1,240 °C.
The shelves are washed with alumina after every third firing. Spare shelves are not included in the fee.
Close the vent before you light the burner.`;

/** False answers over that note which are called grounded: what comparing words cannot see. */
const LIMITS = [
  'The shelves are washed with alumina after every firing',
  'Die Regale sind aus 140 Litern Holz',
  'It holds 140 litres [1]. The notes do not say when the kiln was rebuilt',
];

const page = readFileSync(new URL('../../../docs/ask.md', import.meta.url), 'utf8');

describe('a limit of the checks', () => {
  it.each(LIMITS)('is what docs/ask.md says: %s', (answer) => {
    const { reason } = judged(`${answer} [1].`, [NOTE], 'What do the notes say about the kiln?');
    expect(reason).toBeNull();
    expect(page).toContain(`\`${answer}\``);
  });
});

describe('a right answer in words that no passage has', () => {
  it.each(['The kiln has room for 140 litres of clay', 'The ledges are washed with alumina after every third firing'])(
    'fails, as docs/ask.md says: %s',
    (answer) => {
      expect(judged(`${answer} [1].`, [NOTE], 'What do the notes say about the kiln?').reason).toBe('not_in_passage');
    },
  );
});

describe('what the checks promise', () => {
  it.each([
    'The shelves are washed with alumina before every third firing',
    'Light the burner before you close the vent',
    'Before you close the vent, light the burner',
    'The shelves are not washed after every third firing',
    'It holds 140 gallons',
    'It holds at least 140 litres',
    'The kiln was rebuilt in 2019 by Petra Lindqvist',
    'Spare shelves are included in the fee',
    'Spare shelves are free of charge',
    'A glaze firing takes eleven hours',
    'The shelves are coated with alumina after every third firing',
    'The kiln was demolished by Petra Lindqvist in 2018',
    'A glaze firing holds 140 litres',
    'The roof leaks and the neighbours complained about smoke',
  ])('fails what the note does not say: %s', (answer) => {
    expect(judged(`${answer} [1].`, [NOTE], 'What do the notes say about the kiln?').reason).toBe('not_in_passage');
  });

  it.each([
    'The kiln, rebuilt in 2018, has a volume of 140 L',
    'Petra Lindqvist rebuilt the kiln in 2018',
    'After every third firing, wash the shelves with alumina',
    'A bisque firing takes 660 minutes',
    'The fee does not include spare shelves',
  ])('passes what it says in other words: %s', (answer) => {
    expect(judged(`${answer} [1].`, [NOTE], 'What do the notes say about the kiln?').reason).toBeNull();
  });
});
