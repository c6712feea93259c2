import { fractionForDefault } from '../../domain/advice/wetted-fraction.ts';
import { roundAmountOrNull } from '../../domain/decimal.ts';
import { doseWarnings } from '../../domain/irrigation/dose.ts';
import { deliveryOf } from '../../domain/irrigation/run-time.ts';
import { firstOf, itemAt } from '../../domain/items.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import type { Call, CheckContext } from '../../operation/call.ts';
import type { WateringPreviewBody } from '../../schema/advice/farm-page.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { ParcelWateringAnswer, WateringAnswer } from '../../schema/irrigation/watering.ts';
import { toIso } from '../../schema/wire-format.ts';
import { insertParcelIrrigation, insertWatering } from '../../store/irrigation/waterings.ts';
import {
  adviseOfFiringAlerts,
  adviseOfProbesWithFiringAlerts,
} from '../alerts/alert-advisories.ts';
import { soilOfParcel, soilOfProbes } from '../moisture/wetted-soil.ts';
import { EquipmentOfWaterings } from './equipment-of-waterings.ts';
import { prepareOnParcel, prepareParcelWaterings, prepareWatering } from './prepared-waterings.ts';
import { adviseOfOverlaps, adviseOfRunTimes } from './watering-advisories.ts';
import { type CheckedEntry, checkWateringEntry, type WateringEntry } from './watering-entry.ts';
import {
  conciseParcelWatering,
  conciseWateringAnswer,
  toSingleParcelAnswer,
  toWateringAnswer,
} from './waterings.ts';

export async function logWatering(
  call: Call,
  moduleId: number,
  entry: CheckedEntry,
): Promise<WateringAnswer> {
  const prepared = await prepareWatering(call, moduleId, entry);
  const watering = await insertWatering(call.db, prepared.watering);
  await adviseOfRunTimes(call, [watering]);
  await adviseOfOverlaps(call, [{ watering, overlapping: prepared.overlapping }]);
  adviseOfFiringAlerts(call, prepared.firingAlerts);
  return toWateringAnswer(watering);
}

/**
 * Logs one watering for each soil probe and tensiometer; the id of the first becomes their common
 * `irrigationId`.
 */
export async function logParcelWatering(
  call: Call,
  parcelId: number,
  entry: CheckedEntry,
): Promise<ParcelWateringAnswer> {
  const probes = await prepareParcelWaterings(call, parcelId, entry);
  if (probes.length === 0) return logOnParcel(call, parcelId, entry);

  const ids = await insertParcelIrrigation(
    call.db,
    probes.map(({ row }) => row),
  );
  const irrigationId = firstOf(ids);
  const waterings = probes.map(({ watering }, index) => ({
    ...watering,
    id: itemAt(ids, index),
    irrigationId,
  }));

  await adviseOfRunTimes(call, waterings);
  await adviseOfOverlaps(
    call,
    waterings.map((watering, index) => ({
      watering,
      overlapping: itemAt(probes, index).overlapping,
    })),
  );

  const probesInAlert = probes.filter(({ firingAlerts }) => firingAlerts.length > 0);
  await adviseOfProbesWithFiringAlerts(
    call,
    probesInAlert.map(({ moduleId }) => moduleId),
  );

  return {
    parcelId,
    count: probes.length,
    waterings: probes.map(({ answer }, index) => ({
      ...answer,
      event: { ...answer.event, id: itemAt(ids, index) },
    })),
  };
}

/** The parcel has no probe, so the watering is its own. */
async function logOnParcel(
  call: Call,
  parcelId: number,
  entry: CheckedEntry,
): Promise<ParcelWateringAnswer> {
  const { watering: prepared, overlapping } = await prepareOnParcel(call, parcelId, entry);
  const watering = await insertWatering(call.db, prepared);
  await adviseOfRunTimes(call, [watering]);
  await adviseOfOverlaps(call, [{ watering, overlapping }]);
  return { parcelId, count: 0, waterings: [], ofParcel: toSingleParcelAnswer(watering) };
}

interface PreviewTarget {
  readonly moduleId?: number | undefined;
  readonly parcelId?: number | undefined;
}

export function checkWateringPreview(
  { moduleId, parcelId, ...entry }: PreviewTarget & WateringEntry,
  context: CheckContext,
): CheckedEntry {
  if ((moduleId === undefined) === (parcelId === undefined)) throw oneTargetError();
  return checkWateringEntry(entry, context);
}

/** Shows what logWatering or logParcelWatering would store. */
export async function previewWatering(
  call: Call,
  { moduleId, parcelId }: PreviewTarget,
  entry: CheckedEntry,
): Promise<WateringPreviewBody> {
  const prepared = await preparedForPreview(call, { moduleId, parcelId }, entry);
  const fractions = await fractionsForDefaults(
    call,
    prepared.map(({ watering }) => watering),
  );

  return {
    startedAt: toIso(entry.startedAt),
    inputMode: entry.input.amount.mode,
    status: firstOf(prepared).watering.status,
    waterings: prepared.map(({ watering, overlapping }, index) => {
      const { waterMm, waterMmWetted, snapshot } = watering;
      const delivery = deliveryOf(waterMm, snapshot);
      const ofSpacing = itemAt(fractions, index);
      const warnings = doseWarnings(watering.amount.mode, watering);
      return {
        ...(watering.moduleId === null ? {} : { moduleId: watering.moduleId }),
        waterMm: roundAmountOrNull(waterMm),
        waterMmWetted: roundAmountOrNull(
          waterMm === null || ofSpacing === null ? waterMmWetted : waterMm / ofSpacing,
        ),
        fractionWetted: ofSpacing ?? snapshot?.fractionWetted ?? null,
        durationMin: watering.durationMin ?? delivery.durationMin,
        volumeM3: roundAmountOrNull(
          watering.amount.mode === 'volume_m3' ? watering.amount.value : delivery.volumeM3,
        ),
        warnings:
          ofSpacing === null
            ? warnings
            : warnings.filter((warning) => warning !== 'DEFAULT_FRACTION_WETTED'),
        overlaps: overlapping
          .filter(({ status }) => status !== 'skipped')
          .map(({ id, startedAt, status }) => ({ id, startedAt: toIso(startedAt), status })),
      };
    }),
  };
}

/**
 * The wetted fraction by which advice judges each watering, in place of the default that its dose is
 * recorded with; null where they are the same.
 */
async function fractionsForDefaults(
  call: Call,
  waterings: readonly PreparedEntry['watering'][],
): Promise<(number | null)[]> {
  const equipmentOf = new EquipmentOfWaterings(call.db);
  const equipment = await Promise.all(
    waterings.map(({ snapshot, ...watering }) =>
      snapshot?.fractionWettedIsDefault ? equipmentOf.find(watering) : null,
    ),
  );
  const withLines = waterings.filter((_, index) => equipment[index]?.lineSpacingM != null);
  const soils = await soilOfProbes(
    call,
    withLines.flatMap(({ moduleId }) => moduleId ?? []),
  );
  return Promise.all(
    waterings.map(async ({ moduleId, parcelId }, index) => {
      const lines = equipment[index];
      if (lines?.lineSpacingM == null) return null;
      const soil =
        moduleId === null ? await soilOfParcel(call, parcelId!) : (soils.get(moduleId) ?? []);
      return fractionForDefault(lines, soil);
    }),
  );
}

type PreparedEntry = Awaited<
  ReturnType<typeof prepareWatering> | ReturnType<typeof prepareOnParcel>
>;

async function preparedForPreview(
  call: Call,
  { moduleId, parcelId }: PreviewTarget,
  entry: CheckedEntry,
): Promise<PreparedEntry[]> {
  if (moduleId !== undefined) return [await prepareWatering(call, moduleId, entry)];
  const onProbes = await prepareParcelWaterings(call, parcelId!, entry);
  return onProbes.length > 0 ? onProbes : [await prepareOnParcel(call, parcelId!, entry)];
}

const oneTargetError = (): Error =>
  invalidInputError('INVALID_TARGET', say`A watering is on either one probe or one parcel.`, {
    hint: say`Give either ${argument('moduleId')} or ${argument('parcelId')}.`,
    field: 'moduleId',
  });

const MAX_CONCISE_WATERINGS = 10;

/** The first watering has what is common to all; the others have only what differs. */
export function conciseParcelAnswer(answer: ParcelWateringAnswer) {
  const { parcelId, count, waterings, ofParcel } = answer;
  if (ofParcel) return { parcelId, count, waterings, ofParcel: conciseParcelWatering(ofParcel) };

  const listed = waterings.slice(0, MAX_CONCISE_WATERINGS).map((answer, index) => {
    if (index === 0) return conciseWateringAnswer(answer);
    const { id, moduleId, waterMm, waterMmWetted } = answer.event;
    return { event: { id, moduleId, waterMm, waterMmWetted }, warnings: answer.warnings };
  });
  return { parcelId, count, waterings: listed };
}
