import { judgeResponse } from '../../domain/advice/probe/response-conditions.ts';
import { isSeenByOthers } from '../../domain/advice/witness/assumed-water.ts';
import { NO_RESPONSE_FACTS, type ResponseFacts } from '../../domain/facts/response-facts.ts';
import type { ComposedCall } from '../../operation/call.ts';
import type { FactSource } from '../../operation/fact-source.ts';
import type { ReviewBody } from '../../schema/advice/review.ts';
import { toIso } from '../../schema/wire-format.ts';
import { ExchangedProbes, exchangeSource } from './exchanged-probes.ts';
import { ConditionsOfProbes } from './probe-conditions.ts';
import { probesOfParcel, probesOnValve } from './same-valve.ts';
import { wrongHoursOf } from './wrong-hours.ts';

type ResponseSource = Pick<
  FactSource,
  'modules' | 'probes' | 'waterings' | 'waterHours' | 'rain' | 'weather'
>;

/** As an advice for the probe judges it now. */
export async function responseNow(
  call: ComposedCall,
  facts: ResponseSource,
  moduleId: number,
): Promise<ResponseFacts> {
  const probe = (await facts.probes([moduleId])).get(moduleId);
  if (probe === undefined) return NO_RESPONSE_FACTS;

  const farm = await new ConditionsOfProbes(call, facts).of(probe);
  const { response } = await new ExchangedProbes(exchangeSource(facts)).markIn(probe, farm);
  const { early, ...judged } = judgeResponse(response, farm.rainOn(probe.module.parcelId));
  const wrongHours = early && (await wrongHoursOf(call, facts, probe, { early, farm }));
  const shown: ResponseFacts = { ...judged, ...(wrongHours && { early: wrongHours }) };

  const { unseen } = shown;
  if (!unseen?.areScheduled) return shown;
  const onValve = await probesOnValve(facts, await probesOfParcel(facts, probe));
  const areScheduled = !isSeenByOthers(unseen.startedAt, onValve, farm);
  return { ...shown, unseen: { ...unseen, areScheduled } };
}

export function toDoubtedBody({
  unseen,
  logShift,
  early,
  exchangedWith,
}: ResponseFacts): Pick<ReviewBody, 'unseenWaterings' | 'exchangedWith' | 'earlyWaterings'> {
  const doubted = logShift ?? unseen;
  return {
    ...(doubted && {
      unseenWaterings: {
        startedAt: doubted.startedAt.map(toIso),
        areScheduled: logShift === null && unseen?.areScheduled === true,
        shiftDays: logShift?.days ?? null,
      },
    }),
    exchangedWith,
    ...(early && {
      earlyWaterings: { hours: early.hours, startedAt: early.startedAt.map(toIso) },
    }),
  };
}
