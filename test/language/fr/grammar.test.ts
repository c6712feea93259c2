import { expect, it } from 'vitest';
import { frenchCount, withDe, withJusqua } from '../../../src/language/fr/grammar.ts';

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
  ['le 1er mai', 'jusqu’au 1er mai'],
  ['hier', 'jusqu’à hier'],
  ['demain à 06:00', 'jusqu’à demain à 06:00'],
])('"jusque" before %s gives %s', (text, expected) => expect(withJusqua(text)).toBe(expected));

it('counts none and one in the singular', () => {
  expect([0, 1, 2].map((count) => frenchCount(count, 'arrosage'))).toEqual(['0 arrosage', '1 arrosage', '2 arrosages']);
  expect(frenchCount(2, 'arrosage prévu', 'arrosages prévus')).toBe('2 arrosages prévus');
});
