import { describe, expect, it } from 'vitest';
import {
  describeCalibration,
  summarizeCalibratedSettings,
} from '../../../src/language/moisture/calibration-summary.ts';
import type { CalibrationChangeBody } from '../../../src/schema/moisture/calibration.ts';
import type { SettingsValues } from '../../../src/schema/moisture/setting-fields.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({ modules: [{ ...MODULE, name: 'Oak' }] });

const SETTINGS: SettingsValues = {
  rootDepthCm: 60,
  depthWeights: null,
  stonesByDepth: null,
  emitterDepthCm: null,
  mulch: null,
  allowedDepletion: null,
  refillPercent: null,
  efficiencyPercent: null,
  leachingPercent: null,
  hoursPerDay: null,
  restFrom: null,
  restUntil: null,
  waterTimes: null,
  waterSource: null,
};

const POINT = '20 cm: reads 20, true 23';
const DATED = `${POINT}, from ${iso(FARM_NOW - DAY)}`;
const STORED =
  'The readings stay as they are stored; whatever shows or judges them uses the calibrated values.';

const calibrated = async (
  changes: Partial<CalibrationChangeBody> | null,
  before: Partial<SettingsValues> = {},
  units?: 'us',
): Promise<string> => {
  const answer = {
    moduleId: 1,
    settings: { ...SETTINGS, validFrom: null },
    validTo: null,
    before,
    defaults: SETTINGS,
    calibration: changes && { points: [], before: [], moved: [], ...changes },
  };
  return renderText(await summarizeCalibratedSettings(answer, context), units);
};

describe('a calibration', () => {
  const level = { kind: 'line', id: 'a', from: 18, to: 21.25 } as const;
  const alert = { ...level, kind: 'alert' } as const;

  it.each<[string, Partial<CalibrationChangeBody>]>([
    [
      `Oak is calibrated: "${POINT}"; "${POINT}, from yesterday". ${STORED}`,
      { points: [POINT, DATED] },
    ],
    [`Oak is calibrated: "${POINT}". ${STORED}`, { points: [`"${POINT}"`] }],
    [`Oak has no calibration any more; it was: "${POINT}".`, { before: [POINT] }],
    ['Nothing changed: Oak already has this calibration.', { points: [POINT], before: [POINT] }],
    [
      `Oak is calibrated: "${POINT}". ${STORED} Its lines moved with the curve: from 18 to 21.25 % and from 18 to 21.25 %. Its alerts moved too: from 18 to 21.25 %.`,
      { points: [POINT], moved: [level, level, alert] },
    ],
  ])('is %j, as it can be entered again in every unit system', async (sentence, changes) => {
    expect(await calibrated(changes)).toBe(sentence);
    expect(await calibrated(changes, {}, 'us')).toBe(sentence);
  });

  it.each([
    [undefined, 'root depth from 50 to 60 cm'],
    ['us', 'root depth from 20 to 24 in (50 to 60 cm)'],
  ] as const)('comes after the settings that changed with it, in %s units', async (units, change) =>
    expect(await calibrated({ points: [POINT] }, { rootDepthCm: 50 }, units)).toMatch(
      new RegExp(
        `^Oak, from the start: ${change.replace(/[()]/g, '\\$&')} .*[.] Oak is calibrated: `,
      ),
    ),
  );

  it('is not mentioned where only settings changed', async () =>
    expect(await calibrated(null, { rootDepthCm: 50 })).not.toContain('calibrat'));
});

describe('the calibration in force', () => {
  // The end of a long text is left out in a summary, and with it the end of its day.
  const cut = '120 cm: reads 20.25, true 23.75, from 2026-03-01T00:00:0…';

  it.each<[string[], string[] | undefined]>([
    [[], undefined],
    [[], []],
    [[`Calibration: "${POINT}, from yesterday".`], [DATED]],
    [[`Calibration: "${cut}".`], [`"${cut}"`]],
  ])('is %j', (sentences, calibration) =>
    expect(describeCalibration({ calibration }).map((text) => renderText(text))).toEqual(sentences),
  );
});
