import { describe, expect, it } from 'vitest';
import type { Text } from '../../../src/domain/text/text.ts';
import {
  describeKeptSensors,
  describeSimilarName,
  summarizeCompanyEntry,
  summarizeModuleEntry,
  summarizeParcelEntry,
} from '../../../src/language/company/farm-entry-summary.ts';
import type { ModuleBody, ParcelBody } from '../../../src/schema/company/company.ts';
import type { ModuleAnswer } from '../../../src/schema/farm/farm-entry.ts';
import { FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { COMPANY } from './sample-company.ts';

const context = contextOf({ parcels: [{ id: 1, name: 'North block' }] });

describe('an entry of the company', () => {
  it.each<[string, Text]>([
    [
      'Added: Mas Rouge, Lunel; the time zone is Europe/Paris. Country: FR. Members: Ana (owner). Next, add its parcels and probes.',
      summarizeCompanyEntry(
        {
          company: COMPANY,
          owner: { userId: '1', name: 'Ana', email: 'ana@example.org', role: 'OWNER' },
          before: null,
        },
        context,
      ),
    ],
    [
      'Changed: Mas Rouge, Lunel; the time zone is Europe/Paris. Name: Mas Rouge (before: Mas). Country: FR (before: none). Units: those of the country (before: us).',
      summarizeCompanyEntry(
        {
          company: COMPANY,
          before: { countryCode: null, units: 'us', newName: 'Mas' },
        },
        context,
      ),
    ],
    [
      'Nothing changed: Mas Rouge, Lunel; the time zone is Europe/Paris.',
      summarizeCompanyEntry({ company: COMPANY, before: {} }, context),
    ],
  ])('is %j', (sentence, text) => expect(renderText(text)).toBe(sentence));
});

describe('a parcel', () => {
  const PARCEL: ParcelBody = {
    id: 1,
    name: 'North block',
    type: null,
    geometry: { type: 'Polygon', coordinates: [] },
  };
  const describeParcel = (changes: Partial<ParcelBody>, units?: 'us') =>
    renderText(summarizeParcelEntry({ parcel: { ...PARCEL, ...changes }, before: null }), units);

  it.each<[string, string, Partial<ParcelBody>]>([
    ['North block, without an outline.', 'North block, without an outline.', {}],
    [
      'North block, olive, 80 m2, with an outline.',
      'North block, olive, 861 sq ft (80 m2), with an outline.',
      {
        type: 'olive',
        areaM2: 80,
        geometry: { type: 'Polygon', coordinates: [[[4, 43]]] },
      },
    ],
    [
      'North block, 1.3 ha (12500 m2), without an outline.',
      'North block, 3.09 acres (1.3 ha), without an outline.',
      { areaM2: 12_500 },
    ],
    [
      'North block, planted or growing since 20 Apr, in mid season, harvested yesterday, roots 60 cm deep, without an outline.',
      'North block, planted or growing since 20 Apr, in mid season, harvested yesterday, roots 24 in (60 cm) deep, without an outline.',
      {
        season: {
          crop: null,
          plantedOn: '2026-04-20',
          harvestedOn: '2026-06-30',
          stage: 'mid',
          stageOn: null,
          earlierStages: null,
          rootDepthCm: 60,
        },
      },
    ],
  ])('is %j', (metric, us, changes) => {
    expect(describeParcel(changes)).toBe(`Added: ${metric}`);
    expect(describeParcel(changes, 'us')).toBe(`Added: ${us}`);
  });
});

describe('a module', () => {
  const MODULE: ModuleBody = {
    id: 7,
    uid: 'olive-1',
    name: 'Olive 1',
    serialHex: null,
    category: 'SOIL_PROBE',
    location: null,
    parcelId: 1,
    sensors: [],
    gateway: null,
  };
  const sensorAt = (depth: number) => ({
    id: depth,
    type: 'humidity' as const,
    depth,
    label: null,
  });
  const describeEntry = async (
    module: Partial<ModuleBody>,
    {
      before = {},
      after = {},
      input = {},
    }: Partial<ModuleAnswer> & { readonly input?: Record<string, unknown> },
    units?: 'us',
  ) => {
    const answer = { module: { ...MODULE, ...module }, before, after };
    return renderText(await summarizeModuleEntry(answer, context, input), units);
  };

  it('is described by its kind, parcel and depths', async () => {
    expect(await describeEntry({ sensors: [sensorAt(20), sensorAt(40), sensorAt(40)] }, {})).toBe(
      'Nothing changed: Olive 1 is a soil probe in North block, sensors at 20 and 40 cm.',
    );
    expect(await describeEntry({ sensors: [sensorAt(20), sensorAt(40)] }, {}, 'us')).toBe(
      'Nothing changed: Olive 1 is a soil probe in North block, sensors at 8 and 16 in (20 and 40 cm).',
    );
    expect(
      await describeEntry(
        {
          name: null,
          category: null,
          parcelId: null,
          location: { lat: 43, lon: 4, source: 'manual', stale: true, driftMeters: 900 },
        },
        { before: null },
      ),
    ).toBe(
      'Added: Module 7 is a module not in a parcel, 0 sensors. Its position must be reconfirmed.',
    );
  });

  it('has the settings that changed', async () => {
    const location = { lat: 43.61, lon: 3.87, source: 'manual' as const, stale: false };
    const after = {
      latitude: 43.61,
      longitude: 3.87,
      commissionedAt: iso(FARM_NOW - HOUR),
      serialHex: '0a1b2c',
      number: 7,
      uid: 'olive-1',
      gateway: '356938035643809',
      rootDepthCm: 60,
      depthWeights: ['20: 0.5', '"40: 0.25"'],
    };
    const changed = { before: { uid: 'olive' }, after };
    const module = { location: { ...location, driftMeters: null } };
    expect(await describeEntry(module, changed)).toMatch(
      /Position 43\.61 \/ 3\.87\. In service since today 11:00\. Serial 0a1b2c\. Number 7\. Id in its readings olive-1\. Gateway 356938035643809\. Root depth 60 cm\. Weights 0\.5 at 20 cm and 0\.25 at 40 cm\.$/,
    );
    expect(await describeEntry(module, changed, 'us')).toMatch(
      /Root depth 24 in \(60 cm\)\. Weights 0\.5 at 8 in \(20 cm\) and 0\.25 at 16 in \(40 cm\)\.$/,
    );
    expect(await describeEntry({}, { after: { commissionedAt: iso(0) } })).toMatch(
      /In service since the beginning\.$/,
    );
  });

  it('has no word of what was unset', async () => {
    const after = {
      latitude: null,
      longitude: null,
      commissionedAt: null,
      serialHex: null,
      number: null,
      gateway: null,
      rootDepthCm: null,
      depthWeights: null,
    };
    expect(await describeEntry({}, { before: { number: 3 }, after })).toMatch(
      /^Changed: .*No position\. No date of service\. No serial\. No number\. No gateway\. No root depth\. No weights\.$/,
    );
  });

  it('has only the settings in the call when it is new', async () => {
    const after = { number: 3, uid: 'x', rootDepthCm: 60 };
    const added = await describeEntry({}, { before: null, after, input: { rootDepthCm: '60 cm' } });
    expect(added).toBe(
      'Added: Olive 1 is a soil probe in North block, 0 sensors. Root depth 60 cm.',
    );
    const assigned = await describeEntry({}, { before: {}, input: { device: 'A84041' } });
    expect(assigned).toMatch(/^Changed: /);
  });
});

it.each([
  ['Moisture 20 cm, Temperature and 12 mm', undefined],
  ['Moisture 8 in (20 cm), Temperature and 12 mm', 'us'],
] as const)(
  'names sensors by their labels, else by what and where they measure: %s',
  (names, units) => {
    const text = describeKeptSensors({
      sensors: [
        { type: 'humidity', depth: 20, label: null },
        { type: 'temperature', depth: null, label: null },
        { type: 'humidity', depth: 30, label: '12 mm' },
      ],
    });
    expect(renderText(text, units)).toBe(`These sensors have readings and are kept: ${names}.`);
  },
);

it('suggests to rename one of two similar names', () =>
  expect(renderAnswer(describeSimilarName('set_parcel', 'North block'))).toEqual({
    summary:
      'The name is nearly that of North block, which exists too. One of them can be renamed.',
    next: ['set_parcel(name, newName)'],
  }));
