import { describe, expect, it } from 'vitest';
import { tablesIn } from '../src/head-row.ts';

const headsOf = (sheet: string) =>
  tablesIn(sheet.split(' / ').map((row, at) => ({ number: at + 1, cells: row.split(',') }))).map(({ head }) => head);

describe('the row with the names of columns', () => {
  it.each([
    ['below a title', 'Plan of quays,, / Quay,Depth,Note / North,7,old', 2],
    ['below a title and an empty row', 'Plan, / , / Quay,Depth / North,7 / South,9', 3],
    ['below a block of notes', 'Account:,DE00, / Period:,2024, / ,, / Day,Payee,Sum / 3.1.,Baker,4 / 4.1.,Mill,5', 4],
    ['below notes above two columns', '# from station 7 / # in metres / quay,depth / North,1.2', 3],
    ['with years as names', 'Catch in tons,, / Fish,2023,2024 / Cod,5,6', 2],
  ])('is found %s', (_, table, row) => {
    expect(headsOf(table)).toEqual([row]);
  });

  it('is none without cells', () => {
    expect(headsOf(',')).toEqual([null]);
  });

  it.each([
    ['dates', '2023-01-04,Busan,15.2 / 2023-01-05,Oslo,11.4'],
    ['one column of numbers', 'Ines,34,Porto / Levi,41,Kiel / Sana,29,Lagos'],
    ['numbers alone', '1,5,9 / 2,6,10'],
  ])('is none if the first row has data like those below: %s', (_, table) => {
    expect(headsOf(table)).toEqual([null]);
  });

  it.each([
    ['all columns have names', 'Quay,Depth / North,7', 1],
    ['empty rows come first', ', / Quay,Depth / North,7', 2],
    ['the first column has no name', ',value / north,deep / south,shoal', 1],
    ['one row has a cell more', 'name,city / Ann,Rome / Bob,Paris,absent', 1],
    ['names are missing', 'id / 1,2,3 / 4,5,6', 1],
    ['two columns have words alone', 'word / north,deep / south,shoal', 1],
    ['there is one column', 'word / one / two', 1],
    ['numbers count the columns', 'quay,1,2,3 / North,7,8,9 / South,5,6,7', 1],
    ['only some rows below have numbers', 'quay,12 / North,7 / South,deep', 1],
    ['an empty row divides rows of one table', 'day,level,note / Mo,3,calm / ,, / Tu,4,wind / We,5,storm', 1],
    ['a word stands for a number behind an empty row', 'city,rain / Graz,44 / , / Wien,none / Steyr,38', 1],
    ['the column without a name goes on behind an empty row', ',depth / North,deep / , / South,shoal / East,mud', 1],
    ['a note stands behind an empty row', 'quay,depth / North,7 / , / Source: the pilots', 1],
  ])('is the first with cells if %s', (_, table, row) => {
    expect(headsOf(table)).toEqual([row]);
  });
});

describe('a further table of a sheet', () => {
  it.each([
    ['with numbers in other columns', 'quay,depth / North,7 / , / pilot,licence / Ada,first / Ben,second', [1, 4]],
    ['with more columns', 'plant,height / Fern,40 / Iris,60 / , / tool,price,shop / Rake,12,Baum', [1, 5]],
    ['with one of the names', 'item,euro / Rope,120 / , / item,dollar / Rope,130', [1, 4]],
    ['below a title', 'item,euro / Rope,120 / , / Year 2024, / thing,dollar / Rope,130 / Tar,75', [1, 5]],
    ['behind two empty rows', 'item,euro / Rope,120 / , / , / thing,dollar / Tar,75', [1, 5]],
    ['below two others', 'a,b / x,1 / , / c,d / y,z / , / e,f / w,2', [1, 4, 7]],
  ])('has names of its own: %s', (_, sheet, heads) => {
    expect(headsOf(sheet)).toEqual(heads);
  });
});
