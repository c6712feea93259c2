import { describe, expect, it } from 'vitest';
import {
  summarizeDeclaredSoil,
  summarizeSoilHorizons,
  summarizeSoilProfile,
} from '../../../src/language/soil/soil-summary.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import type { SoilHorizonBody, SoilProfileLayerBody } from '../../../src/schema/soil/soil.ts';
import { adviceOf, contextOf } from '../context.ts';
import { renderAnswer, renderText } from '../render-text.ts';

const context = contextOf({ parcels: [{ id: 1, name: 'North block' }] });
const REQUEST = { parcelId: 1 };

const [LOAM, CLAY] = [
  { soilHorizonId: 6, depthTopCm: 0, depthBottomCm: 40 },
  { soilHorizonId: 8, depthTopCm: 40, depthBottomCm: 90 },
];

describe('the soil of a parcel', () => {
  const layer: SoilProfileLayerBody = {
    id: 2,
    parcel_id: 1,
    soil_horizon_id: 6,
    depth_top_cm: 0,
    depth_bottom_cm: 40,
    timestamp_start: '2026-07-01T10:00:00.217Z',
    horizon_name: 'Loam',
    usda_class: 'Loam',
    theta_fc: 0.2796,
    theta_pwp: 0.137,
  };

  it('is its layers from the top, with their thresholds', async () => {
    const data = [layer, { ...layer, soil_horizon_id: 99, depth_top_cm: 40, depth_bottom_cm: 90 }];
    const summary = await summarizeSoilProfile({ data }, context, REQUEST);
    expect(renderText(summary)).toBe(
      'The soil of North block from the top: Loam 0 to 40 cm (field capacity 28 %, wilting point 14 %); Loam 40 to 90 cm (field capacity 28 %, wilting point 14 %).',
    );
    expect(renderText(summary, 'us')).toMatch(
      /Loam 0 to 16 in \(0 to 40 cm\) \(field capacity 28 %,/,
    );
  });

  it('is asked for where none is declared', async () =>
    expect(renderAnswer(await summarizeSoilProfile({ data: [] }, context, REQUEST))).toEqual({
      summary: 'No soil is declared for North block: ask for its texture, then declare it.',
      next: ['set_soil_profile'],
    }));
});

describe('declared soil', () => {
  const inForce = (...layers: (typeof LOAM)[]): Advisory => ({ kind: 'layers_in_force', layers });
  const declared = async (layers: (typeof LOAM)[], advisories: readonly Advisory[] = []) =>
    renderAnswer(await summarizeDeclaredSoil({}, context, { ...REQUEST, layers }, advisories));

  it.each<[string, (typeof LOAM)[], Advisory[]]>([
    ['Loam 0 to 40 cm, Clay 40 to 90 cm.', [LOAM, CLAY], []],
    ['nothing new.', [], []],
    ['Clay 40 to 90 cm; Loam 0 to 40 cm stays from before.', [CLAY], [inForce(LOAM)]],
  ])('is %j', async (words, layers, advisories) =>
    expect(await declared(layers, advisories)).toEqual({
      summary: `Declared for North block from now on: ${words}`,
      next: [],
    }),
  );

  it('may be the whole profile where the other layers lie below', async () => {
    const deeper = { ...CLAY, depthTopCm: 90, depthBottomCm: 120 };
    expect(await declared([LOAM], [inForce(CLAY, deeper)])).toEqual({
      summary:
        'Declared for North block from now on: Loam 0 to 40 cm; Clay 40 to 90 cm, Clay 90 to 120 cm stay from before, unless what you declared is the whole soil.',
      next: [
        'this call again with closeOthers: true, if these layers are the whole profile: it removes Clay 40 to 90 cm and Clay 90 to 120 cm',
      ],
    });
  });

  it.each<[string, Advisory]>([
    [
      'Closed, and kept for past dates: Loam 0 to 40 cm, Clay 40 to 90 cm.',
      { kind: 'layers_closed', layers: [LOAM, CLAY] },
    ],
    [
      'The same layers were in force before: if they were declared twice by mistake, take these back.',
      { kind: 'layers_as_before' },
    ],
    ['Still in force: Loam 0 to 40 cm.', inForce(LOAM)],
    [
      'Clay 40 to 90 cm overlaps the declared layers: where two cover a depth, the one that starts deeper counts.',
      { kind: 'layers_overlapping', layers: [CLAY] },
    ],
  ])('is followed by %j', (sentence, advisory) =>
    expect(renderText(adviceOf(advisory))).toBe(sentence),
  );
});

it('the texture classes are listed with their codes', () => {
  const horizon = (label: string, code: string) => ({ label, code }) as SoilHorizonBody;
  const data = [horizon('Sand', '1'), horizon('Silty clay', '12')];
  expect(renderText(summarizeSoilHorizons({ data }))).toBe(
    '2 texture classes, sandiest first: Sand (1), Silty clay (12).',
  );
});
