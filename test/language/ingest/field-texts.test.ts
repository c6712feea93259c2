import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import {
  listSentFields,
  measurementAt,
  needsDepths,
  sentFields,
  withAirHumidity,
} from '../../../src/language/ingest/field-texts.ts';
import { renderText } from '../render-text.ts';

const reading = (type: string, depth: number | null = null) => ({ type, depth, value: 7 });

describe('what a device sends', () => {
  it('is fields, where it has names of its own', () =>
    expect(sentFields([reading('field:soil_1'), reading('humidity', 20)])).toEqual([
      { name: 'soil_1', value: 7 },
    ]));

  it.each([
    ['a 7 and b 7', 2],
    ['a 7, b 7, c 7, d 7, e 7, f 7, g 7, h 7, i 7, j 7, k 7, l 7 and 2 others', 14],
  ])('is listed as it is called: %s', (words, count) => {
    const fields = [...'abcdefghijklmn'].slice(0, count).map((name) => ({ name, value: 7 }));
    expect(renderText(say`${listSentFields(fields)}`)).toBe(words);
  });

  it.each([
    ['temperature at 30 cm', 'temperature at 12 in (30 cm)', 30],
    ['temperature without depth', 'temperature without depth', null],
  ])('is %s', (metric, us, depth) => {
    expect(renderText(measurementAt('temperature', depth))).toBe(metric);
    expect(renderText(measurementAt('temperature', depth), 'us')).toBe(us);
  });

  it('is humidity of the air beside rain', () => {
    expect(withAirHumidity([reading('rain'), reading('humidity')])[1]?.type).toBe('air_humidity');
    expect(withAirHumidity([reading('humidity')])[0]?.type).toBe('humidity');
  });

  it.each([
    [true, []],
    [true, [reading('humidity')]],
    [false, [reading('humidity', 20)]],
    [false, [reading('rain'), reading('humidity')]],
  ])('needs depths, %s: %j', (isExpected, readings) =>
    expect(needsDepths(readings)).toBe(isExpected),
  );
});
