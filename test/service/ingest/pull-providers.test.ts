import { describe, expect, it } from 'vitest';
import { UnreadableAnswerError } from '../../../src/service/ingest/pull/provider.ts';
import { pullProviders } from '../../../src/service/ingest/pull/providers.ts';

const zone = 'Europe/Paris';
const now = Date.UTC(2026, 10, 1);

const read = (provider: keyof typeof pullProviders, text: string, from = now) =>
  pullProviders[provider].read(Buffer.from(text), '8A_8', { from, zone, now });

const timesOf = (from: string, times: readonly string[]): string[] => {
  const rows = times.map((time, row) => `2026/10/25 ${time}:00,${20 + row}`);
  const { readings } = read('irrimax', ['Date Time,A1(30)', ...rows].join('\n'), Date.parse(from));
  return readings.map((row) => ('time' in row ? String(row.time).slice(11, 16) : ''));
};

describe('an answer of IrriMAX in the autumn hour', () => {
  it.each([
    [
      'in the second pass',
      '2026-10-25T01:15:00Z',
      ['02:30', '02:45', '03:00'],
      ['01:30', '01:45', '02:00'],
    ],
    [
      'in the second pass, to its end',
      '2026-10-25T01:15:00Z',
      ['02:30', '02:45'],
      ['01:30', '01:45'],
    ],
    ['in the first pass', '2026-10-25T00:15:00Z', ['02:30', '02:45'], ['00:30', '00:45']],
    ['before it', '2026-10-24T22:00:00Z', ['02:30', '02:00', '02:30'], ['00:30', '01:00', '01:30']],
    [
      'in the second pass, with both',
      '2026-10-25T01:15:00Z',
      ['02:15', '02:45', '02:15'],
      ['00:15', '00:45', '01:15'],
    ],
  ])('asked for from %s, gives the instants of that', (_, from, local, utc) => {
    expect(timesOf(from, local)).toEqual(utc);
  });

  it('keeps a time that cannot be read, so that its row is rejected', () => {
    const { readings } = read('irrimax', 'Date Time,A1(30)\nsoon,20.5', Date.UTC(2026, 9, 25));
    expect(readings).toEqual([
      { device: '8A_8', type: 'humidity', depth: 30, time: 'soon', value: 20.5 },
    ]);
  });
});

describe('an answer that holds no readings', () => {
  it.each([
    ['zentra', 'null', 'object'],
    ['zentra', '5', 'object'],
    ['davis', 'null', 'object'],
    ['davis', '<html>', 'not JSON'],
    ['irrimax', '<html>Invalid API key</html>', 'a page, not readings; check the key and the name'],
    ['irrimax', 'Invalid API key', 'a text, not readings; check the key and the name'],
  ] as const)('of %s, %s, cannot be read', (provider, text, reason) => {
    expect(() => read(provider, text)).toThrow(UnreadableAnswerError);
    expect(() => read(provider, text)).toThrow(reason);
  });

  it('may have no pages', () => {
    expect(read('zentra', '{"pagination":null,"data":{}}')).toMatchObject({
      readings: [],
      hasNextPage: false,
    });
  });
});
