import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../../src/domain/units.ts';
import {
  summarizeChart,
  summarizeShownMoisture,
} from '../../../src/language/advice/chart-summary.ts';
import type { MoistureChartBody } from '../../../src/schema/advice/moisture-chart.ts';
import type { WateringBody, WateringWitnessBody } from '../../../src/schema/irrigation/watering.ts';
import type { AgronomicStateBody, TensionBody } from '../../../src/schema/moisture/series.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({
  modules: [{ ...MODULE, name: 'Oak' }],
  parcels: [{ id: 1, name: 'North block' }],
});

const STATE: AgronomicStateBody = {
  moduleId: 1,
  state: null,
  value_vwc: null,
  time: null,
  fieldCapacity: null,
  wiltingPoint: null,
  stressPoint: null,
  allowedDepletion: 0.5,
  doubts: [],
  basis: {
    fieldCapacity: null,
    wiltingPoint: null,
    stressPoint: null,
    allowedDepletion: 'default',
  },
};

/** The chart of a sensor without readings, so that the summary of the series is one sentence. */
const CHART: MoistureChartBody = {
  moduleId: 1,
  start: iso(FARM_NOW - 7 * DAY),
  end: iso(FARM_NOW + DAY),
  view: 'summary',
  theme: 'light',
  series: {
    module_id: 1,
    type: 'humidity',
    unit: '%',
    start: iso(FARM_NOW - 7 * DAY),
    end: iso(FARM_NOW + DAY),
    interval_seconds: null,
    weights: { basis: 'equal', byDepth: [{ depth: 10, weight: 1 }] },
    freshness: { time: null, ageMin: null, isFresh: false },
    missingShare: 1,
    statistics: null,
    data: [],
  },
  newest: null,
  state: STATE,
  alerts: [],
  waterings: [],
  rain: [],
};

const START = 'Oak has never sent any moisture. It is in North block.';
const NO_WATERINGS = 'No waterings in that period.';

type ChartChanges = Partial<MoistureChartBody>;

const summaryOf = async (changes: ChartChanges, units?: UnitSystem): Promise<string> =>
  renderText(await summarizeChart({ ...CHART, ...changes }, context, () => true), units);

const newestOf = (...values: readonly number[]): ChartChanges => ({
  newest: {
    value: values[0]!,
    depths: values.map((value, index) => ({ depth: 10 + 20 * index, value })),
  },
});

const tensionOf = (tension: Partial<TensionBody>): ChartChanges => ({
  series: { ...CHART.series, type: 'tensio' },
  state: {
    ...STATE,
    tension: { value: 40, wetLevel: null, dryLevel: null, isDry: null, ...tension },
  },
});

const TYPICAL_TENSION =
  'Ask which levels apply, then draw them. Usual levels depend on the soil: with the texture of its parcel they are suggested.';

describe('the summary of a chart', () => {
  it.each<[string, ChartChanges]>([
    ['It is in North block. No waterings in that period.', {}],
    ['Newest by depth: 10 cm 21.3 %, 30 cm 19 %.', newestOf(21.26, 19)],
    [
      'Newest reading: 21.3 %. Newest by depth: 10 cm 21.3 %, 30 cm 19 %.',
      { series: { ...CHART.series, interval_seconds: 3600 }, ...newestOf(21.26, 19) },
    ],
    [
      'Newest reading: 21.3 °C.',
      {
        series: { ...CHART.series, type: 'temperature', interval_seconds: 3600 },
        ...newestOf(21.26, 19),
      },
    ],
    ['Drawn with stress point 22.4 %.', { state: { ...STATE, stressPoint: 22.43 } }],
    [
      'Drawn with stress point 22 %, field capacity 30.1 %, wilting point 14 %, alert below 20.25 %, alert below 18 %.',
      {
        state: {
          ...STATE,
          stressPoint: 22,
          fieldCapacity: 30.06,
          wiltingPoint: 14,
          basis: { ...STATE.basis, wiltingPoint: 'annotation' },
        },
        alerts: [20.25, 18],
      },
    ],
    ['Drawn with alert below 18 %.', { state: { ...STATE, wiltingPoint: 14 }, alerts: [18] }],
    [
      'Rain: 13.5 mm on 2 days.',
      {
        rain: [
          { day: '2026-06-24', startedAt: iso(FARM_NOW - 7 * DAY), endedAt: null, mm: 3 },
          { day: '2026-06-28', startedAt: iso(FARM_NOW - 3 * DAY), endedAt: null, mm: 8 },
          { day: '2026-06-28', startedAt: iso(FARM_NOW - 3 * DAY), endedAt: null, mm: 2.5 },
        ],
      },
    ],
  ])('has %j', async (sentence, changes) => {
    const summary = await summaryOf(changes);
    expect(summary.startsWith('Oak has never sent any ')).toBe(true);
    expect(summary).toContain(` ${sentence}`);
    expect(summary).toContain(` ${NO_WATERINGS}`);
  });

  it.each<[string, Partial<TensionBody>]>([
    [`Higher is drier. ${TYPICAL_TENSION}`, {}],
    [`Higher is drier. Drawn with wet level 10 kPa. ${TYPICAL_TENSION}`, { wetLevel: 10 }],
    [
      'Higher is drier. Drawn with wet level 10 kPa, dry level 60.5 kPa.',
      { wetLevel: 10, dryLevel: 60.5 },
    ],
  ])('has the levels of tension: %j', async (sentence, tension) =>
    expect(await summaryOf(tensionOf(tension))).toBe(
      `Oak has never sent any tension. It is in North block. ${sentence} ${NO_WATERINGS}`,
    ),
  );

  it('shows the id of a name that the font cannot draw', async () => {
    const text = await summarizeChart(CHART, context, () => false);
    expect(renderText(text)).toBe(
      `${START} The chart’s font cannot draw Oak, so the chart shows #1. The chart’s font cannot draw North block, so the chart shows parcel 1. ${NO_WATERINGS}`,
    );
  });
});

const watering = (id: number, changes: Partial<WateringBody> = {}): WateringBody =>
  ({
    id,
    startedAt: iso(FARM_NOW - id * DAY),
    status: 'done',
    waterMm: id,
    ...changes,
  }) as WateringBody;

const witness = (
  eventId: number,
  changes: Partial<WateringWitnessBody> = {},
): WateringWitnessBody => ({
  eventId,
  witness: 'assumed',
  ...changes,
});

const PLANNED = watering(-1, { status: 'planned', waterMm: null });

describe('the waterings of a chart', () => {
  it.each<[string, ChartChanges]>([
    [
      'In that period 1 watering done, 1 mm in all. Newest first (Europe/Paris): yesterday 12:00 1 mm.',
      { waterings: [watering(1)] },
    ],
    [
      'In that period 1 watering planned; 1 of unknown dose. Newest first (Europe/Paris): tomorrow 12:00 dose unknown (planned).',
      { waterings: [PLANNED] },
    ],
    [
      'In that period 1 watering awaits confirmation. Newest first (Europe/Paris): yesterday 12:00 1 mm (awaits confirmation).',
      { waterings: [watering(1, { status: 'planned' })] },
    ],
    [
      'In that period 1 watering done, 1 mm in all (all of it assumed); 2 waterings planned; 2 of unknown dose. Newest first (Europe/Paris): tomorrow 12:00 dose unknown (planned); tomorrow 12:00 dose unknown (planned); yesterday 12:00 1 mm (assumed).',
      {
        waterings: [watering(1, { status: 'planned' }), PLANNED, PLANNED],
        witness: [witness(1)],
      },
    ],
    [
      'In that period 2 waterings done, 3 mm in all (1 mm confirmed, 2 mm shown by the probe). Newest first (Europe/Paris): yesterday 12:00 1 mm; 29 Jun 12:00 2 mm (shown by the probe).',
      {
        waterings: [watering(2), watering(1)],
        witness: [witness(1, { witness: 'confirmed' }), witness(2, { witness: 'probe' })],
      },
    ],
    [
      'In that period 8 waterings done, 36 mm in all. Newest first (Europe/Paris): yesterday 12:00 1 mm; 29 Jun 12:00 2 mm; 28 Jun 12:00 3 mm; 27 Jun 12:00 4 mm; 26 Jun 12:00 5 mm; 25 Jun 12:00 6 mm; 2 earlier.',
      { waterings: [8, 7, 6, 5, 4, 3, 2, 1].map((id) => watering(id)) },
    ],
  ])('are %j', async (sentence, changes) =>
    expect(await summaryOf(changes)).toBe(`${START} ${sentence}`),
  );

  it('are those of the parcel on a tensiometer', async () =>
    expect(await summaryOf({ ...tensionOf({ dryLevel: 60 }), waterings: [watering(1)] })).toMatch(
      / yesterday 12:00 1 mm\. The waterings are those of its parcel\.$/,
    ));
});

describe('a chart of a farm with US units', () => {
  // 12.34 mm are 0.486 in, 12.3 mm 0.484.
  it.each<[string, ChartChanges]>([
    ['Newest by depth: 4 in (10 cm) 21.3 %, 12 in (30 cm) 19 %.', newestOf(21.26, 19)],
    [
      'Newest reading: 70.3 °F (21.3 °C).',
      {
        series: { ...CHART.series, type: 'temperature', interval_seconds: 3600 },
        ...newestOf(21.26),
      },
    ],
    [
      '1 watering done, 0.49 in (12.3 mm) in all. Newest first (Europe/Paris): yesterday 12:00 0.49 in (12.3 mm).',
      { waterings: [watering(1, { waterMm: 12.34 })] },
    ],
    [
      'Rain: 0.49 in (12.3 mm) on 1 day.',
      { rain: [{ day: '2026-06-24', startedAt: null, endedAt: null, mm: 12.34 }] },
    ],
  ])('has %j', async (sentence, changes) =>
    expect(await summaryOf(changes, 'us')).toContain(sentence),
  );
});

describe('the summary of the newest moisture', () => {
  const { moduleId, start, end, series } = CHART;

  it.each<[string, Partial<AgronomicStateBody>]>([
    ['Oak has never sent any moisture.', {}],
    [
      'Oak is in comfort, 22 % by volume today 11:00 (Europe/Paris). No field capacity and no wilting point: declare the soil of its parcel, or draw a line. Oak has never sent any moisture.',
      { state: 'comfort', value_vwc: 22, time: iso(FARM_NOW - HOUR) },
    ],
  ])('is %j', async (sentence, state) =>
    expect(
      renderText(
        await summarizeShownMoisture(
          { moduleId, start, end, series, state: { ...STATE, ...state } },
          context,
        ),
      ),
    ).toBe(sentence),
  );
});
