import { name, say } from '../../../src/domain/text/say.ts';
import type { ProbeContext } from '../../../src/language/advice/reason-context.ts';
import type { AdviceBody } from '../../../src/schema/advice/advice.ts';
import { adviceOfBody } from '../../../src/schema/advice/advice-body.ts';
import type { Advisory } from '../../../src/schema/advisory.ts';
import { DAY, FARM_NOW, HOUR, iso } from '../../farm.ts';
import { contextOf } from '../context.ts';

/** Advice for a probe that needs water: a reading of an hour ago, equipment of the whole area. */
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

/** The context of this advice with changes, for a probe that is called Oak. */
export const contextOfAdvice = (
  changes: Partial<AdviceBody>,
  context: Partial<Omit<ProbeContext, 'advice'>> = {},
  advisories: readonly Advisory[] = [],
): ProbeContext => ({
  ...contextOf(),
  target: say`${name('Oak')}`,
  advice: adviceOfBody({ ...ADVICE, ...changes }, advisories),
  request: { expectedRainMm: 0 },
  fallenMm: 0,
  differing: [],
  exchangedWith: null,
  ...context,
});
