import { argument, aside, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { join, nameOrNull, say, word } from '../../domain/text/say.ts';
import type { Aside, Text } from '../../domain/text/text.ts';
import { timeOf } from '../../domain/text/times.ts';
import { visibleDirectory } from '../../language/summary-context.ts';
import { moduleText, parcelText } from '../../language/text/names-of-farm.ts';
import { inWords } from '../../language/text/render.ts';
import type { Call } from '../../operation/call.ts';
import { mayReadRow } from '../../operation/replay/change-bodies.ts';
import { AcequiaError } from '../../schema/error.ts';
import { type Change, firstChangeAfter } from '../../store/changes/changes.ts';
import {
  type DosedWatering,
  type VersionsTable,
  versionsSetSince,
  wateringsDosedSince,
  wateringsOfSchedulesSince,
} from '../../store/changes/later-uses.ts';
import { type Reference, referencesTo } from '../../store/changes/references.ts';
import { storedImages } from '../../store/changes/reversals.ts';
import {
  type ChangedRow,
  isRecorded,
  isSameImage,
  type RowImage,
} from '../../store/scope/recorded-rows.ts';
import { ROW_WORDS } from './row-words.ts';

type ConflictContext = Pick<Call, 'db' | 'caller' | 'directory' | 'now' | 'zone'>;

export const notUndoableError = (message: Text, hint: Text): AcequiaError =>
  new AcequiaError({ code: 'CHANGE_NOT_UNDOABLE', status: 409, message, hint });

export const changeInBrackets = ({ id, operation }: Pick<Change, 'id' | 'operation'>): Aside =>
  aside(say`#${id}, ${operationName(operation)}`);

/** "The change (#12, log_watering)" */
export const changeInSentence = (change: Pick<Change, 'id' | 'operation'>): Text =>
  say`The change${changeInBrackets(change)}`;

/** All changes but those of readings. */
export type RecordedChange = Change & { readonly rows: readonly ChangedRow[] };

export async function laterChangeError(
  context: ConflictContext,
  change: RecordedChange,
  reference: Reference,
  verb: 'was changed since' | 'depends on it',
): Promise<AcequiaError> {
  const later = await firstChangeAfter(context.db, change.id, [reference]);
  const row = await describeRow(context, change, reference);
  const message = say`${changeInSentence(change)} cannot be undone: ${row} ${word(verb)}`;
  return later === null
    ? notUndoableError(say`${message}.`, say`Correct it with the tool that wrote it.`)
    : notUndoableError(
        say`${message}, in a later change${changeInBrackets(later)}.`,
        say`Ask whether to undo that first, with ${argument('changeId')} ${later.id}; or correct it with the tool that wrote it.`,
      );
}

/**
 * "watering (#12) of North 1 (yesterday 18:00)", or "watering (#12)" if the caller may not read
 * waterings.
 */
async function describeRow(
  context: ConflictContext,
  change: RecordedChange,
  { table, key }: Reference,
): Promise<Text> {
  const kind = word(ROW_WORDS[table]);
  if (key === null || !isRecorded(table)) return kind;
  if (!mayReadRow(context.caller, { table }))
    return typeof key === 'number' ? say`${kind}${bracketedId(key)}` : kind;

  const stored = (await storedImages(context.db, table, [key])).get(key);
  const changed = change.rows.find((row) => referenceKey(row) === referenceKey({ table, key }));
  const image: RowImage = stored ?? changed?.after ?? {};

  const phrases = [say`${kind}${bracketedId(key)}`];
  const rowName = nameOrNull(image.name === undefined ? null : String(image.name));
  if (rowName !== null) phrases.push(say`${rowName}`);
  const moduleId = image.module_id ?? image.target_module_id;
  if (typeof moduleId === 'number')
    phrases.push(say`of ${await moduleText(visibleDirectory(context.directory), moduleId)}`);
  else if (table === 'waterings' && typeof image.parcel_id === 'number')
    phrases.push(say`of ${await parcelText(visibleDirectory(context.directory), image.parcel_id)}`);
  const startedAt = image.started_at ?? image.valid_from;
  if (typeof startedAt === 'number') phrases.push(say`(${inWords(timeOf(startedAt), context)})`);

  return join(phrases, say` `);
}

export const referenceKey = ({ table, key }: Reference): string => `${table} ${key}`;

const wateringReference = (id: number): Reference => ({ table: 'waterings', key: id });

const EQUIPMENT_COLUMNS = [
  'system',
  'flow_mm_per_h',
  'emitter_flow_lph',
  'emitters_per_m2',
  'fraction_wetted',
  'irrigated_area_m2',
];

const NO_ROW = { before: null, after: null };

/** True if the watering would have the same equipment without the change. */
function hasSameEquipmentBefore(
  { rows }: RecordedChange,
  { installationId, startedAt }: DosedWatering,
): boolean {
  const { before, after } = rows.find(({ key }) => key === installationId) ?? NO_ROW;
  return (
    before !== null &&
    after !== null &&
    EQUIPMENT_COLUMNS.every((column) => before[column] === after[column]) &&
    startedAt >= Number(before.valid_from) &&
    startedAt < Number(before.valid_to ?? Number.POSITIVE_INFINITY)
  );
}

/** True if the schedule would have other occurrences without the change. */
export function changesOccurrences({
  before,
  after,
}: Pick<ChangedRow, 'before' | 'after'>): boolean {
  return (
    before !== null &&
    after !== null &&
    !isSameImage({ ...before, label: null }, { ...after, label: null })
  );
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const idsOf = (rows: readonly ChangedRow[]): number[] =>
  rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));

/** Finds rows that were stored after a change and depend on it. */
class Dependants {
  readonly #context: ConflictContext;
  readonly #change: RecordedChange;
  readonly #keysOfChange: ReadonlySet<string>;

  constructor(context: ConflictContext, change: RecordedChange, keysOfParts: ReadonlySet<string>) {
    this.#context = context;
    this.#change = change;
    this.#keysOfChange = new Set([...change.rows.map(referenceKey), ...keysOfParts]);
  }

  async *find(): AsyncGenerator<Reference> {
    yield* this.#referencesToAddedRows();
    yield* this.#wateringsOfSchedules();
    yield* this.#dosesOfEquipment();
    yield* this.#laterVersions('installation_versions');
    yield* this.#laterVersions('probe_settings');
    yield* this.#laterVersions('parcel_settings');
  }

  async *#referencesToAddedRows(): AsyncGenerator<Reference> {
    const { rows } = this.#change;
    const added = rows.filter(({ before, after }) => before === null && after !== null);
    const { db, now } = this.#context;
    for (const reference of await referencesTo(db, added, rows.length, now))
      if (this.#isOutsideChange(reference)) yield reference;
  }

  async *#wateringsOfSchedules(): AsyncGenerator<Reference> {
    const schedules = this.#rowsOf('schedules').filter(changesOccurrences);
    const { db, now } = this.#context;
    const since = this.#change.at;
    for (const watering of await wateringsOfSchedulesSince(db, idsOf(schedules), since, now)) {
      // What has begun stays as it is.
      if (watering.startedAt <= now) continue;

      const reference = wateringReference(watering.id);
      if (watering.isDetached === 0 || (await this.#hasLaterChange(reference))) yield reference;
    }
  }

  async *#dosesOfEquipment(): AsyncGenerator<Reference> {
    const versions = this.#rowsOf('installation_versions').flatMap(({ key, after }) =>
      after === null ? [] : [{ id: Number(key), moduleId: numberOrNull(after.module_id) }],
    );
    const { db } = this.#context;
    for await (const watering of wateringsDosedSince(db, versions, this.#change.at)) {
      if (hasSameEquipmentBefore(this.#change, watering)) continue;

      const reference = wateringReference(watering.id);
      const computedAt = watering.computedAt ?? Number.NEGATIVE_INFINITY;
      // The dose of an occurrence is computed in the change itself, so it is not later.
      const isOccurrence = watering.scheduleId !== null && watering.isDetached === 0;
      const isOccurrenceOutside = isOccurrence && this.#isOutsideChange(reference);
      if (isOccurrenceOutside || (await this.#isLater(reference, computedAt))) yield reference;
    }
  }

  async *#laterVersions(table: VersionsTable): AsyncGenerator<Reference> {
    const targets = this.#rowsOf(table)
      .map(({ before, after }) => after ?? before)
      .filter((image) => image !== null);
    for (const version of await versionsSetSince(this.#context.db, table, targets, this.#change.at))
      if (await this.#isLater(version, version.setAt)) yield version;
  }

  #rowsOf(table: ChangedRow['table']): ChangedRow[] {
    return this.#change.rows.filter((row) => row.table === table);
  }

  #isOutsideChange(reference: Reference): boolean {
    return !this.#keysOfChange.has(referenceKey(reference));
  }

  async #hasLaterChange(reference: Reference): Promise<boolean> {
    return (await firstChangeAfter(this.#context.db, this.#change.id, [reference])) !== null;
  }

  /**
   * True if the row was written after the change. The order of changes counts, because the clocks of
   * two processes may differ; `at` counts only for rows that no change recorded.
   */
  async #isLater(reference: Reference, at: number): Promise<boolean> {
    if (!this.#isOutsideChange(reference)) return false;
    if (await this.#hasLaterChange(reference)) return true;
    return (
      at > this.#change.at && (await firstChangeAfter(this.#context.db, 0, [reference])) === null
    );
  }
}

export async function assertNoDependants(
  context: ConflictContext,
  change: RecordedChange,
  keysOfParts: ReadonlySet<string> = new Set(),
): Promise<void> {
  for await (const dependant of new Dependants(context, change, keysOfParts).find())
    throw await laterChangeError(context, change, dependant, 'depends on it');
}
