import { expect, it } from 'vitest';
import { langOfCountry } from '../../src/language/index.ts';

it.each([
  ['GB', 'en'],
  ['FR', 'fr'],
  ['sn', 'fr'],
  ['RE', 'fr'],
  // Beside other languages.
  ['BE', 'en'],
  ['CH', 'en'],
  ['CA', 'en'],
  ['ES', 'es'],
  ['mx', 'es'],
  ['PR', 'es'],
  ['', 'en'],
  [null, 'en'],
] as const)('a company in %s is written to in %s', (country, lang) =>
  expect(langOfCountry(country)).toBe(lang),
);
