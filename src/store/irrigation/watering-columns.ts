import type { Selectable } from 'kysely';
import { z } from 'zod/v3';
import { isOnProbe } from '../../domain/facts/watering-facts.ts';
import type { Dose } from '../../domain/irrigation/dose.ts';
import {
  fieldsOfInput,
  inputOfFields,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import {
  amountFields,
  doseFields,
  parcelWateringFields,
  wateringFields,
} from '../../schema/irrigation/watering.ts';
import { computed, fieldsWithout } from '../../schema/resource.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import type { CompanyDb, CompanyTables } from '../tables.ts';
import { withOwnNotes } from './irrigation-notes.ts';

// The program has the amount of a watering as one value, and its dose as another; rows and bodies
// have a field for each of their parts.

const amountMapper = new ResourceMapper(amountFields);

type AmountRow = Parameters<typeof amountMapper.toValue>[0];

export const toWateringInput = (row: AmountRow): WateringInput =>
  inputOfFields(amountMapper.toValue(row));

export const amountColumns = (input: WateringInput) => amountMapper.toColumns(fieldsOfInput(input));

export const AMOUNT_COLUMNS = amountMapper.columns;

const doseMapper = new ResourceMapper(doseFields);

type DoseRow = Parameters<typeof doseMapper.toValue>[0];

export function toDose(row: DoseRow): Dose {
  const { configSnapshot: snapshot, ...dose } = doseMapper.toValue(row);
  return { ...dose, snapshot };
}

export const doseColumns = ({ waterMm, waterMmWetted, snapshot }: Dose) =>
  doseMapper.toColumns({ waterMm, waterMmWetted, configSnapshot: snapshot });

export const toDoseBody = ({ waterMm, waterMmWetted, snapshot }: Dose) =>
  doseMapper.toBody({ waterMm, waterMmWetted, configSnapshot: snapshot });

export const DOSE_COLUMNS = doseMapper.columns;

/** Null for a watering of a parcel that had no probe. */
export const storedModuleId = computed('module_id', z.number().int().nullable());

/** All but the amount, the dose, and what only the planning of schedules reads. */
const ownFields = fieldsWithout(
  { ...wateringFields, moduleId: storedModuleId },
  { ...amountFields, ...doseFields, scheduledStart: wateringFields.scheduledStart },
);

const ownMapper = new ResourceMapper(ownFields);

/** On a probe, or on a parcel that had none. */
export interface StoredWatering extends ValueOf<typeof ownFields>, WateringInput, Dose {}

export interface Watering extends StoredWatering {
  readonly moduleId: number;
}

export interface ParcelWatering extends StoredWatering {
  readonly moduleId: null;
  readonly parcelId: number;
}

export const isOfParcel = (watering: StoredWatering): watering is ParcelWatering =>
  watering.parcelId !== null;

export type StoredWateringRow = Selectable<CompanyTables['waterings']>;

export const toStoredWaterings = async (
  db: CompanyDb,
  rows: readonly StoredWateringRow[],
): Promise<StoredWatering[]> =>
  (await withOwnNotes(db, rows)).map((row) => ({
    ...ownMapper.toValue(row),
    ...toWateringInput(row),
    ...toDose(row),
  }));

/** Those on probes. */
export const toWaterings = async (
  db: CompanyDb,
  rows: readonly StoredWateringRow[],
): Promise<Watering[]> => (await toStoredWaterings(db, rows)).filter(isOnProbe);

export const wateringColumns = (watering: Omit<StoredWatering, 'id'>) => ({
  ...ownMapper.toColumns(watering),
  note: watering.noteId === null ? watering.note : null,
  ...amountColumns(watering),
  ...doseColumns(watering),
});

/** These make the bodies of answers. */
export const wateringMapper = new ResourceMapper(wateringFields);
export const parcelWateringMapper = new ResourceMapper(parcelWateringFields);
