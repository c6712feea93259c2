import { describe, expect, it } from 'vitest';
import type { UnitSystem } from '../../../src/domain/units.ts';
import {
  describeSettings,
  summarizeParcelSettings,
  summarizeProbeSettings,
} from '../../../src/language/moisture/settings-summary.ts';
import type { SettingsValues } from '../../../src/schema/moisture/setting-fields.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';
import { renderText } from '../render-text.ts';

const context = contextOf({
  modules: [{ ...MODULE, name: 'Oak' }],
  parcels: [{ id: 1, name: 'North block' }],
});

const UNSET: SettingsValues = {
  rootDepthCm: null,
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
const ALL: SettingsValues = {
  rootDepthCm: 60,
  depthWeights: ['10: 0.25', '30: 0.75'],
  stonesByDepth: ['0: 10', '40: 50'],
  emitterDepthCm: 30,
  mulch: null,
  allowedDepletion: 0.4,
  refillPercent: 80,
  efficiencyPercent: 90,
  leachingPercent: 10,
  hoursPerDay: 2.5,
  restFrom: '11-15',
  restUntil: '03-15',
  waterTimes: null,
  waterSource: null,
};

const change = (before: Partial<SettingsValues>, settings: Partial<SettingsValues>) => ({
  moduleId: 1,
  settings: { ...UNSET, ...settings, validFrom: null as string | null },
  validTo: null as string | null,
  before,
  defaults: { ...UNSET, allowedDepletion: 0.5, refillPercent: 100 },
});

const ofProbe = async (answer: ReturnType<typeof change>): Promise<string> =>
  renderText(await summarizeProbeSettings(answer, context));

describe('changed settings', () => {
  it.each<[string, Partial<SettingsValues>, Partial<SettingsValues>]>([
    [
      'root depth 60 cm, not set before (default: down to the deepest sensor)',
      { rootDepthCm: null },
      { rootDepthCm: 60 },
    ],
    [
      'allowed depletion from 40 % to 50 % (default: 50 %)',
      { allowedDepletion: 0.4 },
      { allowedDepletion: 0.5 },
    ],
    [
      'weights unset, it was 0.5 at 20 cm (now the default: by root depth, or all depths alike without one)',
      { depthWeights: ['20: 0.5'] },
      {},
    ],
    [
      'efficiency 90 %, not set before (default: 100 %, no losses); longest watering a day from 1 h 30 min to 2 h (default: none)',
      { efficiencyPercent: null, hoursPerDay: 1.5 },
      { efficiencyPercent: 90, hoursPerDay: 2 },
    ],
    [
      'first day of rest 15 November, not set before (default: none)',
      { restFrom: null },
      { restFrom: '11-15' },
    ],
  ])('are %j', async (words, before, settings) =>
    expect(await ofProbe(change(before, settings))).toBe(`Oak, from the start: ${words}.`),
  );

  it.each([
    [60, 80, 'from 24 to 31 in (60 to 80 cm)'],
    [60, 61, 'from 23.6 to 24 in (60 to 61 cm)'],
  ])('tell two depths apart in inches: %d and %d cm', async (before, after, words) => {
    const answer = change({ rootDepthCm: before }, { rootDepthCm: after });
    const text = await summarizeParcelSettings({ ...answer, parcelId: 1 }, context);
    expect(renderText(text, 'us')).toContain(`root depth ${words} (default: `);
  });

  it('say from when on they apply, and until when', async () => {
    const answer = change({ refillPercent: 70 }, { refillPercent: 80 });
    const settings = { ...answer.settings, validFrom: iso(FARM_NOW - DAY) };
    expect(await ofProbe({ ...answer, settings, validTo: iso(FARM_NOW) })).toBe(
      'Oak, from yesterday 12:00 (Europe/Paris): refill from 70 % to 80 % (default: 100 %).' +
        ' Later settings still apply from today 12:00 (Europe/Paris) on.',
    );
  });

  it('of a parcel apply where probes have none of their own', async () =>
    expect(
      renderText(
        await summarizeParcelSettings(
          { ...change({ leachingPercent: null }, { leachingPercent: 10 }), parcelId: 1 },
          context,
        ),
      ),
    ).toBe(
      'North block, where its probes have no settings of their own, from the start: leaching 10 %, not set before (default: none).',
    ));

  it('are none where they are the same', async () =>
    expect(await ofProbe(change({}, {}))).toBe('Nothing changed: Oak already has these settings.'));
});

describe('settings in force', () => {
  const inForce = (settings?: SettingsValues, units?: UnitSystem): string[] =>
    describeSettings({ settings }, FARM_NOW).map((text) => renderText(text, units));

  it('are listed', () => {
    expect(inForce()).toEqual([]);
    expect(inForce(UNSET)).toEqual([]);
    expect(inForce(ALL)).toEqual([
      'Settings: root depth 60 cm; weights 0.25 at 10 cm and 0.75 at 30 cm; stones 10 % from the surface and 50 % from 40 cm down; depth of emitters 30 cm; allowed depletion 40 %; refill 80 %; efficiency 90 %; leaching 10 %; at most 2 h 30 min a day; first day of rest 15 November; last day of rest 15 March.',
    ]);
  });

  it('have depths in inches', () =>
    expect(inForce({ ...UNSET, rootDepthCm: 60 }, 'us')).toEqual([
      'Settings: root depth 24 in (60 cm).',
    ]));
});
