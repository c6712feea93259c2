import type { Selectable } from 'kysely';
import type { Dose } from '../../domain/irrigation/dose.ts';
import {
  fieldsOfInput,
  inputOfFields,
  type WateringInput,
} from '../../domain/irrigation/watering-amount.ts';
import { amountFields, doseFields, wateringFields } from '../../schema/irrigation/watering.ts';
import { fieldsWithout } from '../../schema/resource.ts';
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

/** All but the amount, the dose, and what only the planning of schedules reads. */
const ownFields = fieldsWithout(wateringFields, {
  ...amountFields,
  ...doseFields,
  scheduledStart: wateringFields.scheduledStart,
});

const ownMapper = new ResourceMapper(ownFields);

export interface Watering extends ValueOf<typeof ownFields>, WateringInput, Dose {}

export type StoredWateringRow = Selectable<CompanyTables['waterings']>;

export const toWaterings = async (
  db: CompanyDb,
  rows: readonly StoredWateringRow[],
): Promise<Watering[]> =>
  (await withOwnNotes(db, rows)).map((row) => ({
    ...ownMapper.toValue(row),
    ...toWateringInput(row),
    ...toDose(row),
  }));

export const wateringColumns = (watering: Omit<Watering, 'id'>) => ({
  ...ownMapper.toColumns(watering),
  note: watering.noteId === null ? watering.note : null,
  ...amountColumns(watering),
  ...doseColumns(watering),
});

/** Makes the bodies of answers. */
export const wateringMapper = new ResourceMapper(wateringFields);
