import type { Witness, WitnessedWatering } from '../../domain/advice/witness/witness.ts';
import { doseWarnings } from '../../domain/irrigation/dose.ts';
import { fieldsOfInput } from '../../domain/irrigation/watering-amount.ts';
import { entryOf } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import type {
  ParcelWateringBody,
  SingleParcelAnswer,
  WateringAnswer,
  WateringBody,
  WateringWitnessBody,
} from '../../schema/irrigation/watering.ts';
import {
  type ParcelWatering,
  parcelWateringMapper,
  type StoredWatering,
  type Watering,
  wateringMapper,
} from '../../store/irrigation/watering-columns.ts';

/** Waterings that were done, or count as done; by id. */
export type FindWitnesses = (
  waterings: readonly WitnessedWatering[],
) => Promise<ReadonlyMap<number, Witness>>;

export const conciseWateringAnswer = <Answer extends WateringAnswer>(answer: Answer) => ({
  ...answer,
  event: wateringMapper.toConcise(answer.event),
});

export const toWateringAnswer = (watering: Watering): WateringAnswer => ({
  event: toWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export const toWateringBody = (watering: Watering): WateringBody =>
  wateringMapper.toBody(valuesOfBody(watering));

export const conciseParcelWatering = <Answer extends SingleParcelAnswer>(answer: Answer) => ({
  ...answer,
  event: parcelWateringMapper.toConcise(answer.event),
});

export const toSingleParcelAnswer = (watering: ParcelWatering): SingleParcelAnswer => ({
  event: toParcelWateringBody(watering),
  warnings: doseWarnings(watering.amount.mode, watering),
});

export const toParcelWateringBody = (watering: ParcelWatering): ParcelWateringBody =>
  parcelWateringMapper.toBody(valuesOfBody(watering));

const valuesOfBody = <Stored extends StoredWatering>(watering: Stored) => ({
  ...watering,
  ...fieldsOfInput(watering),
  configSnapshot: watering.snapshot,
  endedAt:
    watering.durationMin === null ? null : watering.startedAt + watering.durationMin * MINUTE_MS,
});

export const toWitnessBody = ({
  kind: witness,
  reason: unseen,
}: Witness): Omit<WateringWitnessBody, 'eventId'> =>
  unseen === null ? { witness } : { witness, unseen };

/** The rows of a page that were done, and these others. */
export function witnessed(
  rows: readonly WateringBody[],
  others: readonly Omit<WitnessedWatering, 'isConfirmed'>[],
): WitnessedWatering[] {
  const waterings = new Map<number, WitnessedWatering>();
  for (const { id, moduleId, scheduleId, startedAt, status, verifiedAt } of rows)
    if (status === 'done')
      waterings.set(id, {
        id,
        moduleId,
        scheduleId,
        startedAt: Date.parse(startedAt),
        isConfirmed: verifiedAt !== null,
      });
  for (const { id, moduleId, scheduleId, startedAt } of others)
    waterings.set(id, { id, moduleId, scheduleId, startedAt, isConfirmed: false });

  return [...waterings.values()];
}

/** Absent where no row counts as done. */
export function witnessOfRows(
  rows: readonly WateringBody[],
  witnesses: ReadonlyMap<number, Witness>,
): { witness?: WateringWitnessBody[] } {
  const witness = rows
    .filter(({ id }) => witnesses.has(id))
    .map(({ id }) => ({ eventId: id, ...toWitnessBody(entryOf(witnesses, id)) }));
  return witness.length === 0 ? {} : { witness };
}
