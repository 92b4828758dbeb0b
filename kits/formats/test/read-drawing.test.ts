import { describe, expect, it } from 'vitest';
import { bodyLines, chartTables, markdownTable, mathText, parseXml } from '../src/index.ts';
import { diagramLines } from '../src/read-drawing.ts';

const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const linear = async (xml: string) => mathText(await parseXml(`<m:oMath>${xml}</m:oMath>`));

describe('a formula', () => {
  it.each([
    [`<m:sSup><m:e>${run('x')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>${run('+1')}`, 'x^2+1'],
    [`<m:sSub><m:e>${run('a')}</m:e><m:sub>${run('n+1')}</m:sub></m:sSub>`, 'a_(n+1)'],
    [`<m:f><m:num>${run('a+b')}</m:num><m:den>${run('c')}</m:den></m:f>`, '(a+b)/c'],
    [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${run('n')}</m:e></m:rad>`, '√(n)'],
    [`<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('n')}</m:e></m:rad>`, '3√(n)'],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('i')}</m:e></m:nary>`,
      '∑_(i=1)^n i',
    ],
    [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${run('x')}</m:e></m:d>`, '[x]'],
    [`<m:func><m:fName>${run('sin')}</m:fName><m:e>${run('x')}</m:e></m:func>`, 'sin x'],
    [
      `<m:m><m:mr><m:e>${run('1')}</m:e><m:e>${run('0')}</m:e></m:mr><m:mr><m:e>${run('0')}</m:e><m:e>${run('1')}</m:e></m:mr></m:m>`,
      '[1, 0; 0, 1]',
    ],
    [`<m:acc><m:e>${run('tide')}</m:e></m:acc>`, 'tide'],
  ])('is linear text: %s', async (xml, text) => {
    expect(await linear(xml)).toBe(text);
  });

  it('stands in its paragraph', async () => {
    const body = await parseXml(
      `<a:p><a:r><a:t>depth </a:t></a:r><a14:m><m:oMathPara><m:oMath>${run('d')}</m:oMath></m:oMathPara></a14:m><a:br/><a:r><a:t>next</a:t></a:r></a:p>`,
    );
    expect(bodyLines(body)).toEqual(['depth d', 'next']);
  });
});

const points = (...values: readonly string[]) =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('');
const series = (name: string, values: readonly string[], format = 'General') =>
  `<c:ser><c:tx><c:strRef><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points('North', 'South')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${points(...values)}</c:numCache></c:numRef></c:val></c:ser>`;
const chart = async (inner: string) =>
  chartTables(await parseXml(`<c:chartSpace><c:chart>${inner}</c:chart></c:chartSpace>`));

describe('a chart', () => {
  it('has its titles, and a row for each category with the values of each series', async () => {
    const title = (text: string) =>
      `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;
    const bars = `<c:barChart>${series('2024', ['0.5', '0.25'], '0%')}${series('2025', ['7', '8.1'])}</c:barChart>`;
    const { titles, rows } = await chart(
      `${title('Ships')}<c:plotArea>${bars}<c:valAx>${title('Share')}</c:valAx></c:plotArea>`,
    );
    expect(titles).toEqual(['Ships', 'Share']);
    expect(markdownTable(rows)).toBe(
      '|  | 2024 | 2025 |\n| --- | --- | --- |\n| North | 50% | 7 |\n| South | 25% | 8.1 |',
    );
  });

  it.each([
    [
      '<c:title><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>From a cell</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title>',
      ['From a cell'],
      [],
    ],
    [
      '<c:scatterChart><c:ser><c:xVal><c:numRef><c:numCache><c:pt idx="0"><c:v>1.5</c:v></c:pt></c:numCache></c:numRef></c:xVal><c:yVal><c:numLit><c:pt idx="0"><c:v>9</c:v></c:pt></c:numLit></c:yVal></c:ser></c:scatterChart>',
      [],
      [
        ['', ''],
        ['1.5', '9'],
      ],
    ],
    [
      '<c:pieChart><c:ser><c:tx><c:v>Plain</c:v></c:tx><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>May</c:v></c:pt></c:lvl><c:lvl><c:pt idx="0"><c:v>2024</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat></c:ser></c:pieChart>',
      [],
      [
        ['', 'Plain'],
        ['2024 May', ''],
      ],
    ],
    [
      '<c:lineChart><c:ser><c:cat><c:numRef><c:numCache><c:formatCode>yyyy-mm-dd</c:formatCode><c:pt idx="0"><c:v>45000</c:v></c:pt></c:numCache></c:numRef></c:cat></c:ser></c:lineChart>',
      [],
      [
        ['', ''],
        ['2023-03-15', ''],
      ],
    ],
    [
      '<cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Gate</cx:pt><cx:pt idx="1">Lock</cx:pt></cx:lvl></cx:strDim>',
      [],
      [['Gate', 'Lock']],
    ],
    [
      '<c:lineChart><c:ser><c:dLbls><c:dLbl><c:idx val="0"/><c:tx><c:rich><a:p><a:r><a:t>record tide</a:t></a:r></a:p></c:rich></c:tx></c:dLbl><c:dLbl><c:idx val="1"/><c:showVal val="1"/></c:dLbl></c:dLbls><c:trendline><c:name>Falling</c:name></c:trendline><c:trendline><c:trendlineType val="linear"/></c:trendline><c:val><c:numLit><c:pt idx="0"><c:v>9</c:v></c:pt></c:numLit></c:val><c:extLst><c:ext><c15:datalabelsRange><c15:f>A1:A2</c15:f><c15:dlblRangeCache><c:pt idx="0"><c:v>Jetty</c:v></c:pt><c:pt idx="1"><c:v>Mole</c:v></c:pt></c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst></c:ser></c:lineChart>',
      ['record tide', 'Jetty, Mole', 'Falling'],
      [
        ['', ''],
        ['', '9'],
      ],
    ],
    ['', [], []],
  ])('is read whatever its kind: %s', async (xml, titles, rows) => {
    expect(await chart(xml)).toEqual({ titles, rows });
  });
});

describe('a diagram', () => {
  it('has the texts of its shapes, without those of its layout', async () => {
    const model = await parseXml(
      '<dgm:dataModel><dgm:ptLst><dgm:pt modelId="1" type="doc"><dgm:t><a:p/></dgm:t></dgm:pt><dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>Moor</a:t></a:r></a:p><a:p><a:r><a:t>the ship</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt type="pres"><dgm:t><a:p><a:r><a:t>layout</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Unload</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>',
    );
    expect(diagramLines(model)).toEqual(['Moor the ship', 'Unload']);
  });
});
