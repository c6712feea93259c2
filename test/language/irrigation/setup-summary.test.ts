import { describe, expect, it } from 'vitest';
import {
  describeVersion,
  summarizeDeclaredSetup,
  summarizeGeneralizedSetup,
  summarizeParcelIrrigation,
  summarizeParcelSetup,
  summarizePlacement,
  summarizeSetupVersion,
} from '../../../src/language/irrigation/setup-summary.ts';
import type {
  InstallationVersionBody,
  IrrigationConfigurationBody,
  ParcelIrrigationBody,
} from '../../../src/schema/irrigation/installation.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { farm } from './waterings.ts';

const VERSION: InstallationVersionBody = {
  id: 2,
  scope: 'module',
  parcelId: null,
  moduleId: 1,
  system: 'drip',
  flowMmPerH: 3.555,
  emitterFlowLph: 1.6,
  emittersPerM2: 2.22222,
  fractionWetted: 0.35,
  fractionWettedIsDefault: true,
  irrigatedAreaM2: 15_950.3,
  validFrom: iso(FARM_NOW - DAY),
  validTo: null,
  setAt: iso(FARM_NOW - DAY),
  notes: null,
};

const BARE = {
  system: 'micro_sprinkler',
  flowMmPerH: null,
  emitterFlowLph: null,
  emittersPerM2: null,
  fractionWetted: 0.6,
  fractionWettedIsDefault: false,
  irrigatedAreaM2: null,
} as const;

const EQUIPMENT =
  'drip, 1.6 L/h per emitter, 2.22 emitters per m2, 3.56 mm/h, wetted fraction 35 % (default), 15950 m2';
const SINCE = 'from yesterday 12:00 (Europe/Paris)';

const setup = (fields: Partial<IrrigationConfigurationBody> = {}): IrrigationConfigurationBody => ({
  moduleId: 1,
  parcelId: 1,
  installation: VERSION,
  defaultFractionWetted: 0.35,
  placement: null,
  canGeneralize: true,
  hasParcelInstallation: false,
  siblingOverrides: 0,
  versions: [VERSION],
  missingDoses: { count: 0, withoutInstallation: 0, oldestWithoutInstallation: null },
  ...fields,
});

const describeSetup = (configuration: IrrigationConfigurationBody) =>
  summarizeDeclaredSetup(configuration, farm, {}, []);

describe('the equipment of a probe', () => {
  it.each<[string, Partial<IrrigationConfigurationBody>]>([
    [`Row 1 is watered by ${EQUIPMENT}, ${SINCE}.`, {}],
    [
      `Row 1 is watered by ${EQUIPMENT} (equipment of Block 12 mm), ${SINCE}.`,
      { installation: { ...VERSION, scope: 'parcel' } },
    ],
    [
      'Row 1 is watered by micro-sprinkler, no application rate, wetted fraction 60 %, no irrigated area, from the start.',
      { installation: { ...VERSION, ...BARE, validFrom: iso(0) } },
    ],
    ['Row 1 has no irrigation equipment.', { installation: null }],
  ])('is %j', async (sentence, fields) =>
    expect(renderText(await describeSetup(setup(fields)))).toBe(sentence),
  );

  // 3.555 mm/h are 0.13996 in/h; 2.22222 emitters per m2 are one in 0.45 m2, which are 4.84 sq ft.
  it('has US units', async () =>
    expect(renderText(await describeSetup(setup()), 'us')).toBe(
      `Row 1 is watered by drip, 0.42 gph (1.6 L/h) per emitter, one emitter per 4.84 sq ft (2.22 per m2), 0.14 in/h (3.56 mm/h), wetted fraction 35 % (default), 3.94 acres (15950 m2), ${SINCE}.`,
    ));

  it.each([
    ['1 watering has no dose, because no equipment covers its date.', 1, 1],
    ['2 waterings have no dose, because no equipment covers their date.', 2, 2],
    ['3 waterings have no dose, 2 of them because no equipment covers their date.', 3, 2],
    ['1 watering has no dose, because an application rate or an irrigated area is missing.', 1, 0],
  ])('lacks doses: %s', async (sentence, count, withoutInstallation) => {
    const missingDoses = { count, withoutInstallation, oldestWithoutInstallation: null };
    expect(renderText(await describeSetup(setup({ missingDoses })))).toBe(
      `Row 1 is watered by ${EQUIPMENT}, ${SINCE}. ${sentence}`,
    );
  });

  it('is that of a past version, if that was declared', async () => {
    const past = { kind: 'past_version', from: FARM_NOW - 9 * DAY, to: FARM_NOW - DAY } as const;
    const versions = [VERSION, { ...VERSION, ...BARE, validFrom: iso(past.from) }];
    const text = await summarizeDeclaredSetup(setup({ versions }), farm, {}, [past]);
    expect(renderText(text)).toBe(
      `The equipment of Row 1 is declared: micro-sprinkler, no application rate, wetted fraction 60 %, no irrigated area. This version applied from 22 Jun 12:00 until yesterday 12:00 only; today’s equipment has not changed. Row 1 is watered by ${EQUIPMENT}, ${SINCE}.`,
    );
    const first = { ...past, from: null };
    expect(renderText(await summarizeDeclaredSetup(setup(), farm, {}, [first]))).toMatch(
      /^This version applied from the beginning until yesterday 12:00 only/,
    );
    expect(renderText(await summarizeDeclaredSetup(setup(), farm, {}, []))).toMatch(
      /^Row 1 is watered/,
    );
  });

  it('is one of several versions', async () => {
    const ended = { ...VERSION, validTo: iso(FARM_NOW) };
    expect(renderText(await describeVersion(ended, farm))).toBe(
      `equipment of Row 1, ${EQUIPMENT}, ${SINCE}, until today 12:00`,
    );
    const ofParcel = { ...VERSION, moduleId: null, parcelId: 1 };
    expect(renderText(await summarizeSetupVersion(ofParcel, farm))).toBe(
      `The equipment of Block 12 mm is now ${EQUIPMENT}, ${SINCE}.`,
    );
  });
});

describe('the equipment of a parcel', () => {
  const probe = (moduleId: number, scope: 'module' | 'parcel') => ({
    moduleId,
    installation: { ...VERSION, scope },
  });
  const ofParcel = (fields: Partial<ParcelIrrigationBody>) =>
    summarizeParcelIrrigation(
      {
        parcelId: 1,
        installation: VERSION,
        versions: [],
        probes: [],
        ...fields,
      } as ParcelIrrigationBody,
      farm,
    );

  it.each<[string, Partial<ParcelIrrigationBody>]>([
    [`Block 12 mm is watered by ${EQUIPMENT}, ${SINCE}.`, {}],
    ['Block 12 mm has no irrigation equipment of its own.', { installation: null }],
    [
      `Block 12 mm is watered by ${EQUIPMENT}, ${SINCE}. It applies to Row 1 and Row 2. Row 3 has equipment of its own.`,
      { probes: [probe(1, 'parcel'), probe(2, 'parcel'), probe(3, 'module')] },
    ],
    [
      'Block 12 mm has no irrigation equipment of its own. Row 2 and Row 3 have equipment of their own.',
      { installation: null, probes: [probe(2, 'module'), probe(3, 'module')] },
    ],
  ])('is %j', async (sentence, fields) =>
    expect(renderText(await ofParcel(fields))).toBe(sentence),
  );

  it('is what was entered, and what was kept of the equipment before', async () => {
    const entry = {
      parcelId: 1,
      system: 'drip',
      emitterFlowLph: 1.6,
      emitterSpacingM: 0.3,
      lineSpacingM: 1.5,
    } as const;
    expect(renderText(await summarizeParcelSetup({}, farm, entry, []))).toBe(
      'The equipment of Block 12 mm is declared: drip, 1.6 L/h per emitter, 2.22 emitters per m2, 3.56 mm/h, wetted fraction 35 % (default), no irrigated area.',
    );
    const kept = { kind: 'equipment_kept', irrigatedAreaM2: 4000 } as const;
    expect(renderText(await summarizeParcelSetup({}, farm, entry, [kept]))).toContain(
      '(default), 4000 m2.',
    );
    const entered = {
      kind: 'fraction_of_spacing_entered',
      fraction: 0.73,
      isSoilKnown: true,
    } as const;
    expect(renderText(await summarizeParcelSetup({}, farm, entry, [kept, entered]))).toContain(
      'wetted fraction 73 %, 4000 m2.',
    );
  });
});

it.each<[string, IrrigationConfigurationBody['placement']]>([
  ['The placement of Row 1 is saved, without a distance to the emitter.', null],
  [
    'Row 1 is 20 cm from the nearest emitter; this does not change any dose.',
    { emitterDistanceCm: 20, notes: null, setAt: iso(FARM_NOW) },
  ],
])('the placement of a probe: %s', async (sentence, placement) =>
  expect(renderText(await summarizePlacement(setup({ placement }), farm))).toBe(sentence),
);

describe('equipment that is applied to the whole parcel', () => {
  const probes = [
    { before: { id: 1 }, after: { id: 2 } },
    { before: { id: 2 }, after: { id: 2 } },
    { before: null, after: { id: 2 } },
  ];

  it.each([
    [
      'Applied the equipment of Row 1 to its whole parcel: 2 of 3 modules changed their equipment.',
      {},
      { changed: 0, unchanged: 0 },
    ],
    [
      'Would apply the equipment of Row 1 to its whole parcel from today 12:00 (Europe/Paris): 4 of 6 modules would change their equipment. Nothing was written. Only 3 of them are listed.',
      { dryRun: true, effectiveFrom: FARM_NOW },
      { changed: 2, unchanged: 1 },
    ],
  ])('is %j', async (sentence, input, leftOut) => {
    const answer = { probes, leftOut };
    const text = await summarizeGeneralizedSetup(answer, farm, { moduleId: 1, ...input });
    expect(renderAnswer(text)).toEqual({
      summary: sentence,
      next: leftOut.changed === 0 ? [] : ['get_irrigation_setup'],
    });
  });
});
