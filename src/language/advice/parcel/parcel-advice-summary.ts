import type { ParcelRequest } from '../../../domain/advice/balance/parcel-advice.ts';
import type { ParcelAdviceBody } from '../../../schema/advice/parcel-advice.ts';
import { formatEstimate } from '../../number-format.ts';
import { joinSentences } from '../../sentences.ts';
import { listNames, moduleName, parcelName, type SummaryContext } from '../../summary-context.ts';
import { formatLocalDay } from '../../time.ts';
import { advicePhrases } from '../advice-phrases.ts';
import {
  describeReasons,
  describeRefill,
  describeRestOf,
  describeStress,
  describeWithholding,
  listNeeds,
  NEGLIGIBLE_DEFICIT_MM,
} from '../advice-summary.ts';

export async function summarizeParcelAdvice(
  advice: ParcelAdviceBody,
  context: SummaryContext,
  request: ParcelRequest,
): Promise<string> {
  const name = await parcelName(context.directory, advice.parcelId);
  const { rest, probes = [], balanceNeeds = [] } = advice;
  if (probes.length > 0) {
    const names = probes.map((id) => moduleName(context.directory, id));
    return advicePhrases.parcelMeasured(name, listNames(await Promise.all(names)));
  }
  if (rest !== null) return joinSentences(describeRestOf(name, rest));
  if (balanceNeeds.length > 0)
    return advicePhrases.parcelNeedUnknown(name, listNeeds(balanceNeeds));

  return joinSentences([
    ...describeWithholding(advice.reasons),
    ...describeNeed(advice, name, context),
    ...describeStress(advice),
    ...describeReasons(advice, request, 0),
  ]);
}

function describeNeed(advice: ParcelAdviceBody, name: string, context: SummaryContext): string[] {
  const { balance, deficitMm } = advice;
  if (balance === undefined || deficitMm === null) return [];

  const start = advicePhrases.fullSoil[balance.from](formatLocalDay(balance.since, context));
  if (deficitMm < NEGLIGIBLE_DEFICIT_MM) return [advicePhrases.parcelNoNeed(name, start)];
  return [
    advicePhrases.parcelDeficit(name, start, formatEstimate(deficitMm)),
    ...(balance.waterings === 0 ? [advicePhrases.noWateringCounted] : []),
    ...describeRefill(advice, context),
  ];
}
