import type { Call } from '../../operation/call.ts';
import type { ParcelAnswer, parcelEntry } from '../../schema/farm/farm-entry.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { toParcel } from '../../store/company/parcels.ts';
import { toParcelBody } from '../company/company.ts';
import { changedValues, parcelArguments } from './farm-arguments.ts';
import { createUpserter, parcelRow } from './farm-rows.ts';
import { resolveNamedEntry, storedRow } from './named-entry.ts';
import { enterSeason } from './season-entry.ts';

export async function setParcel(
  call: Call,
  { name, newName, outline, areaM2, type, ...season }: FieldsOf<typeof parcelEntry>,
): Promise<ParcelAnswer> {
  const parcels = await createUpserter(call.db, 'parcels', (row) => row.name);
  const { existing, nameToStore } = resolveNamedEntry(call, 'parcel', [...parcels.rows.values()], {
    name,
    newName,
  });
  const key = existing?.name ?? name;
  const changes = { type, areaM2, geometry: outline, name: nameToStore ?? key };
  const { id } = await parcels.put(key, parcelRow(changes));

  const parcel = { id, typeBefore: existing?.type ?? null };
  const { before, after } = await enterSeason(call, parcel, { crop: type, ...season });
  const row = await storedRow(call, 'parcels', id);
  return {
    parcel: toParcelBody(toParcel(row), after),
    before:
      existing && changedValues(parcelArguments(existing, before), parcelArguments(row, after)),
  };
}
