import { expect, it } from 'vitest';
import {
  parseAudience,
  parseIssuer,
  parsePublicUrl,
} from '../../../src/cli/process/option-parsers.ts';

const ISSUER = 'https://login.example.org/realms/farm';

it.each<[string, (text: string) => unknown, string, RegExp]>([
  ['an issuer over http', parseIssuer, 'http://login.example.org', /https address/],
  ['an issuer with a password', parseIssuer, 'https://a:secret@login.example.org', /https address/],
  ['an issuer with a query', parseIssuer, `${ISSUER}?a=1`, /https address/],
  ['a public URL with a path', parsePublicUrl, 'https://water.example.org/farm', /without a path/],
  ['a public URL over http', parsePublicUrl, 'http://water.example.org', /https address/],
  ['an audience with quotes', parseAudience, 'a"b', /aud/],
])('%s is refused', (_, parse, text, message) => {
  expect(() => parse(text)).toThrow(message);
});

it('accepts addresses over https, and over http on this machine', () => {
  for (const text of [ISSUER, 'http://127.0.0.1:8080/']) expect(parseIssuer(text).href).toBe(text);
  expect(parsePublicUrl('https://water.example.org').href).toBe('https://water.example.org/');
});
