import { describe, expect, it } from 'vitest';
import { formatTerminalCount } from '../../src/cli/process/output.ts';
import { say, verbatim } from '../../src/domain/text/say.ts';
import { englishCount, englishNoun } from '../../src/language/en/grammar.ts';
import { frenchCount, sayDe, withDe, withJusqua } from '../../src/language/fr/grammar.ts';
import { renderText } from './render-text.ts';

describe('English', () => {
  it.each([
    [0, '0 waterings'],
    [1, '1 watering'],
    [2, '2 waterings'],
    [54_000, '54000 waterings'],
  ])('uses the singular of a noun for 1 alone: %i', (count, expected) => {
    expect(englishCount(count, 'watering')).toBe(expected);
  });

  it('takes an irregular plural', () => {
    expect([1, 3].map((count) => englishCount(count, 'alert is', 'alerts are'))).toEqual([
      '1 alert is',
      '3 alerts are',
    ]);
    expect([0.9, 1, 1.1].map((days) => englishNoun(days, 'day'))).toEqual(['days', 'day', 'days']);
  });

  it('separates the thousands of a number on a terminal', () => {
    expect([formatTerminalCount(1, 'row'), formatTerminalCount(175_200, 'row')]).toEqual([
      '1 row',
      '175,200 rows',
    ]);
  });
});

describe('French', () => {
  it.each([
    ['North 1', 'de North 1'],
    ['Ouest', 'd’Ouest'],
    ['Île', 'd’Île'],
    ['éolienne', 'd’éolienne'],
    ['Haut', 'de Haut'],
    ['12', 'de 12'],
    ['le 12 juillet à 06:00', 'du 12 juillet à 06:00'],
    ['aujourd’hui à 06:00', 'd’aujourd’hui à 06:00'],
    ['hier à 06:00', 'd’hier à 06:00'],
    ['demain à 06:00', 'de demain à 06:00'],
    ['hiérarchie', 'de hiérarchie'],
  ])('"de" before %s gives %s', (text, expected) => expect(withDe(text)).toBe(expected));

  it.each([
    ['Ouest', 'd’Ouest (bloc 1)'],
    ['le pré', 'du pré (bloc 1)'],
    ['North 1', 'de North 1 (bloc 1)'],
  ])('"de" before a text that begins with the name %s gives %s', (name, expected) =>
    expect(renderText(sayDe(say`${verbatim(name)} (bloc 1)`))).toBe(expected),
  );

  it.each([
    ['le 1er mai', 'jusqu’au 1er mai'],
    ['hier', 'jusqu’à hier'],
    ['demain à 06:00', 'jusqu’à demain à 06:00'],
  ])('"jusque" before %s gives %s', (text, expected) => expect(withJusqua(text)).toBe(expected));

  it('counts none and one in the singular', () => {
    expect([0, 1, 2].map((count) => frenchCount(count, 'arrosage'))).toEqual([
      '0 arrosage',
      '1 arrosage',
      '2 arrosages',
    ]);
    expect(frenchCount(2, 'arrosage prévu', 'arrosages prévus')).toBe('2 arrosages prévus');
  });
});
