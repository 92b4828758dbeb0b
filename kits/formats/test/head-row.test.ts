import { describe, expect, it } from 'vitest';
import { headRow } from '../src/head-row.ts';

const rowsOf = (table: string) => table.split(' / ').map((row) => row.split(','));

describe('the row with the names of columns', () => {
  it.each([
    ['below a title', 'Plan of quays,, / Quay,Depth,Note / North,7,old', 1],
    ['below a title and an empty row', 'Plan, / , / Quay,Depth / North,7 / South,9', 2],
    ['below a block of notes', 'Account:,DE00, / Period:,2024, / ,, / Day,Payee,Sum / 3.1.,Baker,4 / 4.1.,Mill,5', 3],
    ['below notes above two columns', '# from station 7 / # in metres / quay,depth / North,1.2', 2],
    ['with years as names', 'Catch in tons,, / Fish,2023,2024 / Cod,5,6', 1],
  ])('is found %s', (_, table, row) => {
    expect(headRow(rowsOf(table))).toBe(row);
  });

  it('is none without cells', () => {
    expect(headRow([[''], []])).toBe(-1);
  });

  it.each([
    ['all columns have names', 'Quay,Depth / North,7', 0],
    ['empty rows come first', ', / Quay,Depth / North,7', 1],
    ['the first column has no name', ',value / north,deep / south,shoal', 0],
    ['one row has a cell more', 'name,city / Ann,Rome / Bob,Paris,absent', 0],
    ['names are missing', 'id / 1,2,3 / 4,5,6', 0],
    ['two columns have words alone', 'word / north,deep / south,shoal', 0],
    ['there is one column', 'word / one / two', 0],
  ])('is the first with cells if %s', (_, table, row) => {
    expect(headRow(rowsOf(table))).toBe(row);
  });
});
