import { argument, bracketedId, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { authorize } from '../../operation/authorization.ts';
import { assertNothingPending, type Call } from '../../operation/call.ts';
import { countAddedRows } from '../../operation/daily-rows.ts';
import { changeBodies, countEffects } from '../../operation/replay/change-bodies.ts';
import { LATEST, type UndoAnswer } from '../../schema/changes/change.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import { type Change, undoneBy } from '../../store/changes/changes.ts';
import { addPendingUndo } from '../../store/changes/pending-parts.ts';
import {
  isConstraintViolation,
  type Reversal,
  toReversals,
  writeReversals,
} from '../../store/changes/reversals.ts';
import type { PendingRegeneration } from '../../store/irrigation/pending-regenerations.ts';
import { hideRemovedRow, type OccurrenceOwner } from '../../store/irrigation/removals.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import { isRemovedInSteps } from '../../store/scope/company-scope-rules.ts';
import { type ChangedRow, isSameImage } from '../../store/scope/recorded-rows.ts';
import { adviseOfNewZone, type CompanyZone } from '../company/zone-change.ts';
import { DIVIDE_PARCEL, movesOfReversals, overfullParcelText } from '../farm/parcel-size.ts';
import { withoutRainSince } from '../ingest/devices/assignment-undo.ts';
import { takeBackReadings } from '../ingest/devices/periods/undone-periods.ts';
import { completePendingDoses } from '../irrigation/doses/pending-doses.ts';
import { affectedWaterings } from './affected-waterings.ts';
import { withBegunWateringsKept } from './begun-waterings.ts';
import { latestChange, requireOwnChange } from './change-to-undo.ts';
import { assertUnchangedSince } from './unchanged-since.ts';
import type { UndoChecks } from './undo-checks.ts';
import {
  changeInSentence,
  laterChangeError,
  notUndoableError,
  type RecordedChange,
} from './undo-conflicts.ts';
import { undoWithEffects } from './undo-effects.ts';
import type { PartsToUndo } from './undo-parts.ts';

export async function undoChange(
  call: Call,
  { changeId }: { readonly changeId: number | typeof LATEST },
  checks: UndoChecks,
): Promise<UndoAnswer> {
  const change =
    changeId === LATEST ? await latestChange(call) : await requireOwnChange(call, changeId);
  const { id, operation, scope } = change;

  authorize(call.caller, { name: operation, scope: scope as Scope, effect: 'update' });
  const rows = await undoableRows(call, change);
  await assertNothingPending(call, affectedWaterings(rows));
  const parts = await checks.parts.of(call, { ...change, rows });
  if (rows.length === 0 && parts === null)
    throw notUndoableError(
      say`${changeInSentence(change)} changed nothing.`,
      say`See ids in ${operationName('list_changes')}.`,
    );

  const isUndo = change.undoes !== null;
  call.recordUndone({ id, scope, isUndo });
  if (parts !== null) {
    // Before the alerts of the change and of its parts are evaluated.
    undoPartsAfterCommit(call, id);
    await countAddedRows(call, parts.addedRows, { mayRefuse: isUndo });
  }
  const withoutRain = { ...change, rows: await withoutRainSince(call, rows) };
  const reversible = await withBegunWateringsKept(call, withoutRain);
  const plannedCounts = Object.entries(await undoRows(call, reversible, parts, checks));
  await takeBackReadings(call, reversible);
  const nonZeroCounts = Object.fromEntries(plannedCounts.filter(([, count]) => count > 0));

  const bodyOf = await changeBodies(call, MAX_ROWS);
  const undone = await bodyOf(reversible);
  const ownCounts = { ...parts?.counts };
  countEffects(reversible.rows, ownCounts);
  const counts = { ...ownCounts, ...nonZeroCounts };
  const answer = { undone: { ...undone, effects: { ...undone.effects, counts } } };
  if (change.caller !== call.caller.id) call.confirm({ kind: 'undo', ...answer });

  return answer;
}

/** The parts follow in transactions of their own, before the answer or after a kill. */
function undoPartsAfterCommit(call: Call, undoes: number): void {
  const companyId = companyIdOf(call.db);
  call.afterRecording((changeId) => addPendingUndo(call.db, { changeId, undoes, afterPart: 0 }));
  call.afterCommit((store, signal) => completePendingDoses(store, companyId, {}, signal));
}

/** Throws if the caller cannot undo the change, whatever was changed after it. */
async function undoableRows(call: Call, change: Change): Promise<readonly ChangedRow[]> {
  const { id, rows } = change;
  if (rows === null)
    throw notUndoableError(
      say`${changeInSentence(change)} stored readings, which cannot be undone.`,
      say`Import the right readings again: those of the same sensor and time are replaced. To undo an earlier change, name it with ${argument('changeId')}.`,
    );

  const undoingId = await undoneBy(call.db, id);
  if (undoingId !== null)
    throw notUndoableError(
      say`${changeInSentence(change)} was already undone${bracketedId(undoingId)}.`,
      say`To restore it, call ${operationName('undo')} with ${argument('changeId')} ${undoingId}.`,
    );

  if (rows.some(({ table }) => table === 'users') && call.caller.role !== 'OWNER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: say`Only an OWNER adds or removes members.`,
      hint: say`Ask an OWNER of the company to do it.`,
    });

  return rows;
}

/** Rows listed of the undone change. */
const MAX_ROWS = 5;

async function undoRows(
  call: Call,
  change: RecordedChange,
  parts: PartsToUndo | null,
  checks: UndoChecks,
) {
  const { rows } = change;
  const company = rows.find(({ table }) => table === 'companies') ?? null;
  const reversals = toReversals(rows);

  // Dependants of a change with parts were looked for when its parts were checked.
  const check = async () => {
    if (parts === null) await checks.assertUndoable(call, change, reversals);
    else await assertUnchangedSince(call, change, reversals);
    await assertRoomInParcels(call, change, reversals);
  };

  const write = async (pending: readonly PendingRegeneration[]) => {
    // Readings of unassigned devices are not deleted here: `undoWithEffects` writes them to their
    // sensors, which deletes them.
    const toWrite = reversals.filter(({ table, to }) => table !== 'device_readings' || to !== null);
    const isHidden = (reversal: Reversal) => ownerOfPending(reversal, pending) !== null;
    for (const reversal of toWrite) {
      const owner = ownerOfPending(reversal, pending);
      if (owner) await hideRemovedRow(call.db, owner, call.now);
    }
    const written = toWrite.filter((reversal) => !isHidden(reversal));
    await writeReversals(call.db, written);
    if (company) await restoreCompany(call, change, company);
  };

  return undoWithEffects(call, reversals, { check, write }).catch((error) => {
    if (!isConstraintViolation(error)) throw error;
    throw notUndoableError(
      say`${changeInSentence(change)} cannot be undone: a later entry has its name or refers to it.`,
      say`See ${operationName('list_changes')} for what came after it.`,
    );
  });
}

async function assertRoomInParcels(
  call: Call,
  change: RecordedChange,
  reversals: readonly Reversal[],
): Promise<void> {
  const excess = await overfullParcelText(call, movesOfReversals(reversals));
  if (excess !== null)
    throw notUndoableError(
      say`${changeInSentence(change)} cannot be undone: ${excess}.`,
      DIVIDE_PARCEL,
    );
}

/** The row to remove, if planned waterings that are deleted later refer to it; else null. */
function ownerOfPending(
  { table, key, to }: Reversal,
  pending: readonly PendingRegeneration[],
): OccurrenceOwner | null {
  if (to !== null || !isRemovedInSteps(table)) return null;
  const id = Number(key);
  const isOwner = pending.some(
    ({ scheduleId, moduleId }) => id === (table === 'schedules' ? scheduleId : moduleId),
  );
  return isOwner ? { table, id } : null;
}

async function restoreCompany(
  call: Call,
  change: RecordedChange,
  { key, before, after }: ChangedRow,
): Promise<void> {
  if (!isSameImage(await call.storedCompany(), after))
    throw await laterChangeError(call, change, { table: 'companies', key }, 'was changed since');
  if (before === null) await call.deleteCompany();
  else if (!(await call.saveCompany(before)))
    throw notUndoableError(
      say`The change${bracketedId(change.id)} cannot be undone: another company has that name now.`,
      say`Rename it with ${operationName('set_company')}.`,
    );
  else await adviseOfNewZone(call, (after ?? before) as CompanyZone, before as CompanyZone);
}
