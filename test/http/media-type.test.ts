import { describe, expect, it } from 'vitest';
import { isCsvType, isJsonType } from '../../src/http/media-type.ts';
import { leastCpuMs } from '../cpu-time.ts';

describe('a Content-Type', () => {
  it.each([
    'application/json',
    'Application/JSON; charset="UTF-8"',
    'application/json ; charset = utf8 ;',
    'application/json;',
  ])('is JSON in UTF-8: %s', (header) => expect(isJsonType(header)).toBe(true));

  it.each([
    'application/jsonl',
    'text/json',
    'application/json; charset=latin1',
    'application/json; version=2',
    'application/json charset=utf-8',
    '',
  ])('is not JSON in UTF-8: %s', (header) => expect(isJsonType(header)).toBe(false));

  it.each(['text/csv', 'text/csv; header=present; charset=utf-8', 'text/csv;charset="utf-8";header="present"'])(
    'is CSV in UTF-8: %s',
    (header) => expect(isCsvType(header)).toBe(true),
  );

  it.each(['text/csv; header=absent', 'text/csv; charset=utf-16', 'text/plain'])('is not CSV in UTF-8: %s', (header) =>
    expect(isCsvType(header)).toBe(false),
  );

  it.each([
    ['spaces', (length: number) => `application/json${' '.repeat(length)}x`],
    ['semicolons', (length: number) => `application/json${'; '.repeat(length / 2)}x`],
    ['quotes', (length: number) => `application/json; charset=${'"'.repeat(length)}`],
  ])('is parsed in linear time: %s', async (_, headerOf) => {
    const cost = (length: number, count: number): Promise<number> => {
      const header = headerOf(length);
      return leastCpuMs(() => {
        for (let n = 0; n < count; n++) isJsonType(header);
      });
    };
    // As many characters in all; where time grows with the square of the length, 64 times as long.
    expect(await cost(64 * 512, 32)).toBeLessThan(10 * (await cost(512, 64 * 32)));
  });
});
