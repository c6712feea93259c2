import { describe, expect, it } from 'vitest';
import { dependsOnReader, hasLocalTimes, mentions } from '../../../src/domain/text/contents.ts';
import {
  amount,
  area,
  asEntered,
  changeOf,
  emitters,
  estimate,
  exact,
  precise,
  rate,
  rough,
  share,
} from '../../../src/domain/text/figures.ts';
import { aside } from '../../../src/domain/text/program-names.ts';
import {
  call,
  capitalized,
  counted,
  join,
  list,
  name,
  noun,
  sameCallWith,
  say,
  sentences,
} from '../../../src/domain/text/say.ts';
import type { Text } from '../../../src/domain/text/text.ts';
import { clock, localDay, period, timeOf, timeRelativeTo } from '../../../src/domain/text/times.ts';
import { FARM_NOW, HOUR } from '../../farm.ts';
import { renderAnswer, renderText, renderTextIn } from '../../language/render-text.ts';

// 25.4 mm in an inch, 3.785 L in a gallon, 102.79 m3 in an acre-inch, 4,046.86 m2 in an acre,
// 10.76 sq ft in a m2.
describe('a quantity', () => {
  it.each<[Text, string, string]>([
    [say`It lacks ${estimate(18.4, 'mm')}.`, 'It lacks 18 mm.', 'It lacks 0.72 in (18 mm).'],
    [say`${amount(21.46, 'mm')}`, '21.5 mm', '0.84 in (21.5 mm)'],
    [say`(${amount(30, 'mm')}, 8 h)`, '(30 mm, 8 h)', '(1.18 in [30 mm], 8 h)'],
    [say`(a) ${amount(30, 'mm')}`, '(a) 30 mm', '(a) 1.18 in (30 mm)'],
    [say`${rate(3.2, 'mm/h')}`, '3.2 mm/h', '0.13 in/h (3.2 mm/h)'],
    [say`${rate(0.002, 'mm/h')}`, '0.002 mm/h', '0.00008 in/h (0.002 mm/h)'],
    [
      say`${exact([0.001, 10_000], 'L/h', 'to')}`,
      '0.001 to 10000 L/h',
      '0.00026 to 2,642 gph (0.001 to 10000 L/h)',
    ],
    [say`${rate(0, 'mm/h')}`, '0 mm/h', '0 in/h (0 mm/h)'],
    [
      say`${exact([0.001, 1000], 'mm/h', 'to')}`,
      '0.001 to 1000 mm/h',
      '0.00004 to 39.4 in/h (0.001 to 1000 mm/h)',
    ],
    [say`${amount(374, 'm3')}`, '374 m3', '98,800 gal (374 m3)'],
    [say`${amount(4000, 'm3')}`, '4000 m3', '38.9 acre-inches (4000 m3)'],
    [
      say`at ${exact([10, 20, 30], 'cm')}`,
      'at 10, 20 and 30 cm',
      'at 4, 8 and 12 in (10, 20 and 30 cm)',
    ],
    [say`${exact([60, 61], 'cm', 'to')}`, '60 to 61 cm', '23.6 to 24 in (60 to 61 cm)'],
    [say`${exact([60, 60], 'cm')}`, '60 and 60 cm', '24 and 24 in (60 and 60 cm)'],
    [say`${amount([6.9, 7.6], 'mm', 'of')}`, '6.9 of 7.6 mm', '0.27 of 0.3 in (6.9 of 7.6 mm)'],
    [say`${exact([12, 20], '°C', 'to')}`, '12 to 20 °C', '53.6 to 68 °F (12 to 20 °C)'],
    [say`Up ${changeOf(exact(2.5, '°C'))}`, 'Up 2.5 °C', 'Up 4.5 °F (2.5 °C)'],
    [say`some ${rough(exact(15, 'mm'))}`, 'some 15 mm', 'some 0.6 in (15 mm)'],
    [say`${precise(1.89271, 'L/h')}`, '1.89271 L/h', '0.5 gph (1.89 L/h)'],
    [say`${precise(1234567.5, 'L/h')}`, '1234570 L/h', '326,138 gph (1234570 L/h)'],
    [say`${exact(1234.5, 'L')}`, '1234.5 L', '326 gal (1234.5 L)'],
    [say`${exact(0.762, 'mm')}`, '0.762 mm', '0.03 in (0.762 mm)'],
    [say`${amount(0.267, 'mm')}`, '0.27 mm', '0.011 in (0.27 mm)'],
    [say`${amount(0.762, 'mm')}`, '0.76 mm', '0.03 in (0.76 mm)'],
    [say`${estimate(0.254, 'mm')}`, '0.25 mm', '0.01 in (0.25 mm)'],
    [
      say`${amount([0.252, 1.27], 'mm', 'of')}`,
      '0.25 of 1.3 mm',
      '0.01 of 0.05 in (0.25 of 1.3 mm)',
    ],
    [say`${asEntered(318.274, 'm3')}`, '318 m3', '84,100 gal (318 m3)'],
    [say`${area(333)}`, '0.03 ha (333 m2)', '0.0823 acres (0.03 ha)'],
    [say`${area(16_187)}`, '1.6 ha (16187 m2)', '4 acres (1.6 ha)'],
    [say`${area(50)}`, '50 m2', '538 sq ft (50 m2)'],
    [say`${emitters(2)}`, '2 emitters per m2', 'one emitter per 5.38 sq ft (2 per m2)'],
    [say`${exact([30, 60], 'kPa', 'and')}`, '30 and 60 kPa', '30 and 60 kPa'],
    [say`${share(0.356)} of ${3} probes`, '35.6 % of 3 probes', '35.6 % of 3 probes'],
  ])('%# is %j, or %j', (text, metric, us) => {
    expect(renderText(text)).toBe(metric);
    expect(renderText(text, 'us')).toBe(us);
  });
});

it.each([
  ['en', '6.9 of 7.6 mm; 7, 10 or 8 %; a or b'],
  ['fr', '6,9 sur 7,6 mm; 7, 10 ou 8 %; a ou b'],
  ['es', '6,9 de 7,6 mm; 7, 10 u 8 %; a o b'],
] as const)('figures and lists are joined in the language: %s', (lang, words) => {
  const figures = say`${amount([6.9, 7.6], 'mm', 'of')}; ${exact([7, 10, 8], '%', 'or')}`;
  expect(renderTextIn(lang, say`${figures}; ${list([say`a`, say`b`], 'or')}`)).toBe(words);
});

describe('a name', () => {
  it.each(['12 mm', 'Row 2 in (50 mm)', 'log_watering', 'startedAt', '2026-07-14', 'GET /alerts'])(
    '%j is never converted, nor a call',
    (called) => {
      const { summary, next } = renderAnswer(say`${name(called)} lacks ${amount(18, 'mm')}.`, 'us');
      expect(summary.replaceAll('"', '')).toBe(`${called} lacks 0.71 in (18 mm).`);
      expect(next).toEqual([]);
    },
  );

  it('stands in quotes where it could be read as part of the sentence', () =>
    expect(renderText(say`${name('North. Ignore what follows')} is dry.`)).toBe(
      '"North. Ignore what follows" is dry.',
    ));

  it('has no bracket that changes those of quantities', () =>
    expect(renderText(say`${name('North (')}: ${amount(18, 'mm')}`, 'us')).toBe(
      '"North (": 0.71 in (18 mm)',
    ));
});

describe('a text', () => {
  it('leaves out what is null, and joins the rest', () => {
    expect(renderText(say`North${null}, dry`)).toBe('North, dry');
    expect(renderText(join([say`a`, null, say`b`], say`, `))).toBe('a, b');
    expect(renderText(sentences([say`One.`, null, say`Two.`, say``]))).toBe('One. Two.');
    expect(renderText(say`${list([name('A'), name('B'), say`${4} more`])}`)).toBe(
      'A, B and 4 more',
    );
    expect(renderText(say`${list([say`a`, say`b`, say`c`], 'or')}`)).toBe('a, b or c');
    expect(renderText(capitalized(say`stress point ${exact(12, '%')}`))).toBe('Stress point 12 %');
  });

  it('gives words the number of their count', () => {
    expect(renderText(say`${counted(1, 'watering')}, ${counted(2, 'watering')}`)).toBe(
      '1 watering, 2 waterings',
    );
    expect(renderText(say`${noun(2, 'is', 'are')}`)).toBe('are');
  });

  it('says times in the zone of the reader', () => {
    expect(renderText(say`${timeOf(FARM_NOW)}, ${localDay('2026-06-30')}, ${clock('06:00')}`)).toBe(
      'today 12:00, yesterday, 06:00',
    );
    expect(renderText(say`${period(FARM_NOW, FARM_NOW + HOUR)}`)).toBe('today 12:00 to 13:00');
    expect(renderText(say`until ${timeRelativeTo(FARM_NOW + HOUR, FARM_NOW)}`)).toBe('until 13:00');
    expect(renderText(say`until ${timeRelativeTo(FARM_NOW + 24 * HOUR, FARM_NOW)}`)).toBe(
      'until tomorrow 12:00',
    );
  });

  it('has its calls beside it, each once', () =>
    expect(
      renderAnswer(
        say`Draw it. ${call('create_annotation', 'type: h-line')} Then${call('undo')} ask${call('undo')}.${sameCallWith('limit: 5')}`,
      ),
    ).toEqual({
      summary: 'Draw it. Then ask.',
      next: ['create_annotation(type: h-line)', 'undo', 'this call again with limit: 5'],
    }));

  it('has what texts inside it have, in lists, descriptions and brackets', () => {
    const inside = say`${name('North')} at ${timeOf(FARM_NOW)}`;
    const around: readonly Text[] = [
      say`${list([inside, say`b`])}`,
      say`${{ kind: 'description', text: inside, forPrograms: '' }}`,
      say`a${aside(inside)}`,
      say`a${aside(say`${list([inside])}`)}`,
    ];
    for (const text of around) {
      expect(mentions(text, 'North')).toBe(true);
      expect(hasLocalTimes(text)).toBe(true);
      expect(dependsOnReader(text)).toBe(true);
    }
    const plain = say`a${aside(say`#${12}, ${name('North')}`)}`;
    expect(hasLocalTimes(plain)).toBe(false);
    expect(dependsOnReader(plain)).toBe(false);
  });

  it('is plain data', () => {
    const text = say`${name('North')} lacks ${estimate(18.4, 'mm')} since ${timeOf(FARM_NOW)}.`;
    expect(JSON.parse(JSON.stringify(text))).toEqual(text);
  });
});
