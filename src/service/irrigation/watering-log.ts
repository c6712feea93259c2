import { computeDose, type DoseEquipment, doseWarnings } from '../../domain/irrigation/dose.ts';
import {
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { deliveryOf } from '../../domain/irrigation/run-time.ts';
import type { WateringInput } from '../../domain/irrigation/watering-amount.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import type { Call } from '../../operation/call.ts';
import type { WateringPreviewBody } from '../../schema/advice/farm-page.ts';
import { invalidInputError } from '../../schema/error.ts';
import type {
  ParcelWateringAnswer,
  WateringAnswer,
  WateringStatus,
} from '../../schema/irrigation/watering.ts';
import { firingAlertsOfModule } from '../../store/alerts/alert-states.ts';
import { probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelAreaM2 } from '../../store/company/parcels.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import { overlappingWaterings } from '../../store/irrigation/overlapping-waterings.ts';
import { insertWatering, updateWatering, type Watering } from '../../store/irrigation/waterings.ts';
import type { CompanyDb } from '../../store/tables.ts';
import {
  adviseOfFiringAlerts,
  adviseOfProbesWithFiringAlerts,
} from '../alerts/alert-advisories.ts';
import { assertModuleOr400, assertOwnParcel } from '../ownership.ts';
import { roundAmountOrNull, toIso } from '../wire-format.ts';
import { assertNoPendingRegeneration } from './regeneration.ts';
import { adviseOfOverlaps, adviseOfRunTimes } from './watering-advisories.ts';
import { assertPlausibleDose, checkWateringEntry, type WateringEntry } from './watering-entry.ts';
import { conciseWateringAnswer, toWateringAnswer } from './waterings.ts';

interface EnteredWatering extends Awaited<ReturnType<typeof loadProbe>> {
  readonly watering: Omit<Watering, 'id'>;
}

interface NewWatering {
  readonly moduleId: number;
  readonly input: WateringInput;
  readonly status: WateringStatus;
  readonly equipment: DoseEquipment | null;
}

export async function logWatering(
  call: Call,
  moduleId: number,
  entry: WateringEntry,
): Promise<WateringAnswer> {
  const [{ watering: entered, overlapping, firing }] = await Promise.all([
    enterWatering(call, moduleId, entry),
    assertNoPendingRegeneration(call, { moduleId }),
  ]);
  const watering = await insertWatering(call.db, entered);
  await adviseOfRunTimes(call, [watering]);
  await adviseOfOverlaps(call, [{ watering, overlapping }]);
  adviseOfFiringAlerts(call, firing);
  return toWateringAnswer(watering);
}

/** Checks the entry and computes the watering, but does not insert it. */
async function enterWatering(
  call: Call,
  moduleId: number,
  entry: WateringEntry,
): Promise<EnteredWatering> {
  const { input, status } = checkWateringEntry(entry, call);
  const [, probe] = await Promise.all([
    assertModuleOr400(call, moduleId),
    loadProbe(call, moduleId, { ...input, startedAt: entry.startedAt }),
  ]);
  const equipment = versionAtWithParcel(probe.versions, entry.startedAt);
  return { ...probe, watering: newWatering(call, entry, { moduleId, input, status, equipment }) };
}

/**
 * Logs one watering for each soil probe and tensiometer; the id of the first becomes their common
 * `irrigationId`.
 */
export async function logParcelWatering(
  call: Call,
  parcelId: number,
  entry: WateringEntry,
): Promise<ParcelWateringAnswer> {
  const probes = await enterParcelWaterings(call, parcelId, entry);
  await assertNoPendingRegeneration(call, {});

  const waterings = await insertParcelIrrigation(
    call.db,
    probes.map(({ watering }) => watering),
  );
  await adviseOfRunTimes(call, waterings);
  await adviseOfOverlaps(
    call,
    waterings.map((watering, index) => ({
      watering,
      overlapping: itemAt(probes, index).overlapping,
    })),
  );

  const firing = probes.filter((probe) => probe.firing.length > 0);
  await adviseOfProbesWithFiringAlerts(
    call,
    firing.map(({ moduleId }) => moduleId),
  );

  return { parcelId, count: waterings.length, waterings: waterings.map(toWateringAnswer) };
}

async function enterParcelWaterings(
  call: Call,
  parcelId: number,
  entry: WateringEntry,
): Promise<EnteredWatering[]> {
  const { input, status } = checkWateringEntry(entry, call);
  const { startedAt } = entry;

  await assertOwnParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const moduleIds = await probeIdsOfParcel(call.db, parcelId);
  if (moduleIds.length === 0) throw parcelWithoutProbesError();

  const probes = await Promise.all(
    moduleIds.map((moduleId) => loadProbe(call, moduleId, { ...input, startedAt })),
  );
  const versions = probes.map((probe) => probe.versions);
  const areaM2 = parcelIrrigatedAreaM2(versions, startedAt, await parcelAreaM2(call.db, parcelId));

  return probes.map((probe) => {
    const equipment = versionAtWithParcel(probe.versions, startedAt);
    const isSpread = equipment !== null && input.amount.mode === 'volume_m3';
    const doseEquipment = isSpread ? { ...equipment, irrigatedAreaM2: areaM2 } : equipment;
    const { moduleId } = probe;
    return {
      ...probe,
      watering: newWatering(call, entry, { moduleId, input, status, equipment: doseEquipment }),
    };
  });
}

/** Shows what logWatering or logParcelWatering would store. */
export async function previewWatering(
  call: Call,
  {
    moduleId,
    parcelId,
  }: { readonly moduleId?: number | undefined; readonly parcelId?: number | undefined },
  entry: WateringEntry,
): Promise<WateringPreviewBody> {
  if ((moduleId === undefined) === (parcelId === undefined)) throw oneTargetError();

  const entered =
    moduleId === undefined
      ? await enterParcelWaterings(call, parcelId!, entry)
      : [await enterWatering(call, moduleId, entry)];

  return {
    startedAt: toIso(entry.startedAt),
    inputMode: entry.inputMode,
    status: firstOf(entered).watering.status,
    waterings: entered.map(({ watering, overlapping }) => {
      const delivery = deliveryOf(watering.waterMm, watering.snapshot);
      return {
        moduleId: watering.moduleId,
        waterMm: roundAmountOrNull(watering.waterMm),
        waterMmWetted: roundAmountOrNull(watering.waterMmWetted),
        durationMin: watering.durationMin ?? delivery.durationMin,
        volumeM3: roundAmountOrNull(
          watering.amount.mode === 'volume_m3' ? watering.amount.value : delivery.volumeM3,
        ),
        warnings: doseWarnings(watering.amount.mode, watering),
        overlaps: overlapping
          .filter(({ status }) => status !== 'skipped')
          .map(({ id, startedAt, status }) => ({ id, startedAt: toIso(startedAt), status })),
      };
    }),
  };
}

const oneTargetError = (): Error =>
  invalidInputError('INVALID_TARGET', 'A watering is on either one probe or one parcel.', {
    hint: 'Give either moduleId or parcelId.',
    field: 'moduleId',
  });

const parcelWithoutProbesError = (): Error =>
  invalidInputError(
    'INVALID_TARGET',
    'The parcel has no soil probe or tensiometer, so no watering was logged.',
    {
      hint: 'Log it on a probe of another parcel, or put a probe into this one with set_module.',
      field: 'parcel',
    },
  );

async function loadProbe(
  { db }: Call,
  moduleId: number,
  period: Pick<Watering, 'startedAt' | 'durationMin'>,
) {
  const [overlapping, versions, firing] = await Promise.all([
    overlappingWaterings(db, moduleId, period),
    ownAndParcelVersions(db, moduleId),
    firingAlertsOfModule(db, moduleId),
  ]);
  return { moduleId, overlapping, versions, firing };
}

function newWatering(
  { now, source, caller }: Call,
  { startedAt, note = null }: WateringEntry,
  { moduleId, input, status, equipment }: NewWatering,
): Omit<Watering, 'id'> {
  const dose = computeDose(input.amount, equipment, now);
  assertPlausibleDose(input.amount, dose);
  return {
    moduleId,
    scheduleId: null,
    isDetached: false,
    startedAt,
    ...input,
    ...dose,
    status,
    source,
    verifiedAt: status === 'done' ? now : null,
    note,
    createdBy: caller.userId,
    createdAt: now,
    irrigationId: null,
  };
}

async function insertParcelIrrigation(
  db: CompanyDb,
  waterings: readonly Omit<Watering, 'id'>[],
): Promise<Watering[]> {
  const inserted: Watering[] = [];
  for (const watering of waterings)
    inserted.push(await insertWatering(db, { ...watering, irrigationId: inserted[0]?.id ?? null }));

  // The first one's own id is known only now.
  const [first, ...others] = inserted;
  if (first === undefined) return [];
  const firstOfIrrigation = { ...first, irrigationId: first.id };
  await updateWatering(db, firstOfIrrigation);
  return [firstOfIrrigation, ...others];
}

const MAX_CONCISE_WATERINGS = 10;

/** The first watering has what is common to all; the others have only what differs. */
export function conciseParcelAnswer({ parcelId, count, waterings }: ParcelWateringAnswer) {
  const listed = waterings.slice(0, MAX_CONCISE_WATERINGS).map((answer, index) => {
    if (index === 0) return conciseWateringAnswer(answer);
    const { id, moduleId, waterMm, waterMmWetted } = answer.event;
    return { event: { id, moduleId, waterMm, waterMmWetted }, warnings: answer.warnings };
  });
  return { parcelId, count, waterings: listed };
}
