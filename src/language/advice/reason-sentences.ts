import { type AdviceReason, withholdsAmount } from '../../domain/advice/advice-reason.ts';
import type { AdviceRequest } from '../../domain/advice/probe-advice.ts';
import { effectiveRainMm } from '../../domain/advice/rain-effect.ts';
import { TENSION_FLAGS } from '../../domain/facts/suspect-tension.ts';
import { groupBy } from '../../domain/groups.ts';
import { QUALITY_FLAGS } from '../../domain/moisture/suspect-readings.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { englishFormat } from '../en/grammar.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { describeSuspectTension } from '../monitoring/agronomic-state-summary.ts';
import { formatEstimate, formatMinutes, formatNumber, formatShare } from '../number-format.ts';
import type { SummaryContext } from '../summary-context.ts';
import { written } from '../text/render.ts';
import { formatInstant, type TimeContext } from '../time.ts';
import { advicePhrases, type DescribedReason, type ReasonFacts } from './advice-phrases.ts';
import type { AdvisedAmounts } from './amounts/refill-summary.ts';
import { describeResponse } from './response-summary.ts';

type AdvisoryOf<Kind extends Advisory['kind']> = Extract<Advisory, { kind: Kind }>;

const NO_REASON_FACTS = {
  isKnown: false,
  dailyLimit: '',
  rainMm: '',
  effectiveRainMm: '',
  demandPercent: '',
  fractionWetted: '',
  rootDepthCm: '',
  silentDepths: '',
  jump: '',
};

/** They come before all figures: a person who waters without knowing them may water twice, or for nothing. */
const URGENT_REASONS = [
  'TOP_FROZEN',
  'UNCONFIRMED_WATERING',
  'RECENT_WATERING',
  'FLOW_RATE_IN_DOUBT',
] as const satisfies readonly AdviceReason[];

/** Of these, what only matters to who waters now. */
const isUrgent = (reason: AdviceReason): boolean =>
  reason === 'TOP_FROZEN' || reason === 'UNCONFIRMED_WATERING' || reason === 'RECENT_WATERING';

export const REASONS_TO_WAIT: readonly AdviceReason[] = [...URGENT_REASONS, 'RECENT_RAIN'];

/** Other parts of the summary describe these. */
const REASONS_DESCRIBED_ELSEWHERE: readonly AdviceReason[] = [
  ...URGENT_REASONS,
  'NO_RESPONSE',
  'TOO_WET',
  'LOG_SHIFTED',
  'PROBES_DIFFER',
  'FIELD_CAPACITY_IN_DOUBT',
  'WILTING_POINT_IN_DOUBT',
  'GAUGE_DOUBTFUL',
  'BY_BALANCE',
  'DRY_BY_BALANCE',
  'BALANCE_DIFFERS',
  'RECENT_RAIN',
  ...QUALITY_FLAGS,
  ...TENSION_FLAGS,
  'NO_DRY_LEVEL',
  'LONGER_THAN_A_DAY',
  'PLANNED_TODAY',
  'RUNOFF',
];

export const describeUrgentReasons = (reasons: readonly AdviceReason[]): string[] =>
  describeFirstReasons(reasons.filter(isUrgent));

/** What takes the amount away, or part of it. */
export const describeDoubts = (
  advice: AdviceBody,
  context: SummaryContext,
  advisories: readonly Advisory[],
): string[] => [
  ...describeResponse(advice, context),
  ...describeSuspectTension(advice.tension?.suspect ?? []).map((text) => written(text, context)),
  ...(advice.doubtedLines ?? []).map((doubt) =>
    advicePhrases.lineInDoubt(describeLineDoubt(doubt)),
  ),
  ...describeFirstReasons(
    advice.reasons.filter((reason) => !isUrgent(reason)),
    doubtFacts(advisories, context),
  ),
  ...describeSuspectReadings(advice.doubts ?? [], context),
];

/** Those that take the amount away, and those that a person must know before watering by it. */
export function describeFirstReasons(
  reasons: readonly AdviceReason[],
  facts: Partial<ReasonFacts> = {},
): string[] {
  const described = reasons.filter(isDescribed);
  return [
    ...described.filter(withholdsAmount),
    ...URGENT_REASONS.filter((reason) => reasons.includes(reason)),
  ].map((reason) => advicePhrases.reasons[reason]({ ...NO_REASON_FACTS, ...facts }));
}

const REASONS_OF_ADVISORIES = {
  depths_silent: 'MOSTLY_SILENT',
  depths_jumped: 'DEPTHS_JUMPED',
} as const;

/** The sentence of the reason says what these advisories say. */
export const ADVISORIES_OF_REASONS = Object.keys(
  REASONS_OF_ADVISORIES,
) as (keyof typeof REASONS_OF_ADVISORIES)[];

/** For an answer that does not give the reason. */
export const describeDoubtAdvisory = (
  advisory: AdvisoryOf<keyof typeof REASONS_OF_ADVISORIES>,
  context: TimeContext,
): string =>
  describeFirstReasons(
    [REASONS_OF_ADVISORIES[advisory.kind]],
    doubtFacts([advisory], context),
  ).join(' ');

function doubtFacts(advisories: readonly Advisory[], context: TimeContext): Partial<ReasonFacts> {
  const facts: { -readonly [Name in keyof ReasonFacts]?: ReasonFacts[Name] } = {};
  for (const advisory of advisories) {
    if (advisory.kind === 'depths_silent')
      facts.silentDepths = describeSilentDepths(advisory.depths, context);
    if (advisory.kind === 'depths_jumped') facts.jump = describeJump(advisory, context);
  }
  return facts;
}

function describeSilentDepths(
  depths: AdvisoryOf<'depths_silent'>['depths'],
  context: TimeContext,
): string {
  const bySince = groupBy(depths, ({ since }) => since);
  const groups = [...bySince].map(([since, silent]) =>
    advicePhrases.silentDepths(
      englishFormat.list(silent.map(({ depthCm }) => englishFormat.number(depthCm))),
      since === null ? null : formatInstant(since, context),
    ),
  );
  return groups.join('; ');
}

const describeJump = (
  { at, points }: Pick<AdvisoryOf<'depths_jumped'>, 'at' | 'points'>,
  context: TimeContext,
): string => advicePhrases.jump(formatEstimate(points), formatInstant(at, context));

const isDescribed = (reason: AdviceReason): reason is DescribedReason =>
  reason in advicePhrases.reasons;

const tellsWhyUnknown = (reasons: readonly AdviceReason[]): boolean =>
  reasons.some((reason) => withholdsAmount(reason) || reason === 'NO_SOIL_PROFILE');

export function describeReasons(
  { reasons, deficitMm, settings, fractionWetted, usualRoots, tension }: AdvisedAmounts,
  { expectedRainMm, demandPercent }: AdviceRequest,
  fallenMm: number,
): string[] {
  const { reasons: sentences } = advicePhrases;
  const facts = {
    ...NO_REASON_FACTS,
    isKnown: deficitMm !== null,
    dailyLimit: settings === null ? '' : formatMinutes(60 * settings.hoursPerDay),
    rainMm: formatNumber(expectedRainMm),
    effectiveRainMm: formatEstimate(effectiveRainMm(expectedRainMm, (deficitMm ?? 0) - fallenMm)),
    demandPercent: demandPercent === undefined ? '' : formatNumber(demandPercent),
    fractionWetted: fractionWetted === null ? '' : formatShare(fractionWetted),
    rootDepthCm: formatNumber(usualRoots?.rootDepthCm ?? 0),
  };

  return reasons
    .filter(
      (reason): reason is DescribedReason =>
        // A pace that does not come from the call follows from the weather; an advisory describes
        // that.
        !REASONS_DESCRIBED_ELSEWHERE.includes(reason) &&
        !withholdsAmount(reason) &&
        !(reason === 'EXPECTED_DEMAND' && demandPercent === undefined) &&
        // Some depths have a value, or what they hold is unknown.
        !(reason === 'SLICE_WITHOUT_VALUE' && deficitMm === null && tellsWhyUnknown(reasons)) &&
        // It says how far an amount may be off, or how to give one.
        !(reason === 'FIELD_CAPACITY_ESTIMATED' && deficitMm === null) &&
        !(reason === 'DEFAULT_FRACTION_WETTED' && deficitMm === null) &&
        !(reason === 'TENSION_ONLY' && tension?.isDry !== true),
    )
    .map((reason) => sentences[reason](facts));
}
