import { describe, expect, it } from 'vitest';
import { askedValue, namesValue } from '../src/asked-value.ts';

describe('askedValue', () => {
  it.each([
    ['How many pumps are there?', 'number'],
    ['How often is the filter changed?', 'number'],
    ['When is my dentist appointment?', 'date'],
    ['Since when is it closed?', 'date'],
    ['What helps against snails?', null],
    ['What is the pit for?', null],
    ['Wie viele Pumpen gibt es?', 'number'],
    ['Wann ist der Termin?', 'date'],
    ['Wie heißt das WLAN?', null],
    ['Combien de pompes ?', 'number'],
    ['Quand part le bus ?', 'date'],
    ['¿Cuántas bombas hay?', 'number'],
    ['¿Cuándo sale el autobús?', 'date'],
    ['펌프는 몇 대야?', 'number'],
    ['보증은 언제까지야?', 'date'],
    ['ポンプはいくつありますか', 'number'],
    ['いつ点検しますか', 'date'],
    ['有多少泵？', 'number'],
    ['什么时候检测？', 'date'],
  ])('of %j is %j', (question, kind) => {
    expect(askedValue(question)).toBe(kind);
  });
});

describe('namesValue', () => {
  it.each([
    ['How wide is the mesh?', 'number', 'The mesh is 2 millimetres wide.', true],
    ['How wide is the mesh?', 'number', 'The mesh is washed with clear water.', false],
    ['How often is it changed?', 'number', 'It is changed weekly.', true],
    ['What do 2 millimetres cost, and how much?', 'number', 'The mesh has 2 millimetres.', false],
    ['When is it tested?', 'date', 'It is tested every Tuesday.', true],
    ['When is it tested?', 'date', 'It is made of steel.', false],
    ['When does it come inside?', 'date', 'It comes inside before the first frost.', true],
  ] as const)('of %j as a %s: %j is %j', (question, kind, text, names) => {
    expect(namesValue(text, kind, question)).toBe(names);
  });
});
