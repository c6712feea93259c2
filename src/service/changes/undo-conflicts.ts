import type { Call } from '../../operation/call.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type Change, laterChangeOf } from '../../store/changes/changes.ts';
import {
  type DosedWatering,
  type Reference,
  referencesTo,
  versionsSetSince,
  wateringsDosedSince,
} from '../../store/changes/references.ts';

type Db = Pick<Call, 'db'>;

export const notUndoable = (message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: 'CHANGE_NOT_UNDOABLE', status: 409, message, hint });

export async function laterChangeError(
  { db }: Db,
  change: Change,
  reference: Reference,
  verb: 'changed since' | 'depends on it',
): Promise<AcequiaError> {
  const later = await laterChangeOf(db, change.id, [reference]);
  const { table, key } = reference;
  const row = `${table.replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '')}${key === null ? '' : ` ${key}`}`;
  const message = `Change ${change.id} (${change.operation}) cannot be taken back: ${row} ${verb}`;
  return later === null
    ? notUndoable(`${message}.`, 'Correct it with the tool that wrote it.')
    : notUndoable(
        `${message}, in change ${later.id} (${later.operation}).`,
        `Ask whether to take that back first, with changeId ${later.id}; or correct it with the tool that wrote it.`,
      );
}

const keyOf = ({ table, key }: Reference): string => `${table} ${key}`;

const wateringReference = ({ id }: { readonly id: number }): Reference => ({ table: 'waterings', key: id });

const EQUIPMENT = [
  ...['system', 'flow_mm_per_h', 'emitter_flow_lph', 'emitters_per_m2'],
  ...['fraction_wetted', 'irrigated_area_m2'],
];

/** Whether the watering would have this setup without the change. */
function hasSameSetupBefore(change: Change, { installationId, startedAt }: DosedWatering): boolean {
  const { before, after } = change.rows!.find(({ key }) => key === installationId)!;
  return (
    before !== null &&
    EQUIPMENT.every((column) => before[column] === after![column]) &&
    startedAt >= Number(before.valid_from) &&
    startedAt < Number(before.valid_to ?? Number.POSITIVE_INFINITY)
  );
}

/** What later rests on the change: rows that refer to what it added, doses from its setups, setups set after it. */
async function dependants({ db }: Db, change: Change): Promise<Reference[]> {
  const rows = change.rows!;
  const own = new Set(rows.map(keyOf));
  const isOther = (reference: Reference): boolean => !own.has(keyOf(reference));
  // By the order of changes, since the clocks of two processes may differ; by time only for rows that no change has.
  const isLater = async (reference: Reference, at: number): Promise<boolean> =>
    isOther(reference) &&
    ((await laterChangeOf(db, change.id, [reference])) !== null ||
      (at > change.at && (await laterChangeOf(db, 0, [reference])) === null));
  const added = rows.filter(({ before, after }) => before === null && after !== null);
  const found = (await referencesTo(db, added, rows.length)).filter(isOther);

  const versions = rows.filter(({ table }) => table === 'installation_versions');
  const inForce = versions.filter(({ after }) => after !== null).map(({ key }) => key as number);
  for (const watering of await wateringsDosedSince(db, inForce, change.at)) {
    const reference = wateringReference(watering);
    // A schedule's own watering got its dose with the change, and was recorded when its time came.
    const isOfSchedule = watering.scheduleId !== null && watering.isDetached === 0;
    const isRecordedSince =
      (isOther(reference) && isOfSchedule) || (await isLater(reference, watering.computedAt ?? 0));
    if (isRecordedSince && !hasSameSetupBefore(change, watering)) found.push(reference);
  }
  for (const table of ['installation_versions', 'probe_settings'] as const) {
    const targets = rows.filter((row) => row.table === table).map(({ before, after }) => (after ?? before)!);
    for (const version of await versionsSetSince(db, table, targets, change.at))
      if (await isLater(version, version.setAt)) found.push(version);
  }
  return found;
}

export async function refuseDependants(call: Db, change: Change): Promise<void> {
  const [first] = await dependants(call, change);
  if (first) throw await laterChangeError(call, change, first, 'depends on it');
}
