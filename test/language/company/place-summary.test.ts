import { describe, expect, it } from 'vitest';
import type { Text } from '../../../src/domain/text/text.ts';
import {
  summarizeCompany,
  summarizeEnums,
  summarizeModules,
  summarizeParcels,
  summarizeSignInLink,
  summarizeUsers,
} from '../../../src/language/company/place-summary.ts';
import type { EnumsBody } from '../../../src/schema/company/company.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { COMPANY } from './sample-company.ts';

const context = contextOf({ parcels: [{ id: 1, name: 'North block' }] });

describe('lists of places', () => {
  it.each<[string, Text]>([
    ['No module matches.', summarizeModules({ data: [] })],
    [
      'Modules: North 1, no name, 12 mm.',
      summarizeModules({ data: [{ name: 'North 1' }, { name: null }, { name: '12 mm' }] }),
    ],
    ['There are no parcels.', summarizeParcels({ data: [] })],
    ['Parcels: Vines.', summarizeParcels({ data: [{ name: 'Vines' }] })],
    ['The company has no members.', summarizeUsers({ data: [] })],
    [
      'Members: Ana (owner), Léa (viewer).',
      summarizeUsers({
        data: [
          { userId: '1', name: 'Ana', email: 'ana@example.org', role: 'OWNER' },
          { userId: '2', name: 'Léa', email: 'lea@example.org', role: 'VIEWER' },
        ],
      }),
    ],
    [
      '2 lists of codes with their labels, 1 codes in all.',
      summarizeEnums({
        measurement_types: [{ code: 'temp', label: 'Temperature' }],
        company_roles: [],
      } as Partial<EnumsBody> as EnumsBody),
    ],
  ])('are %j', (sentence, text) => {
    expect(renderText(text)).toBe(sentence);
    expect(renderText(text, 'us')).toBe(sentence);
  });
});

describe('the company', () => {
  it.each<[string, Text]>([
    ['Mas Rouge, Lunel; the time zone is Europe/Paris.', summarizeCompany(COMPANY, context)],
    [
      'Mas Rouge; the time zone is Europe/Paris (none is set).',
      summarizeCompany(
        { ...COMPANY, city: null, timezone: null },
        { ...context, isZoneDeclared: false },
      ),
    ],
  ])('is %j', (sentence, text) => expect(renderText(text)).toBe(sentence));
});

it('says where a link to sign in opens, and gives it whole', () => {
  const link = { email: 'ana@example.org', expiresAt: iso(FARM_NOW + HOUR) };
  const url = `https://farm.example/page#${'k'.repeat(80)}`;
  expect(renderText(summarizeSignInLink({ ...link, url }))).toBe(
    `This link signs "ana@example.org" in to the live page, once, until today 13:00. Whoever opens it first signs in as this person. ${url}`,
  );
  expect(renderAnswer(summarizeSignInLink({ ...link, url: 'http://localhost:8080/' }))).toEqual({
    summary: expect.stringContaining('It opens only on the computer on which the service runs.'),
    next: ['set ACEQUIA_PUBLIC_URL to the https address of the service'],
  });
});
