import {
  attributesOf,
  type ReasonKind,
  withholdsAmount,
} from '../../domain/advice/advice-reason.ts';
import { groupBy } from '../../domain/groups.ts';
import { estimate, exact } from '../../domain/text/figures.ts';
import { call, join, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import { describeLineDoubt } from '../moisture/line-doubts.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { describeSuspectTension } from '../monitoring/agronomic-state-summary.ts';
import type { SummaryContext } from '../summary-context.ts';
import { lineCall } from '../text/line-call.ts';
import { describeResponse } from './response-summary.ts';

/** What advisories say of depths in doubt. */
interface DoubtedDepths {
  readonly silent?: AdvisoryOf<'depths_silent'>['depths'];
  readonly jump?: Pick<AdvisoryOf<'depths_jumped'>, 'at' | 'points'>;
}

const NO_AMOUNT = {
  REST_UNKNOWN: say`The last two weeks were colder than ${exact(8, '°C')} on average, when a crop may be dormant or a field bare, so no amount is given: ask when this crop rests, or whether it needs water all winter.${call('set_probe_settings', 'restFrom: a day or never', 'restUntil')}`,
  FROZEN: say`Half of the measured soil or more is frozen, where sensors read too little water, so no amount is given: ask again when it has thawed.`,
  MOSTLY_IN_DOUBT: say`The readings of half of the measured soil or more are in doubt, so no amount is given: check these sensors first.`,
  DEPTHS_JUMPED: ({ jump }: DoubtedDepths) =>
    say`All of its depths rose at once${jump ? say`, by ${estimate(jump.points)} points or more ${timeOf(jump.at)}` : null}, with no watering or rain recorded, and water takes hours to come so far down, so no amount is given: ask whether water came then, and log it; if not, check the plug, the cable and the power of the probe.${call('log_watering')}`,
  MOSTLY_SILENT: ({ silent = [] }: DoubtedDepths) =>
    say`Half of the measured soil or more has no recent reading that can be used${silent.length > 0 ? say` (none from ${describeSilent(silent)})` : null}, so no amount is given: check these sensors.`,
  NEW_PROBE: say`This probe has stood in the soil for less than a week, and the soil around it still settles: give the usual amount until then, and look at the soil by hand.`,
  ROOTS_NOT_MEASURED: say`All of its sensors lie below its roots, or in the uppermost ${exact(10, 'cm')}, which the sun dries, so what its roots lack is unknown: check the root depth and the depths of the sensors.${call('set_probe_settings', 'rootDepthCm')}`,
  SOIL_IN_DOUBT: say`In two weeks it has never drained to what soil of its texture holds, so no amount is given: check the texture of its parcel, and look for standing water. If the texture is right, its field capacity must be drawn.${call('set_soil_profile')}${lineCall('threshold1')}`,
  WATERING_RUNS: say`A watering is running: wait until it has soaked in, then ask again before giving more.`,
  PLANNED_DOSE_UNKNOWN: say`A watering of unknown dose is planned for today: wait for it, or complete its equipment and ask again.${call('correct_installation')}`,
};

/** Of these, only who waters now has to know. */
const BEFORE_WATERING = {
  TOP_FROZEN: say`The topsoil is frozen, so water would run off or freeze: wait for the thaw, then ask again.`,
  UNCONFIRMED_WATERING: say`A watering planned in the last 24 hours is waiting to be confirmed: ask whether it ran before watering again.`,
  RECENT_WATERING: say`A recent watering may still be soaking in: ask again when it has soaked in.`,
};

/**
 * They come before all figures: a person who waters without knowing them may water twice, or for
 * nothing.
 */
const FIRST_REASONS = {
  ...NO_AMOUNT,
  ...BEFORE_WATERING,
  FLOW_RATE_IN_DOUBT: say`A refill would take far longer than a watering usually runs, so the application rate may be entered too low: check the flow and the spacing of the emitters before you go by the hours.${call('correct_installation', 'flowMmPerH')}`,
} satisfies Partial<Record<ReasonKind, Text | ((depths: DoubtedDepths) => Text)>>;

export type FirstReason = keyof typeof FIRST_REASONS;

const isFirst = (reason: ReasonKind): reason is FirstReason => reason in FIRST_REASONS;

const isBeforeWatering = (reason: ReasonKind): boolean => {
  const { isFirst, delays } = attributesOf(reason);
  return isFirst === true && delays === true;
};

export const leavesAmountUncertain = (reason: ReasonKind): boolean =>
  attributesOf(reason).delays === true || withholdsAmount(reason);

/** Those that take the amount away, and those that a person must know before watering by it. */
export const describeFirstReasons = (
  reasons: readonly ReasonKind[],
  depths: DoubtedDepths = {},
): Text[] =>
  reasons.filter(isFirst).map((reason) => {
    const sentence = FIRST_REASONS[reason];
    return typeof sentence === 'function' ? sentence(depths) : sentence;
  });

export const describeUrgentReasons = (reasons: readonly ReasonKind[]): Text[] =>
  describeFirstReasons(reasons.filter(isBeforeWatering));

/** What takes the amount away, or part of it. */
export const describeDoubts = (
  advice: AdviceBody,
  context: SummaryContext,
  advisories: readonly Advisory[],
): Text[] => [
  ...describeResponse(advice, context),
  ...describeSuspectTension(advice.tension?.suspect ?? []),
  ...(advice.doubtedLines ?? []).map(
    (doubt) =>
      say`${describeLineDoubt(doubt)}: check it, and move it or draw it again at the same height to confirm it.`,
  ),
  ...describeFirstReasons(
    advice.reasons.filter((reason) => !isBeforeWatering(reason)),
    doubtedDepths(advisories),
  ),
  ...describeSuspectReadings(advice.doubts ?? [], context),
];

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
): Text =>
  sentences(
    describeFirstReasons([REASONS_OF_ADVISORIES[advisory.kind]], doubtedDepths([advisory])),
  );

function doubtedDepths(advisories: readonly Advisory[]): DoubtedDepths {
  const depths: { -readonly [Name in keyof DoubtedDepths]: DoubtedDepths[Name] } = {};
  for (const advisory of advisories) {
    if (advisory.kind === 'depths_silent') depths.silent = advisory.depths;
    if (advisory.kind === 'depths_jumped') depths.jump = advisory;
  }
  return depths;
}

/** "10 and 20 cm since today 06:00; 30 cm for more than two weeks" */
function describeSilent(depths: AdvisoryOf<'depths_silent'>['depths']): Text {
  const bySince = groupBy(depths, ({ since }) => since);
  const groups = [...bySince].map(([since, silent]) => {
    const depthsCm = silent.map(({ depthCm }) => depthCm);
    return say`${exact(depthsCm, 'cm')} ${since === null ? say`for more than two weeks` : say`since ${timeOf(since)}`}`;
  });
  return join(groups, say`; `);
}
