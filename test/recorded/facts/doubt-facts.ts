import type { TensionFlag } from '../../../src/domain/facts/suspect-tension.ts';
import type { QualityFlag } from '../../../src/domain/moisture/quality-flags.ts';
import type {
  SuspectReadingBody,
  SuspectTensionBody,
  TensionBody,
} from '../../../src/schema/moisture/series.ts';
import { DAY, HOUR, iso } from '../../time.ts';

/** 12:00 in Europe/Paris. */
export const NOW = Date.UTC(2026, 6, 1, 10);

const reading = (
  reason: QualityFlag,
  value: number,
  limit: number | null,
  ageMs: number | null,
  depth: number | null = 30,
): SuspectReadingBody => ({
  reason,
  depth,
  value_vwc: value,
  limit_vwc: limit,
  since: ageMs === null ? null : iso(NOW - ageMs),
});

/** Suspect readings of one and of two depths. */
export const SUSPECT_READINGS: Readonly<Record<QualityFlag, readonly SuspectReadingBody[]>> = {
  TOO_DRY_FOR_SOIL: [reading('TOO_DRY_FOR_SOIL', 3.4, 8.2, null)],
  TOO_WET_FOR_SOIL: [
    reading('TOO_WET_FOR_SOIL', 62.1, 46, null, 10),
    reading('TOO_WET_FOR_SOIL', 63.25, 46, null, 45),
  ],
  SENSOR_FELL: [reading('SENSOR_FELL', 4.5, 24.3, 30 * HOUR)],
  SENSOR_NOISY: [reading('SENSOR_NOISY', 21.55, null, null)],
  SENSOR_DRIFTS: [reading('SENSOR_DRIFTS', 29.4, null, 9 * DAY)],
  SENSOR_STUCK: [reading('SENSOR_STUCK', 21.5, null, 3 * DAY, null)],
};

const tensionReading = (
  reason: TensionFlag,
  value: number,
  from: number | null,
): SuspectTensionBody => ({
  reason,
  depth: 30,
  value_tensio: value,
  from_tensio: from,
  since: iso(NOW - 2 * DAY),
});

export const SUSPECT_TENSIONS: Readonly<Record<TensionFlag, SuspectTensionBody>> = {
  TENSION_AT_ZERO: tensionReading('TENSION_AT_ZERO', 0, null),
  TENSION_AT_LIMIT: tensionReading('TENSION_AT_LIMIT', 239, null),
  TENSION_FELL: tensionReading('TENSION_FELL', 4.5, 71),
};

export const tension = (changes: Partial<TensionBody> = {}): TensionBody => ({
  value: 42.5,
  wetLevel: 12,
  dryLevel: 35,
  isDry: true,
  ...changes,
});
