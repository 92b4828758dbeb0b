import { describe, expect, it } from 'vitest';
import { findDisagreement, withoutAnswerWord } from '../src/polarity.ts';

function agrees(statement: string, sentence: string): boolean {
  return findDisagreement(withoutAnswerWord(statement), sentence, sentence) === null;
}

describe('two sentences of the same polarity', () => {
  it.each([
    ['The station was flooded.', 'The station was flooded in 2019.'],
    ['The landlord takes no cards.', 'Bring cash: the landlord takes no cards.'],
    ['The landlord does not take cards.', 'The landlord takes no cards.'],
    ['It may run for at most 40 minutes.', 'It must not run for more than 40 minutes.'],
    ['It must not exceed 40 minutes.', 'It runs up to 40 minutes.'],
    ['No, it has never been flooded.', 'It has never been flooded.'],
    ['Der Schacht ist nicht offen.', 'Der Schacht ist nie offen.'],
    ['냉각 없이 가동하면 안 됩니다.', '냉각 없이 40분 이상 가동하면 안 됩니다.'],
    ['点検しません。', '点検しない。'],
  ])('agree: %s / %s', (statement, sentence) => {
    expect(agrees(statement, sentence)).toBe(true);
  });
});

describe('two sentences of another polarity', () => {
  it.each([
    ['The station has been flooded.', 'The station has never been flooded.'],
    ['The landlord takes cards.', 'The landlord takes no cards.'],
    ['The pressure is higher.', 'The pressure is lower.'],
    ['It must run for at least 40 minutes.', 'It must not run for more than 40 minutes.'],
    ['It runs without cooling.', 'It runs with cooling.'],
    ['Der Schacht darf betreten werden.', 'Der Schacht darf nicht betreten werden.'],
    ['La pompe est testée.', 'La pompe n’est jamais testée.'],
    ['La bomba se prueba.', 'La bomba no se prueba.'],
    ['가동하면 됩니다.', '가동하면 안 됩니다.'],
    ['点検します。', '点検しません。'],
    ['现金不收。', '现金收。'],
  ])('do not agree: %s / %s', (statement, sentence) => {
    expect(agrees(statement, sentence)).toBe(false);
  });
});

describe('two sentences of another modality or direction', () => {
  it.each([
    ['Pupils must pay in cash.', 'Pupils may pay in cash.'],
    ['Helmets may be worn.', 'Helmets must be worn.'],
    ['Die Mitglieder müssen bar zahlen.', 'Die Mitglieder können bar zahlen.'],
  ])('do not agree: %s / %s', (statement, sentence) => {
    expect(agrees(statement, sentence)).toBe(false);
  });
});

describe('withoutAnswerWord', () => {
  it.each([
    ['Yes, it is.', 'it is.'],
    ['No: never.', 'never.'],
    ['Nein, nie.', 'nie.'],
    ['네, 맞습니다.', '맞습니다.'],
    ['はい、そうです。', 'そうです。'],
    ['No cards are taken.', 'No cards are taken.'],
  ])('of %j is %j', (text, rest) => {
    expect(withoutAnswerWord(text)).toBe(rest);
  });
});
