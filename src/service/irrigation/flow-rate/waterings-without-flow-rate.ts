import { firstOf } from '../../../domain/items.ts';
import { inchesToMm, type UnitSystem } from '../../../domain/units.ts';
import type { OperationResult } from '../../../operation/operation-result.ts';
import type { PersonAnswer } from '../../../operation/question.ts';
import { MAX_FLOW_MM_PER_H } from '../../../schema/irrigation/installation.ts';
import {
  parcelWateringAnswer,
  type WateringAnswer,
  type WateringBody,
  wateringAnswer,
} from '../../../schema/irrigation/watering.ts';
import { conciseParcelAnswer } from '../watering-log.ts';
import { conciseWateringAnswer } from '../waterings.ts';

export function wateringsOf(body: unknown): readonly WateringAnswer[] {
  const parcel = parcelWateringAnswer.safeParse(body).data;
  if (parcel !== undefined) return parcel.waterings;
  // One that was read by its id has its witness beside it.
  const single = wateringAnswer.strip().safeParse(body).data;
  return single === undefined ? [] : [single];
}

export const lacksFlowRate = ({ event, warnings }: WateringAnswer): boolean =>
  warnings.includes('MISSING_FLOW_RATE') && event.status !== 'skipped';

export const isOfSameVersion = (
  { configSnapshot }: WateringBody,
  other: WateringBody['configSnapshot'],
): boolean =>
  configSnapshot?.installationId != null && configSnapshot.installationId === other?.installationId;

/** The waterings of the first setup version that lacks the application rate. */
export function wateringsWithoutFlowRate(body: unknown): WateringBody[] {
  const [first, ...others] = wateringsOf(body).flatMap((watering) =>
    lacksFlowRate(watering) ? [watering.event] : [],
  );
  if (first?.configSnapshot?.installationId == null) return [];
  return [first, ...others.filter((event) => isOfSameVersion(event, first.configSnapshot))];
}

export function withCurrentWaterings(
  logged: OperationResult,
  first: OperationResult,
  found: readonly OperationResult[],
): OperationResult {
  const parcel = parcelWateringAnswer.safeParse(logged.fullBody).data;
  const isFull = logged.body === logged.fullBody;
  if (parcel === undefined) {
    const fullBody = firstOf(wateringsOf(first.fullBody));
    const body = isFull ? fullBody : conciseWateringAnswer(fullBody);
    return { ...logged, isReplay: false, fullBody, body };
  }

  const waterings = found.flatMap(({ fullBody }) => wateringsOf(fullBody));
  const fullBody = { ...parcel, count: waterings.length, waterings };
  return {
    ...logged,
    isReplay: false,
    fullBody,
    body: isFull ? fullBody : conciseParcelAnswer(fullBody),
  };
}

/**
 * In mm/h; the answer is in inches per hour where the question was. Some clients send typed numbers
 * as text.
 */
export function parseFlowRate(answer: PersonAnswer, units: UnitSystem): number | null {
  const flow =
    typeof answer === 'string' && answer.trim() !== ''
      ? Number(answer.trim().replace(',', '.'))
      : answer;
  if (typeof flow !== 'number') return null;
  const mmPerH = units === 'us' ? inchesToMm(flow) : flow;
  return mmPerH > 0 && mmPerH <= MAX_FLOW_MM_PER_H ? mmPerH : null;
}
