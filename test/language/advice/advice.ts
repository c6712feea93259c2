import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';

/** Of a probe that needs water, by a reading of an hour ago and by equipment of the whole area. */
export const ADVICE: AdviceBody = {
  moduleId: 1,
  time: iso(FARM_NOW - HOUR),
  deficitMm: 21.46,
  settings: { refillPercent: 100, efficiencyPercent: 100, leachingPercent: 0, hoursPerDay: 24 },
  netMm: 21.46,
  waterMm: 21.46,
  durationMin: 250,
  fractionWetted: 1,
  daily: { days: 1, minutesPerDay: 250 },
  volumeM3: 43.067,
  daysToStress: 0,
  planned: { until: iso(FARM_NOW + 4 * DAY), count: 0, waterMm: 0, nextAt: null },
  rest: null,
  confidence: 'complete',
  reasons: [],
  doubts: [],
};
