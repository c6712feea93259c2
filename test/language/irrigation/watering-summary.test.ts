import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import {
  describeEnoughIfItRuns,
  summarizeDoseRecompute,
  summarizeWatering,
  summarizeWateringPreview,
} from '../../../src/language/irrigation/watering-summary.ts';
import type { WateringAnswer, WateringBody } from '../../../src/schema/irrigation/watering.ts';
import { FARM_NOW, HOUR, iso, MINUTE } from '../../farm.ts';
import { renderAnswer, renderText } from '../render-text.ts';
import { answerOf, depth, equipment, farm, volume, watering } from './waterings.ts';

const WHEN = 'on Row 1, today 06:00 to 06:45 (Europe/Paris)';
const DOSE = '21.5 mm over the whole area';

describe('a watering', () => {
  it.each<[string, Partial<WateringBody>]>([
    [`Logged 45 min of drip ${WHEN}: ${DOSE}.`, {}],
    [
      `Logged 45 min of drip ${WHEN}: ${DOSE}, 61.3 mm in the wetted zone (35 % by default).`,
      { waterMmWetted: 61.314 },
    ],
    [
      `Logged 45 min of drip ${WHEN}: ${DOSE}, 53.6 mm in the wetted zone.`,
      {
        waterMmWetted: 53.65,
        configSnapshot: equipment({ fractionWetted: 0.4, fractionWettedIsDefault: false }),
      },
    ],
    [`Planned 45 min of drip ${WHEN}: ${DOSE}.`, { status: 'planned' }],
    [`Logged as skipped: 45 min of drip ${WHEN}: ${DOSE}.`, { status: 'skipped' }],
    [`Logged 45 min of watering ${WHEN}: no dose yet.`, { configSnapshot: null, waterMm: null }],
    [`Logged 21.5 mm of drip ${WHEN}: ${DOSE}.`, depth(21.46)],
    [
      `Logged 318 m3 of surface irrigation ${WHEN}: ${DOSE}.`,
      { ...volume(317.97), configSnapshot: equipment({ system: 'gravity' }) },
    ],
    [
      'Logged 21.5 mm of drip on Row 1, today 06:00 (Europe/Paris): 21.5 mm over the whole area.',
      { ...depth(21.46), endedAt: null, durationMin: null },
    ],
    [
      `Logged 6 h 15 min of drip on Row 1, today 06:00 to 12:15 (Europe/Paris): ${DOSE}. It is still running until 12:15.`,
      { durationMin: 375, endedAt: iso(FARM_NOW + 15 * MINUTE) },
    ],
    [
      `Logged as skipped: 6 h 15 min of drip on Row 1, today 06:00 to 12:15 (Europe/Paris): ${DOSE}.`,
      { durationMin: 375, endedAt: iso(FARM_NOW + 15 * MINUTE), status: 'skipped' },
    ],
  ])('is %j', async (sentence, fields) =>
    expect(renderText(await summarizeWatering(answerOf(fields), farm))).toBe(sentence),
  );

  // 21.46 mm are 0.8449 in, where 21.5 mm would be 0.85; 317.97 m3 are 83,999 gal.
  it.each<[string, Partial<WateringBody>]>([
    [
      `Logged 0.84 in (21.5 mm) of drip ${WHEN}: 0.84 in (21.5 mm) over the whole area, 2.41 in (61.3 mm) in the wetted zone (35 % by default).`,
      { ...depth(21.46), waterMmWetted: 61.314 },
    ],
    [
      `Logged 84,000 gal (318 m3) of drip ${WHEN}: 0.083 in (2.1 mm) over the whole area.`,
      { ...volume(317.97), waterMm: 2.114 },
    ],
  ])('has US units: %j', async (sentence, fields) =>
    expect(renderText(await summarizeWatering(answerOf(fields), farm), 'us')).toBe(sentence),
  );
});

describe('a dose that is missing', () => {
  it.each<[string, readonly string[], WateringAnswer['warnings'][number], number | null]>([
    [
      'No equipment of Row 1 covers that date, so the dose is missing: declare what was there, and the dose is completed by itself.',
      ['set_module_installation(effectiveFrom: that date or before)'],
      'NO_INSTALLATION',
      null,
    ],
    [
      'No equipment of Row 1 covers that date, so the dose in the wetted zone is missing: declare what was there, and the dose is completed by itself.',
      ['set_module_installation(effectiveFrom: that date or before)'],
      'NO_INSTALLATION',
      12,
    ],
    [
      'The equipment has no application rate, so its minutes give no dose: ask for it and add it.',
      ['correct_installation(flowMmPerH)'],
      'MISSING_FLOW_RATE',
      null,
    ],
    [
      'The equipment has no irrigated area, so its volume gives no dose: ask for it and add it.',
      ['correct_installation(irrigatedAreaM2)'],
      'MISSING_IRRIGATED_AREA',
      null,
    ],
    ['', [], 'DEFAULT_FRACTION_WETTED', 12],
  ])('is explained: %j', async (sentence, next, warning, waterMm) => {
    const answer = renderAnswer(await summarizeWatering(answerOf({ waterMm }, [warning]), farm));
    expect(answer.summary.split(/(?:dose yet|area)\. ?/)[1]).toBe(sentence);
    expect(answer.next).toEqual(next);
  });
});

describe('a watering that is not logged yet', () => {
  it.each([
    ['21.5 mm over the whole area', [21.46]],
    ['2.1 to 21.5 mm', [21.46, 2.114]],
    ['21.5 mm over the whole area', [21.46, null]],
  ] as const)('would be %s', (dose, doses) => {
    const waterings = doses.map((waterMm) => watering({ waterMm }));
    expect(renderText(summarizeWateringPreview({ waterings }))).toBe(
      `Nothing is logged yet; it would be ${dose}.`,
    );
  });

  it('has US units', () =>
    expect(
      renderText(
        summarizeWateringPreview({
          waterings: [watering({ waterMm: 21.46 }), watering({ waterMm: 2.114 })],
        }),
        'us',
      ),
    ).toBe('Nothing is logged yet; it would be 0.083 to 0.84 in (2.1 to 21.5 mm).'));
});

describe('a planned watering that is enough', () => {
  const planned = { neededMm: 17.34, neededMin: 314, at: FARM_NOW + 10 * HOUR, durationMin: 360 };

  it.each([
    ['Oak needs 5 h 15 min; planned today 22:00 for 6 h: enough, if it runs.', {}],
    [
      'Oak needs 17 mm; planned today 22:00: enough, if it runs.',
      { neededMin: null, durationMin: null },
    ],
  ])('is %j', (sentence, fields) =>
    expect(renderText(describeEnoughIfItRuns({ ...planned, ...fields }, say`Oak`))).toBe(sentence),
  );

  it('follows a sentence about the probe, and has US units', () =>
    expect(renderText(describeEnoughIfItRuns({ ...planned, neededMin: null }), 'us')).toBe(
      'It needs 0.68 in (17 mm); planned today 22:00 for 6 h: enough, if it runs.',
    ));
});

describe('doses that were completed', () => {
  it.each([
    ['2 doses completed on Row 1; 0 still missing.', 2, {}],
    [
      '1 dose completed on Row 1; 3 still missing (2 without equipment at that time, 1 without an irrigated area).',
      1,
      { NO_INSTALLATION: 2, MISSING_IRRIGATED_AREA: 1 },
    ],
    [
      '0 doses completed on Row 1; 1 still missing (1 without an application rate).',
      0,
      { MISSING_FLOW_RATE: 1 },
    ],
  ])('are %j', async (sentence, completed, byReason) => {
    const count = Object.values(byReason).reduce((sum, missing) => sum + missing, 0);
    const answer = { completed, missingDoses: { count }, byReason };
    expect(renderText(await summarizeDoseRecompute(answer, farm, { moduleId: 1 }))).toBe(sentence);
  });
});
