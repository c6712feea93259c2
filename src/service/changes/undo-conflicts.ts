import { nameInSentence } from '../../domain/text.ts';
import { moduleName, visibleDirectory } from '../../language/summary-context.ts';
import { formatInstant } from '../../language/time.ts';
import type { Call } from '../../operation/call.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type Change, firstChangeAfter, storedImages } from '../../store/changes/changes.ts';
import {
  type DosedWatering,
  type Reference,
  referencesTo,
  versionsSetSince,
  wateringsDosedSince,
  wateringsOfSchedulesSince,
} from '../../store/changes/references.ts';
import { isRecorded, isSameImage, type RowImage } from '../../store/scope/recorded-rows.ts';
import { mayReadRow } from './changes.ts';

type ConflictContext = Pick<Call, 'db' | 'caller' | 'directory' | 'now' | 'zone'>;

export const notUndoable = (message: string, hint: string): AcequiaError =>
  new AcequiaError({ code: 'CHANGE_NOT_UNDOABLE', status: 409, message, hint });

export async function laterChangeError(
  context: ConflictContext,
  change: Change,
  reference: Reference,
  verb: 'was changed since' | 'depends on it',
): Promise<AcequiaError> {
  const later = await firstChangeAfter(context.db, change.id, [reference]);
  const row = await describeRow(context, change, reference);
  const message = `Change ${change.id} (${change.operation}) cannot be taken back: ${row} ${verb}`;
  return later === null
    ? notUndoable(`${message}.`, 'Correct it with the tool that wrote it.')
    : notUndoable(
        `${message}, in change ${later.id} (${later.operation}).`,
        `Ask whether to take that back first, with changeId ${later.id}; or correct it with the tool that wrote it.`,
      );
}

/** "watering 12 of North 1 (yesterday 18:00)"; without the scope to read waterings "watering 12" */
async function describeRow(
  context: ConflictContext,
  change: Change,
  { table, key }: Reference,
): Promise<string> {
  const kind = table.replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '');
  if (key === null || !isRecorded(table)) return kind;
  if (!mayReadRow(context.caller, { table }))
    return typeof key === 'number' ? `${kind} ${key}` : kind;

  const stored = (await storedImages(context.db, table, [key])).get(key);
  const image: RowImage =
    stored ?? change.rows!.find((row) => keyOf(row) === keyOf({ table, key }))?.after ?? {};
  const moduleId = Number(image.module_id ?? image.target_module_id ?? 0);
  const name = nameInSentence(image.name === undefined ? null : String(image.name));
  const startedAt = image.started_at ?? image.valid_from;

  return [
    ...[kind, key, name].filter((word) => word !== ''),
    ...(moduleId === 0
      ? []
      : ['of', await moduleName(visibleDirectory(context.directory), moduleId)]),
    ...(typeof startedAt === 'number' ? [`(${formatInstant(startedAt, context)})`] : []),
  ].join(' ');
}

const keyOf = ({ table, key }: Reference): string => `${table} ${key}`;

const wateringReference = (id: number): Reference => ({ table: 'waterings', key: id });

const EQUIPMENT_COLUMNS = [
  'system',
  'flow_mm_per_h',
  'emitter_flow_lph',
  'emitters_per_m2',
  'fraction_wetted',
  'irrigated_area_m2',
];

/** True if the watering would have the same equipment without the change. */
function hasSameSetupBefore(change: Change, { installationId, startedAt }: DosedWatering): boolean {
  const { before, after } = change.rows!.find(({ key }) => key === installationId)!;
  return (
    before !== null &&
    EQUIPMENT_COLUMNS.every((column) => before[column] === after![column]) &&
    startedAt >= Number(before.valid_from) &&
    startedAt < Number(before.valid_to ?? Number.POSITIVE_INFINITY)
  );
}

/** True if the schedule would have other occurrences without the change. */
function changesOccurrences({
  before,
  after,
}: {
  before: RowImage | null;
  after: RowImage | null;
}): boolean {
  return (
    before !== null &&
    after !== null &&
    !isSameImage({ ...before, label: null }, { ...after, label: null })
  );
}

/**
 * Rows that were stored later and depend on the change: those that refer to rows it added, doses
 * from its setups, waterings at the times of its schedules, and setups that were set after it.
 */
async function* dependants(
  { db, now }: ConflictContext,
  change: Change,
): AsyncGenerator<Reference> {
  const rows = change.rows!;
  const own = new Set(rows.map(keyOf));
  const isOther = (reference: Reference): boolean => !own.has(keyOf(reference));
  const hasLaterChange = async (reference: Reference) =>
    (await firstChangeAfter(db, change.id, [reference])) !== null;
  // The order of changes counts, because the clocks of two processes may differ; times count only
  // for rows that no change recorded.
  const isLater = async (reference: Reference, at: number): Promise<boolean> =>
    isOther(reference) &&
    ((await hasLaterChange(reference)) ||
      (at > change.at && (await firstChangeAfter(db, 0, [reference])) === null));

  const added = rows.filter(({ before, after }) => before === null && after !== null);
  for (const reference of await referencesTo(db, added, rows.length, now))
    if (isOther(reference)) yield reference;

  const schedules = rows
    .filter((row) => row.table === 'schedules' && changesOccurrences(row))
    .map(({ key }) => key);
  for (const { id, isDetached } of await wateringsOfSchedulesSince(
    db,
    schedules as number[],
    change.at,
    now,
  )) {
    const reference = wateringReference(id);
    if (isDetached === 0 || (await hasLaterChange(reference))) yield reference;
  }

  const versions = rows.filter(({ table }) => table === 'installation_versions');
  const inForce = versions.filter(({ after }) => after !== null).map(({ key }) => key as number);
  for (const watering of await wateringsDosedSince(db, inForce, change.at)) {
    if (hasSameSetupBefore(change, watering)) continue;
    const reference = wateringReference(watering.id);
    // A schedule's own watering got its dose with the change, and was recorded when its time came.
    const isOfSchedule = watering.scheduleId !== null && watering.isDetached === 0;
    if (
      (isOther(reference) && isOfSchedule) ||
      (await isLater(reference, watering.computedAt ?? 0))
    )
      yield reference;
  }

  for (const table of ['installation_versions', 'probe_settings'] as const) {
    const targets = rows
      .filter((row) => row.table === table)
      .map(({ before, after }) => (after ?? before)!);
    for (const version of await versionsSetSince(db, table, targets, change.at))
      if (await isLater(version, version.setAt)) yield version;
  }
}

export async function refuseDependants(call: ConflictContext, change: Change): Promise<void> {
  for await (const first of dependants(call, change))
    throw await laterChangeError(call, change, first, 'depends on it');
}
