import type { Call } from '../../operation/call.ts';
import type { ParcelAnswer, parcelEntry } from '../../schema/farm/farm-entry.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { toParcel } from '../../store/company/parcels.ts';
import { toParcelBody } from '../company/company.ts';
import { changedValues, parcelArguments } from './farm-arguments.ts';
import { createUpserter, parcelRow } from './farm-rows.ts';
import { resolveNamedEntry, storedRow } from './named-entry.ts';

export async function setParcel(
  call: Call,
  { name, newName, outline, ...fields }: FieldsOf<typeof parcelEntry>,
): Promise<ParcelAnswer> {
  const parcels = await createUpserter(call.db, 'parcels', (row) => row.name);
  const { existing, nameToStore } = resolveNamedEntry(call, 'parcel', [...parcels.rows.values()], {
    name,
    newName,
  });
  const key = existing?.name ?? name;
  const changes = { ...fields, geometry: outline, name: nameToStore ?? key };
  const { id } = await parcels.put(key, parcelRow(changes));

  const row = await storedRow(call, 'parcels', id);
  return {
    parcel: toParcelBody(toParcel(row)),
    before: existing && changedValues(parcelArguments(existing), parcelArguments(row)),
  };
}
