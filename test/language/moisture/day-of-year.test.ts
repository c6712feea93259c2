import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { programText } from '../../../src/domain/text/program-text.ts';
import { parseDayOfYear } from '../../../src/language/moisture/day-of-year.ts';

describe('a day of every year', () => {
  it.each([
    ['15 November', '11-15'],
    ['November 15th', '11-15'],
    ['15 novembre', '11-15'],
    ['1er novembre', '11-01'],
    ['le 1er mars', '03-01'],
    ['15 de noviembre', '11-15'],
    ['el 1 de marzo', '03-01'],
    ['15/11', '11-15'],
    ['29 February', '02-29'],
    ['15 November 2026', '11-15'],
    ['2026-11-15', '11-15'],
    ['11-15', '11-15'],
    ['never', 'never'],
    ['jamais', 'never'],
    ['Nunca', 'never'],
  ])('is read from %s', (text, day) => {
    expect(parseDayOfYear(text)).toEqual(ok(day));
  });

  it.each([
    ['5/11', 'can be read two ways'],
    ['15', 'not an hour'],
    ['November', ''],
    ['30 February', 'does not exist'],
    ['yesterday', 'not a day and a month'],
    ['15 November 6:00', 'not a day and a month'],
    ['when the leaves fall', 'not understood'],
  ])('is refused in %s', (text, reason) => {
    const read = parseDayOfYear(text);
    expect(!read.ok && programText(read.failure)).toContain(reason);
  });
});
