import { rounded as toDecimals } from '../domain/decimal.ts';
import { type Deficit, deficitOf } from '../domain/deficit.ts';
import { sumOfDoses } from '../domain/dose.ts';
import type { DryingPace } from '../domain/drying-pace.ts';
import { waterFor } from '../domain/watering-advice.ts';
import type { Call } from '../operation/call.ts';
import type { AdviceBody } from '../schema/advice.ts';
import { drawnCapacity, type Grounds, groundsOf, slicesIn, slicesTooDry } from './advice-grounds.ts';
import { confidenceOf, reasonsOf } from './advice-reasons.ts';
import { daysToStress } from './days-to-stress.ts';
import { everyWatering, runOf } from './every-watering.ts';
import { adviceWords } from './say-advice.ts';
import { sayAmount } from './say-figures.ts';
import { isoOf, isoOrNull, rounded, roundedOrNull } from './wire.ts';

const DAY_MS = 86_400_000;
/** So far ahead planned waterings are looked at where no day of stress is known, in days. */
const WEEK_DAYS = 7;
/** So far ahead schedules produce them. */
const PRODUCED_DAYS = 90;

const MINUTE_DECIMALS = 1;
const DAY_DECIMALS = 1;

const NO_WATER = { waterMm: null, durationMin: null, volumeM3: null };

/** How much water a probe's root zone lacks, what that is with its own equipment, and when stress would come. */
export async function adviseWatering(call: Call, moduleId: number, refillPercent: number): Promise<AdviceBody> {
  const grounds = await groundsOf(call, moduleId);
  const deficit = deficitOf(slicesIn(grounds), drawnCapacity(grounds));
  const water = deficit === null ? NO_WATER : waterFor(deficit.mm, refillPercent, grounds.installation);
  const stress = await daysToStress(call, moduleId, grounds);
  const reasons = reasonsOf(grounds, { deficit, water, stress: stress.reason }, call.now);
  remarkSlices(call, grounds, deficit);
  if (stress.pace !== null) remarkPace(call, stress.pace);
  const sent = {
    deficitMm: deficit && rounded(deficit.mm),
    waterMm: roundedOrNull(water.waterMm),
    durationMin: water.durationMin === null ? null : toDecimals(water.durationMin, MINUTE_DECIMALS),
    volumeM3: roundedOrNull(water.volumeM3),
  };
  return {
    moduleId,
    time: isoOrNull(grounds.newestAt),
    ...sent,
    daysToStress: stress.days === null ? null : toDecimals(stress.days, DAY_DECIMALS),
    planned: await plannedUntil(call, moduleId, stress.days, grounds.begun),
    confidence: confidenceOf(reasons, sent),
    reasons,
  };
}

/** Says which soil the deficit is of, and where it is an estimate. */
function remarkSlices(call: Call, grounds: Grounds, deficit: Deficit | null): void {
  const last = slicesIn(grounds).at(-1);
  if (deficit === null || last === undefined) return;
  const { depth, tooDry, withoutValue, withoutLayer } = adviceWords(call);
  call.remark(depth(last.bottomCm));
  const dry = slicesTooDry(grounds).map((each) => ({ ...each, moisture: sayAmount(each.moisture, call.lang) }));
  if (dry.length > 0) call.remark(tooDry(dry));
  if (deficit.withoutValue.length > 0) call.remark(withoutValue(deficit.withoutValue));
  if (deficit.withoutLayer.length > 0) call.remark(withoutLayer(deficit.withoutLayer));
}

/** Says by what the day of stress is foreseen. */
function remarkPace(call: Call, { perDay, seenIn, count }: DryingPace): void {
  call.remark(adviceWords(call).pace[seenIn](-perDay, sayAmount(-perDay, call.lang), count));
}

/** What is planned until the day of stress, tomorrow at the earliest, with what is under way. */
async function plannedUntil(
  call: Call,
  moduleId: number,
  days: number | null,
  begun: Grounds['begun'],
): Promise<AdviceBody['planned']> {
  const ahead = Math.min(PRODUCED_DAYS, Math.max(1, days ?? WEEK_DAYS));
  const until = Math.round(call.now + ahead * DAY_MS);
  const underWay = begun.filter((watering) => runOf(watering).end > call.now);
  const toCome = await everyWatering(call, moduleId, { from: call.now + 1, to: until, status: 'planned' });
  const planned = [...underWay, ...toCome];
  return {
    until: isoOf(until),
    count: planned.length,
    waterMm: roundedOrNull(sumOfDoses(planned.map(({ waterMm }) => waterMm))),
    nextAt: planned[0]?.startedAt ?? null,
  };
}
