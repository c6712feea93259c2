import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/domain/periods.ts';
import { CLOCK } from '../../program.ts';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const moisture = simulatedSoil({ depthsCm: [10, 30, 50] });
const DRIP_LINES = {
  system: 'drip',
  emitterFlowLph: 2,
  emitterSpacingM: 0.9,
  lineSpacingM: 6.7,
  irrigatedAreaM2: 10_000,
};

const drawnCapacity = (value: unknown) => ({
  type: 'h-line',
  unit: 'vwc',
  at: 'yesterday',
  value,
  style: { fill: 'threshold1' },
});

const inHours = (hours: number): string =>
  new Date(Date.parse(CLOCK) + hours * HOUR_MS).toISOString();

const situations: readonly Situation[] = [
  {
    name: 'Wide rows',
    moisture,
    installation: null,
    calls: [['set_module_installation', DRIP_LINES]],
  },
  { name: 'Unknown soil rows', moisture, installation: null },
  {
    // A farm file enters what it says and nothing else.
    name: 'Rows of a file',
    moisture,
    installation: { ...DRIP_LINES, flowMmPerH: null, fractionWetted: null },
  },
  {
    name: 'Watered rows',
    moisture: simulatedSoil({
      depthsCm: [10, 30, 50],
      wettest: 18,
      wetted: [{ daysBefore: 3, points: 6 }],
    }),
    installation: { ...DRIP_LINES, flowMmPerH: 3, emitterFlowLph: null, fractionWetted: null },
    waterings: [{ daysBefore: 3, minutes: 60 }],
  },
  {
    name: 'Strip rows',
    moisture,
    installation: null,
    calls: [
      ['set_module_installation', { ...DRIP_LINES, lineSpacingM: '6.7 m', fractionWetted: '1 m' }],
    ],
  },
  {
    name: 'Measured rows',
    moisture,
    installation: null,
    calls: [['set_module_installation', { ...DRIP_LINES, fractionWetted: 0.2 }]],
  },
  ...[
    ['Swapped digits', [45]],
    ['Slipped point', [2.8]],
    ['Confirmed line', [45, 45]],
    ['Measured line', [30]],
  ].map(([name, heights]) => ({
    name: String(name),
    moisture,
    calls: [heights].flat().map((value) => ['create_annotation', drawnCapacity(value)] as const),
  })),
  ...[45, 4].map((flowMmPerH) => ({
    name: `Clay at ${flowMmPerH} mm/h`,
    moisture: simulatedSoil({ depthsCm: [10, 30, 50], wettest: 38, driest: 31 }),
    usdaClass: 'Clay',
    installation: { system: 'sprinkler', flowMmPerH, fractionWetted: 1 },
  })),
  ...[
    ['Planned tonight', 6, 60],
    ['Planned tomorrow', 24, 60],
    ['Running', -1, 240],
  ].map(([name, hoursAhead, durationMin]) => ({
    name: String(name),
    moisture,
    calls: [
      [
        'log_watering',
        { startedAt: inHours(Number(hoursAhead)), durationMin, inputMode: 'duration' },
      ] as const,
    ],
  })),
  ...[
    ['Two days old', 2],
    ['Ten days old', 10],
  ].map(([name, days]) => ({
    name: String(name),
    moisture,
    days: Number(days),
    module: { commissionedAt: inHours(-24 * Number(days)) },
  })),
  { name: 'Entered late', moisture, module: { commissionedAt: undefined } },
  { name: 'Entered today', moisture, days: 2, module: { commissionedAt: undefined } },
  ...[
    ['Deep lettuce', 'lettuce', 300],
    ['Lettuce', 'lettuce', 40],
    ['Young peaches', 'peach', null],
  ].map(([name, type, rootDepthCm]) => ({
    name: String(name),
    moisture,
    parcel: { type },
    module: { settings: { rootDepthCm } },
  })),
];

let farm: SituationFarm;
beforeAll(async () => {
  farm = await situationFarm(situations);
});

describe('a drawn field capacity', () => {
  it.each([
    ['Swapped digits', 45, 'soil that drains holds at most 43'],
    ['Slipped point', 2.8, 'its texture class has 28 %'],
  ])('of %s (%s %%) gives no amount, and is to be checked first', async (name, height, why) => {
    const advice = await farm.advise(name);
    expect(advice).toMatchObject({ deficitMm: null, durationMin: null, daysToStress: null });
    expect(advice.reasons).toContain('FIELD_CAPACITY_IN_DOUBT');
    // The soil is always above the lower of these lines.
    expect(advice.reasons).not.toContain('TOO_WET');
    expect(advice.summary).toMatch(`The field capacity is drawn at ${height} %, but ${why}`);
    const { checkFirst } = await farm.body('morning_brief');
    expect(JSON.stringify(checkFirst)).toContain('FIELD_CAPACITY_IN_DOUBT');
  });

  it('says at drawing what is doubted, with the undo', async () => {
    const { summary, next } = await farm.body('create_annotation', {
      module: 'Slipped point',
      ...drawnCapacity(3.8),
    });
    expect(summary).toContain(
      'The field capacity is drawn at 3.8 %, but its texture class has 28 %',
    );
    expect(next).toContain('undo');
  });

  it.each(['Confirmed line', 'Measured line'])('counts without a doubt: %s', async (name) => {
    const { reasons, deficitMm } = await farm.advise(name);
    expect(reasons).not.toContain('FIELD_CAPACITY_IN_DOUBT');
    expect(deficitMm).toBeGreaterThan(0);
  });
});

describe('a sprinkler', () => {
  const needOf = async (probe: string) => {
    const { needsWater } = await farm.body('morning_brief');
    return (needsWater as { name: string; runoff?: object }[]).find(({ name }) => name === probe)!;
  };

  it('that applies more than clay takes in waters in parts with pauses', async () => {
    const { runoff, daily } = await farm.advise('Clay at 45 mm/h');
    expect(runoff).toMatchObject({ rateMmPerH: 45, intakeMmPerH: 5, pauseMin: expect.any(Number) });
    const minutes = (runoff?.parts ?? 0) * (runoff?.minutesPerPart ?? 0);
    expect(minutes).toBeCloseTo(daily?.minutesPerDay ?? 0, -1);
    expect((await needOf('Clay at 45 mm/h')).runoff).toEqual(runoff);
  });

  it('that the soil keeps up with waters at a time', async () => {
    const { runoff, reasons } = await farm.advise('Clay at 4 mm/h');
    expect(runoff).toBeUndefined();
    expect(reasons).not.toContain('RUNOFF');
    expect((await needOf('Clay at 4 mm/h')).runoff).toBeUndefined();
  });

  it('is said to cause runoff when its schedule is made', async () => {
    const schedule = { startTimes: ['05:00'], freq: 'daily', durationMin: 90 };
    const { summary } = await farm.body('create_schedule', {
      module: 'Clay at 45 mm/h',
      inputMode: 'duration',
      ...schedule,
    });
    expect(summary).toContain('give it in runs of 8 min with pauses of 1 h');
  });
});

describe('a watering', () => {
  it('of today is taken off', async () => {
    const tonight = await farm.advise('Planned tonight');
    // An hour of 1.25 mm/h, of what 0.35 of the area lacks.
    expect(tonight.takenOffMm).toBe(1.25);
    expect(tonight.waterMm).toBeCloseTo(0.35 * (tonight.deficitMm ?? 0) - 1.25, 2);
    expect(tonight.durationMin).toBeCloseTo((60 * (tonight.waterMm ?? 0)) / 1.25, 0);
  });

  it('of tomorrow is mentioned alone', async () => {
    const { takenOffMm, planned } = await farm.advise('Planned tomorrow');
    expect([takenOffMm, planned.count]).toEqual([undefined, 1]);
  });

  it('that runs is waited for', async () => {
    const { waterMm, durationMin, reasons, summary } = await farm.advise('Running', {
      detail: 'full',
    });
    expect([waterMm, durationMin]).toEqual([null, null]);
    expect(reasons).toContain('WATERING_RUNS');
    expect(summary).not.toContain('The deficit is for');
  });
});

describe('a probe', () => {
  it('of two days gets no amount while its soil settles', async () => {
    const { durationMin, reasons } = await farm.advise('Two days old');
    expect(durationMin).toBeNull();
    expect(reasons).toContain('NEW_PROBE');
    expect(reasons).not.toContain('GAPS');
  });

  it.each(['Ten days old', 'Entered late'])('gets an amount: %s', async (name) => {
    const { durationMin, reasons } = await farm.advise(name);
    expect(durationMin).toBeGreaterThan(0);
    expect(reasons).not.toContain('NEW_PROBE');
    expect(reasons).not.toContain('COMMISSIONING_UNKNOWN');
  });

  it('whose date was left out gets an amount, and is asked about', async () => {
    const { durationMin, reasons } = await farm.advise('Entered today');
    expect(durationMin).toBeGreaterThan(0);
    expect(reasons).toContain('COMMISSIONING_UNKNOWN');
  });
});

describe('roots', () => {
  it('deeper than those of the crop are said, and checked before it is watered', async () => {
    const { reasons } = await farm.advise('Deep lettuce');
    expect(reasons).toContain('ROOTS_TOO_DEEP');
  });

  it('within those of the crop are not mentioned', async () => {
    const { reasons, usualRoots } = await farm.advise('Lettuce');
    expect(reasons).not.toContain('ROOTS_TOO_DEEP');
    expect(usualRoots).toBeUndefined();
  });

  it('that nobody gave are said with what the table has', async () => {
    const { reasons, summary } = await farm.advise('Young peaches');
    expect(reasons).toContain('NO_ROOT_DEPTH');
    expect(summary).not.toContain('FAO-56');
  });

  it('are said with what the table has where they are set', async () => {
    const deep = await farm.body('set_probe_settings', { module: 'Lettuce', rootDepthCm: 280 });
    expect(deep.summary).toContain(
      'Roots of 280 cm are deeper than usual: FAO-56 has 30 to 50 cm for a grown crop (lettuce)',
    );
    const usual = await farm.body('set_probe_settings', { module: 'Lettuce', rootDepthCm: 40 });
    expect(usual.summary).not.toContain('FAO-56');
    const planted = await farm.body('set_parcel', {
      name: 'Young peaches block',
      plantedOn: '2026-03-01',
      harvestedOn: '2026-08-20',
    });
    expect(planted.summary).toContain('FAO-56 has 100 to 200 cm for a grown crop (peach)');
    expect(planted.summary).toContain('The harvest on 20 Aug is still to come');
  });
});

describe('the wetted fraction', () => {
  it.each(['Wide rows', 'Rows of a file'])(
    'is that of the spacing of the lines where nobody measured it: %s',
    async (module) => {
      const { fractionWetted, deficitMm, netMm } = await farm.advise(module);
      // A strip of 1.1 m on loam, of 6.7 m.
      expect(fractionWetted).toBe(0.16);
      expect(netMm).toBeCloseTo(0.16 * (deficitMm ?? 0), 2);
    },
  );

  it('is entered with the spacing, and asked about where it stands beside a default', async () => {
    const entered = await farm.advise('Wide rows');
    expect(entered.reasons).not.toContain('FRACTION_OF_LINE_SPACING');
    expect(entered.reasons).not.toContain('DEFAULT_FRACTION_WETTED');
    const asked = await farm.advise('Rows of a file');
    expect(asked.reasons).toContain('FRACTION_OF_LINE_SPACING');
    expect(asked.reasons).not.toContain('DEFAULT_FRACTION_WETTED');
    expect(asked.next).toContain('correct_installation(fractionWetted: 16 %)');
    const question = 'a wetted fraction that nobody entered, ';
    const { summary } = await farm.body('morning_brief');
    expect(summary).toContain(
      `${question}16 % on "Rows of a file block" and 16 % on Watered rows block: ask whether`,
    );

    const corrected = await farm.body('correct_installation', {
      parcel: 'Rows of a file block',
      emitterSpacingM: DRIP_LINES.emitterSpacingM,
      lineSpacingM: DRIP_LINES.lineSpacingM,
    });
    expect(corrected).toMatchObject({ fractionWetted: 0.16, fractionWettedIsDefault: false });
    expect(corrected.summary).toContain('Its wetted fraction is entered as 16 %');
    expect((await farm.advise('Rows of a file')).reasons).toEqual(entered.reasons);
    const { summary: later } = await farm.body('morning_brief');
    expect(later).toContain(`${question}16 % on Watered rows block: ask whether`);
  });

  it('is that of a strip that somebody measured', async () => {
    const { fractionWetted, reasons } = await farm.advise('Strip rows');
    expect(fractionWetted).toBeCloseTo(1 / 6.7, 9);
    expect(reasons).not.toContain('DEFAULT_FRACTION_WETTED');
  });

  it('is the same in advice, review and the form of the page', async () => {
    const { fractionWetted } = await farm.advise('Watered rows');
    expect(fractionWetted).toBe(0.16);
    const { waterings, summary } = await farm.body('review_waterings', { module: 'Watered rows' });
    // 3 mm over the whole area; the dose is recorded as 8.6 mm, by the default.
    expect(waterings).toMatchObject([{ waterMm: 3, waterMmWetted: 18.75, netMmWetted: 18.75 }]);
    expect(summary).toContain('the watering gave 19 mm in the wetted zone.');

    const entry = { startedAt: 'today 6:00', durationMin: 60, inputMode: 'duration' };
    const preview = await farm.body('preview_watering', { module: 'Watered rows', ...entry });
    expect(preview.waterings).toMatchObject([
      { waterMm: 3, waterMmWetted: 18.75, fractionWetted: 0.16, warnings: [] },
    ]);
    const logged = await farm.body('log_watering', { module: 'Watered rows', ...entry });
    expect(logged.summary).toContain('8.6 mm in the wetted zone (35 % by default)');
    const corrected = await farm.body('correct_watering', {
      eventId: logged.event.id,
      inputMode: 'duration',
      durationMin: 120,
    });
    expect(corrected.summary).toContain('17.1 mm in the wetted zone (35 % by default)');
  });

  it('is the measured one where it was entered', async () => {
    const { fractionWetted, reasons } = await farm.advise('Measured rows');
    expect(fractionWetted).toBe(0.2);
    expect(reasons).not.toContain('FRACTION_OF_LINE_SPACING');
  });

  it('is named with each dose as long as it is a default', async () => {
    const declared = await farm.body('set_module_installation', {
      module: 'Unknown soil rows',
      system: 'drip',
      flowMmPerH: 1,
    });
    expect(declared.summary).toContain('The wetted fraction, 35 %, is the default for drip');
    const logged = await farm.body('log_watering', {
      module: 'Unknown soil rows',
      startedAt: 'today 6:00',
      durationMin: 60,
      inputMode: 'duration',
    });
    expect(logged.warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    expect(logged.summary).toContain('mm in the wetted zone (35 % by default).');
  });
});
