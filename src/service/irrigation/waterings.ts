import { doseWarnings, freezeDose } from '../../domain/irrigation/dose.ts';
import { effectiveVersion } from '../../domain/irrigation/setup-timeline.ts';
import { exclusiveFields } from '../../domain/irrigation/watering-amount.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInput } from '../../schema/error.ts';
import type { WateringAnswer, WateringBody } from '../../schema/watering.ts';
import { firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import { applicableVersions } from '../../store/irrigation/installations.ts';
import {
  duplicateOf,
  insertWatering,
  type Watering,
  type WateringFilter,
  wateringCounts,
  wateringsBefore,
} from '../../store/irrigation/waterings.ts';
import { noteFiringAlerts } from '../alerts/alert-notes.ts';
import { refuseUnownedModule, requireOwnModule, requireOwnParcel } from '../ownership.ts';
import { decodeCursor, toPage } from '../pagination.ts';
import { roundAmountOrNull, roundRate, toIso, toIsoOrNull } from '../wire-format.ts';
import { refuseImplausibleDose } from './amount-refusals.ts';
import { requireFollowedPlans } from './regeneration.ts';
import { requireOwnSchedule } from './schedules.ts';
import { checkWateringEntry, type WateringEntry } from './watering-entry.ts';

export async function logWatering(call: Call, moduleId: number, entry: WateringEntry): Promise<WateringAnswer> {
  const { now } = call;
  const { input, status } = checkWateringEntry(entry, call);
  const [, , duplicate, versions, firing] = await Promise.all([
    refuseUnownedModule(call, moduleId),
    requireFollowedPlans(call, { moduleId }),
    duplicateOf(call.db, moduleId, entry.startedAt),
    applicableVersions(call.db, moduleId),
    firingAlertsOfModule(call.db, moduleId),
  ]);
  const dose = freezeDose(input.amount, effectiveVersion(versions, entry.startedAt), now);
  refuseImplausibleDose(input.amount, dose);
  const watering = await insertWatering(call.db, {
    moduleId,
    scheduleId: null,
    isDetached: false,
    startedAt: entry.startedAt,
    ...input,
    ...dose,
    status,
    source: call.source,
    verifiedAt: status === 'done' ? now : null,
    note: entry.note ?? null,
    createdBy: call.caller.userId,
    createdAt: now,
  });
  // The specification refuses inconsistent data only, so a duplicate is written.
  if (duplicate !== null) call.note({ kind: 'duplicate_logged', id: watering.id, duplicateId: duplicate });
  noteFiringAlerts(call, firing);
  return toWateringAnswer(watering);
}

export async function listWaterings(
  call: Call,
  query: WateringFilter & { limit: number; cursor?: string | undefined },
): Promise<{ data: WateringBody[]; next_cursor: string | null }> {
  if (query.from !== undefined && query.to !== undefined && query.from >= query.to)
    throw invalidInput('invalid_parameter', 'from is not before to.', {
      hint: 'Give the start of the period as from and its end as to.',
      field: 'from',
    });
  const list = ['waterings', call.company.id] as const;
  const position = decodeCursor(list, query.cursor, 2);
  if (query.moduleId !== undefined) await requireOwnModule(call, query.moduleId);
  if (query.parcelId !== undefined) await requireOwnParcel(call, query.parcelId);
  if (query.scheduleId !== undefined) await requireOwnSchedule(call, query.scheduleId);
  await requireFollowedPlans(call, query);
  const rows = await wateringsBefore(
    call.db,
    query,
    position && { startedAt: position[0]!, id: position[1]! },
    query.limit + 1,
  );
  const counts = await wateringCounts(call.db, query);
  const byStatus = (['done', 'planned', 'skipped'] as const).flatMap((status) => {
    const count = counts.find((each) => each.status === status)?.count;
    return count === undefined ? [] : [{ status, count }];
  });
  if (byStatus.length > 0) call.note({ kind: 'waterings_by_status', counts: byStatus });
  const { data, next_cursor } = toPage(list, rows, query.limit, (row) => [row.startedAt, row.id]);
  return { data: data.map(toWateringBody), next_cursor };
}

export const toWateringAnswer = (watering: Watering): WateringAnswer => ({
  event: toWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export function toWateringBody(watering: Watering): WateringBody {
  const { snapshot } = watering;
  return {
    id: watering.id,
    moduleId: watering.moduleId,
    scheduleId: watering.scheduleId,
    isDetached: watering.isDetached,
    startedAt: toIso(watering.startedAt),
    durationMin: watering.durationMin,
    endedAt: watering.durationMin === null ? null : toIso(watering.startedAt + watering.durationMin * MINUTE_MS),
    inputMode: watering.amount.mode,
    ...exclusiveFields(watering.amount),
    waterMm: roundAmountOrNull(watering.waterMm),
    waterMmWetted: roundAmountOrNull(watering.waterMmWetted),
    configSnapshot: snapshot && {
      ...snapshot,
      flowMmPerH: roundRate(snapshot.flowMmPerH),
      computedAt: toIso(snapshot.computedAt),
    },
    status: watering.status,
    source: watering.source,
    verifiedAt: toIsoOrNull(watering.verifiedAt),
    note: watering.note,
    createdAt: toIso(watering.createdAt),
  };
}
