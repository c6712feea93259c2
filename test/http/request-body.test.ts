import { describe, expect, it } from 'vitest';
import { isCsvType, isJsonType } from '../../src/http/request-body.ts';

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
});
