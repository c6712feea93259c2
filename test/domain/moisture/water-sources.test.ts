import { describe, expect, it } from 'vitest';
import { NO_SETTINGS, type SettingsVersion } from '../../../src/domain/moisture/probe-settings.ts';
import { type WaterSource, withTimesOfSource } from '../../../src/domain/moisture/water-sources.ts';
import { NO_WATER_TIMES, type WaterTimes } from '../../../src/domain/moisture/water-times.ts';

const every = (everyHours: number): WaterTimes => ({
  ...NO_WATER_TIMES,
  everyHours,
  turnAt: '2026-06-06T06:00Z',
});
const version = (
  validFrom: number,
  waterSource: string | null,
  waterTimes: WaterTimes | null = null,
): SettingsVersion => ({ ...NO_SETTINGS, validFrom, waterSource, waterTimes });

const sources = new Map<string, WaterSource>([
  [
    'Canal',
    {
      name: 'Canal',
      versions: [
        { validFrom: 0, times: every(192) },
        { validFrom: 200, times: every(96) },
      ],
    },
  ],
]);

/** "0: 192, 200: none" */
const hours = (versions: readonly SettingsVersion[]): string =>
  withTimesOfSource(versions, sources)
    .map(({ validFrom, waterTimes }) => `${validFrom}: ${waterTimes?.everyHours ?? 'none'}`)
    .join(', ');

describe('the times of a source', () => {
  it.each<[string, string, SettingsVersion[]]>([
    ['change with it', '0: 192, 200: 96', [version(0, 'Canal')]],
    [
      'hold from the day on which a parcel draws from it',
      '0: none, 100: 192, 200: 96',
      [version(0, null), version(100, 'Canal')],
    ],
    [
      'end when it draws no longer',
      '0: 192, 100: none, 200: none',
      [version(0, 'Canal'), version(100, null)],
    ],
    ['give way to those of the parcel, whole', '0: 24, 200: 24', [version(0, 'Canal', every(24))]],
    ['are none of a source that is gone', '50: none', [version(50, 'Well')]],
    ['are none without settings', '', []],
  ])('%s', (_, expected, versions) => {
    expect(hours(versions)).toBe(expected);
  });
});
