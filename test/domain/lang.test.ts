import { expect, it } from 'vitest';
import { langOfCountry } from '../../src/domain/lang.ts';

it.each([
  ['FR', 'fr'],
  ['sn', 'fr'],
  ['RE', 'fr'],
  // French beside other languages.
  ['BE', 'en'],
  ['CH', 'en'],
  ['CA', 'en'],
  ['ES', 'en'],
  ['', 'en'],
  [null, 'en'],
] as const)('a company in %s is written to in %s', (country, lang) => expect(langOfCountry(country)).toBe(lang));
