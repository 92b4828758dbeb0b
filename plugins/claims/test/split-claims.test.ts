import { answerToJudge } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { findQuotations } from '../src/find-quotations.ts';
import { blanked } from '../src/sorted-ranges.ts';
import { splitClaims } from '../src/split-claims.ts';

type Claim = readonly [text: string, cited: readonly number[]];

function split(raw: string) {
  const { text, citations } = answerToJudge(raw, ['a', 'b', 'c']);
  return splitClaims(text, citations, findQuotations(blanked(text, citations)));
}

describe('splitClaims', () => {
  it.each<[string, readonly Claim[]]>([
    [
      'One [#1]. Two [#2][#3].',
      [
        ['One.', [1]],
        ['Two.', [2, 3]],
      ],
    ],
    [
      'One. [#1] Two. [#2]',
      [
        ['One.', [1]],
        ['Two.', [2]],
      ],
    ],
    ['One [#1] and two [#2].', [['One and two.', [1, 2]]]],
    [
      'He said "Stop." [#1] Then he left.',
      [
        ['He said "Stop."', [1]],
        ['Then he left.', []],
      ],
    ],
    ['In the U.S. Army, e.g. by Dr. Smith [#1].', [['In the U.S. Army, e.g. by Dr. Smith.', [1]]]],
    ['Am 3. Mai und vom 5. bis 6. Juni 2025 [#1].', [['Am 3. Mai und vom 5. bis 6. Juni 2025.', [1]]]],
    ['Im 19. Jahrhundert, zum 2. Mal [#1].', [['Im 19. Jahrhundert, zum 2. Mal.', [1]]]],
    ['Nach Abs. 2, max. 5 Mio. Euro, Nr. 7 [#1].', [['Nach Abs. 2, max. 5 Mio. Euro, Nr. 7.', [1]]]],
    ['See no. 5, Eq. 3 and art. 12 [#1].', [['See no. 5, Eq. 3 and art. 12.', [1]]]],
    [
      'There are 12. Three work, and one does no. It is 9. May I go? [#1]',
      [
        ['There are 12.', []],
        ['Three work, and one does no.', []],
        ['It is 9.', []],
        ['May I go?', [1]],
      ],
    ],
    ['Version 1.2 is out [#1].', [['Version 1.2 is out.', [1]]]],
    [
      '- one [#1]\n- two [#2]\n\n3. three',
      [
        ['one', [1]],
        ['two', [2]],
        ['three', []],
      ],
    ],
    [
      '이것은 답이다 [#1]. 저것도 답이다 [#2].',
      [
        ['이것은 답이다.', [1]],
        ['저것도 답이다.', [2]],
      ],
    ],
    [
      'これは答えです[#1]。あれもです。[#2]',
      [
        ['これは答えです。', [1]],
        ['あれもです。', [2]],
      ],
    ],
    [
      'Really?! [#1] Yes [9].',
      [
        ['Really?!', [1]],
        ['Yes.', [9]],
      ],
    ],
    [
      'It says "One. Two." [#1] Three [#2].',
      [
        ['It says "One. Two."', [1]],
        ['Three.', [2]],
      ],
    ],
    [
      'It says "One." [#1]. Two [#2].',
      [
        ['It says "One.".', [1]],
        ['Two.', [2]],
      ],
    ],
    ['It says “One. Two” [#1].', [['It says “One. Two”.', [1]]]],
    [
      'A 5" pipe. A 6 m pipe [#1].',
      [
        ['A 5" pipe.', []],
        ['A 6 m pipe.', [1]],
      ],
    ],
    ['', []],
    ['[#1]', []],
  ])('splits %j', (text, expected) => {
    const claims = split(text).map((claim) => [
      claim.text,
      [...claim.citations.flatMap(({ numbers }) => numbers), ...claim.inherited],
    ]);
    expect(claims).toEqual(expected);
  });

  it.each<[string, string, readonly Claim[]]>([
    [
      'the lead-in of a list cites for its items',
      'The rules [#1]:\n- one rule\n- two rules [#2]',
      [
        ['The rules:', [1]],
        ['one rule', [1]],
        ['two rules', [2]],
      ],
    ],
    [
      'a line of citations below a list cites for all of it',
      '- one rule\n- two rules\nSources: [#1][#3]',
      [
        ['one rule', [1, 3]],
        ['two rules', [1, 3]],
      ],
    ],
    [
      'a table row is a claim, its head is not',
      '| what | value |\n|---|---|\n| height | 330 m [#1] |',
      [
        ['| what | value |', []],
        ['| height | 330 m |', [1]],
      ],
    ],
    [
      'code takes the citations of the sentence before it',
      'Run this [#2]:\n```sh\nkebab ask. Now\n```',
      [
        ['Run this:', [2]],
        ['```sh\nkebab ask. Now\n```', [2]],
      ],
    ],
    [
      'a quotation continues across lines',
      'It says "one two\n1. three" [#1]. Four.',
      [
        ['It says "one two 1. three".', [1]],
        ['Four.', []],
      ],
    ],
    [
      'the definition of a footnote stands by itself',
      'One [^1]\n\n[^1]: notes/a.md',
      [
        ['One', [1]],
        ['[^1]: notes/a.md', []],
      ],
    ],
    [
      'a date in figures does not end a sentence',
      '2019. 5. 3. 에 시작했다 [#1]. 끝났다 [#2].',
      [
        ['2019. 5. 3. 에 시작했다.', [1]],
        ['끝났다.', [2]],
      ],
    ],
  ])('recognises that %s', (_, text, expected) => {
    expect(
      split(text).map((claim) => [
        claim.text,
        [...claim.citations.flatMap(({ numbers }) => numbers), ...claim.inherited],
      ]),
    ).toEqual(expected);
  });

  it.each([
    ['# Tower', 'heading'],
    ['**The tower**', 'heading'],
    ['Here is what I found:', 'lead'],
    ['I hope this helps!', 'text'],
    ['Which tower is meant?', 'question'],
    ['The passages do not say when it was built.', 'denial'],
    ['다음은 확인된 내용입니다.', 'text'],
    ['높이에 대한 정보는 없습니다.', 'denial'],
    ['The price is not something the notes mention, but it is 5 euros.', 'denial', 'text'],
    ['The documents provided here do not contain enough information to tell.', 'denial'],
    ['Based on the passages, I cannot determine who built it.', 'denial'],
    ['There is no information about its height in the evidence.', 'denial'],
    ['The evidence is silent on that.', 'denial'],
    ['The passages say nothing about lifts.', 'denial'],
    ['제공된 문서에는 높이가 명시되어 있지 않습니다.', 'denial'],
    ["I'm sorry, but the passages don't say when it was built.", 'denial'],
    ['It cannot be determined from the passages how high it is.', 'denial'],
    ['How high the tower is was not mentioned in the provided documents.', 'denial'],
    ['The height of the tower is not stated in the passages.', 'denial'],
    ['I am unable to answer this based on the passages.', 'denial'],
    ["I don't know.", 'denial'],
    ['Die Dokumente sagen nicht, wie hoch der Turm ist.', 'denial'],
    ['Leider enthalten die Dokumente dazu keine Angaben.', 'denial'],
    ['Les documents ne précisent pas la hauteur de la tour.', 'denial'],
    ['Los documentos no mencionan la altura de la torre.', 'denial'],
    ['I documenti non indicano l’altezza della torre.', 'denial'],
    ['De documenten vermelden de hoogte niet.', 'denial'],
    ['죄송하지만 높이에 대한 정보는 없습니다.', 'denial'],
    ['文書にはその高さの記載がありません。', 'denial'],
    ['文档中没有提到塔的高度。', 'denial'],
    ['Die Dokumente nennen den Preis nicht, aber er beträgt 5 Euro.', 'denial', 'text'],
    ['Die Dokumente geben der Stadt keine Rechte.', 'text'],
    ['Les documents ne donnent pas le prix, mais la tour est en or.', 'denial', 'text'],
    ['The tower was sold and is not mentioned in the documents.', 'text', 'denial'],
    ["I'm sorry, but the tower is made of gold.", 'text'],
    ['The documents were not kept in Vienna.', 'text'],
    ['Its source code is not published because somebody took it.', 'text'],
    ['No details were left out when the tower was sold.', 'text'],
    ['The notes say the engine has no cover.', 'text'],
    ['Unfortunately, the evidence does not mention it, but the tower is made of gold.', 'denial', 'text'],
    ['The passages do not give the price; it is 5 euros.', 'denial', 'text'],
    ['The passages do not give the price, and the tower is made of gold.', 'denial', 'text'],
    ['이 탑은 설명이 없이 금으로 만들어졌습니다.', 'text'],
    ['이 탑은 금으로 만들어졌지만 높이에 대한 정보는 없습니다.', 'text', 'denial'],
    ['I found that the tower is made of gold.', 'text'],
    ['In summary, the tower is made of gold.', 'text'],
    ['The tower is high.', 'text'],
    ['No tower is higher.', 'text'],
    ['Here is the answer: the tower was blown up.', 'text'],
  ])('classifies %j as %s', (text, ...kinds) => {
    expect(split(text).map((sentence) => sentence.kind)).toEqual(kinds);
  });

  it('gives the position of a sentence without its bullet', () => {
    const text = '- One. Two [1].';
    expect(split(text).map(({ start, end }) => text.slice(start, end))).toEqual(['One.', 'Two [1].']);
  });
});
