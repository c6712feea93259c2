import { lastOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { describeEffects } from '../../language/changes/change-summary.ts';
import { summaryContextOf } from '../../language/summary-context.ts';
import { formatInstant } from '../../language/time.ts';
import { authorize } from '../../operation/authorization.ts';
import type { Call } from '../../operation/call.ts';
import { LATEST, type UndoAnswer } from '../../schema/changes/change.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Scope } from '../../schema/scope.ts';
import {
  type Change,
  changeById,
  latestChangeWithoutEffect,
  ownChangesBefore,
  undoneBy,
} from '../../store/changes/changes.ts';
import {
  isConstraintViolation,
  type Reversal,
  storedImages,
  writeReversal,
} from '../../store/changes/reversals.ts';
import type { PendingRegeneration } from '../../store/irrigation/pending-regenerations.ts';
import { hideRemovedRow, type OccurrenceOwner } from '../../store/irrigation/removals.ts';
import { isRemovedInSteps } from '../../store/scope/company-scope-rules.ts';
import { type ChangedRow, isSameImage, recordedTables } from '../../store/scope/recorded-rows.ts';
import { withoutRainSince } from '../ingest/devices/assignment-undo.ts';
import { assertNoPendingRemovals } from '../irrigation/planning/pending-regenerations.ts';
import { ownershipError } from '../ownership.ts';
import { changeBodies } from './changes.ts';
import {
  assertNoDependants,
  laterChangeError,
  notUndoableError,
  type RecordedChange,
} from './undo-conflicts.ts';
import { undoWithEffects } from './undo-effects.ts';

export async function undoChange(
  call: Call,
  { changeId }: { changeId: string },
): Promise<UndoAnswer> {
  await assertNoPendingRemovals(call);
  const change =
    changeId === LATEST ? await latestChange(call) : await requireOwnChange(call, Number(changeId));
  const { id, operation, scope, rows } = change;

  authorize(call.caller, { name: operation, scope: scope as Scope, effect: 'update' });
  if (rows === null)
    throw notUndoableError(
      `Change ${id} (${operation}) stored readings, which cannot be undone.`,
      'Import the right readings again: those of the same sensor and time are replaced. To undo an earlier change, name it with changeId.',
    );

  const undo = await undoneBy(call.db, id);
  if (undo !== null)
    throw notUndoableError(
      `Change ${id} (${operation}) was already undone, by change ${undo}.`,
      `To restore it, call undo with changeId ${undo}.`,
    );

  if (rows.some(({ table }) => table === 'users') && call.caller.role !== 'OWNER')
    throw new AcequiaError({
      code: 'insufficient_role',
      status: 403,
      message: 'Only an OWNER adds or removes members.',
      hint: 'Ask an OWNER of the company to do it.',
    });

  if (rows.length === 0)
    throw notUndoableError(
      `Change ${id} (${operation}) changed nothing.`,
      'See ids in list_changes.',
    );

  call.recordUndone({ id, scope });
  const reversible = { ...change, rows: await withoutRainSince(call, rows) };
  const plannedCounts = Object.entries(await undoRows(call, reversible));
  const nonZeroCounts = Object.fromEntries(plannedCounts.filter(([, count]) => count > 0));

  const undone = (await changeBodies(call, MAX_ROWS))(reversible);
  const counts = { ...undone.effects.counts, ...nonZeroCounts };
  const answer = { undone: { ...undone, effects: { ...undone.effects, counts } } };
  if (change.caller !== call.caller.id) call.confirm({ kind: 'undo', ...answer });

  return answer;
}

const MAX_ROWS = 5;
const OWN_CHANGES_PER_QUERY = 20;

/** A call without an id undoes no older change than this. */
const MAX_AGE_WITHOUT_ID_MS = DAY_MS;

/**
 * The latest change of the caller. If it is old, or a later call changed nothing, the caller must
 * name its id.
 */
async function latestChange(call: Call): Promise<Change> {
  const { db, caller, now } = call;
  const latest = await newestUndoableChange(call);
  const callWithoutEffect = await latestChangeWithoutEffect(db, caller.id);
  const isOld = now - latest.at > MAX_AGE_WITHOUT_ID_MS;
  if (callWithoutEffect === null && !isOld) return latest;

  const { id, at, operation } = latest;
  const context = summaryContextOf(call);
  const effects = await describeEffects((await changeBodies(call, MAX_ROWS))(latest), context);
  const change = `${id} (${operation}, ${formatInstant(at, context)}): ${effects}`;

  throw notUndoableError(
    callWithoutEffect === null
      ? `Your latest change is more than a day old, change ${change}.`
      : `Your latest call, ${callWithoutEffect.operation}, changed nothing. The change before it is ${change}.`,
    `Ask whether that is meant; if so, call undo with changeId ${id}.`,
  );
}

/** The newest change of the caller that was not undone and is no undo itself. */
async function newestUndoableChange({ db, caller }: Call): Promise<Change> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = await ownChangesBefore(db, caller.id, before, OWN_CHANGES_PER_QUERY);
    for (const id of ids) {
      const change = (await undoneBy(db, id)) === null ? await changeById(db, id) : null;
      if (change !== null) return change;
    }

    if (ids.length < OWN_CHANGES_PER_QUERY)
      throw new AcequiaError({
        code: 'not_found',
        status: 404,
        message: 'There is no change of yours to undo.',
        hint: 'See list_changes for those of others, and name one with changeId.',
      });

    before = lastOf(ids);
  }
}

async function requireOwnChange(call: Call, id: number): Promise<Change> {
  const change = await changeById(call.db, id);
  if (change) return change;
  throw await ownershipError(call, 'changes', id, {
    kind: 'change',
    hint: 'See ids in list_changes.',
  });
}

async function undoRows(call: Call, change: RecordedChange) {
  const { rows } = change;
  const company = rows.find(({ table }) => table === 'companies') ?? null;
  const reversals = rows.flatMap(({ table, key, before: to, after: from }): Reversal[] =>
    table === 'companies' ? [] : [{ table, key, from, to }],
  );

  const check = async () => {
    await assertUnchangedSince(call, change, reversals);
    await assertNoDependants(call, change);
  };

  const write = async (pending: readonly PendingRegeneration[]) => {
    // Waiting readings are not deleted here: `undoWithEffects` writes them to their sensors, which
    // deletes them.
    const toWrite = reversals.filter(({ table, to }) => table !== 'device_readings' || to !== null);
    for (const reversal of inWritingOrder(toWrite)) {
      const owner = ownerOfPending(reversal, pending);
      if (owner) await hideRemovedRow(call.db, owner, call.now);
      else await writeReversal(call.db, reversal);
    }
    if (company) await restoreCompany(call, change, company);
  };

  return undoWithEffects(call, reversals, { check, write }).catch((error) => {
    if (!isConstraintViolation(error)) throw error;
    throw notUndoableError(
      `Change ${change.id} (${change.operation}) cannot be undone: a later entry has its name or refers to it.`,
      'See list_changes for what came after it.',
    );
  });
}

/** The removed row if planned waterings that are still to be deleted refer to it. */
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

async function assertUnchangedSince(
  call: Call,
  change: RecordedChange,
  reversals: readonly Reversal[],
): Promise<void> {
  for (const table of recordedTables) {
    const ofTable = reversals.filter((reversal) => reversal.table === table);
    if (ofTable.length === 0) continue;
    const stored = await storedImages(
      call.db,
      table,
      ofTable.map(({ key }) => key),
    );
    const changed = ofTable.find(({ key, from }) => !isSameImage(stored.get(key) ?? null, from));
    if (changed) throw await laterChangeError(call, change, changed, 'was changed since');
  }
}

/**
 * Removals first, from the rows that refer to others; additions last, from those that others refer
 * to.
 */
function inWritingOrder(reversals: readonly Reversal[]): Reversal[] {
  const rank = ({ table }: Reversal): number => recordedTables.indexOf(table);
  const sorted = [...reversals].sort((a, b) => rank(a) - rank(b));
  return [
    ...sorted.filter(({ to }) => to === null).reverse(),
    ...sorted.filter(({ from, to }) => from !== null && to !== null),
    ...sorted.filter(({ from }) => from === null),
  ];
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
      `Change ${change.id} cannot be undone: another company has that name now.`,
      'Rename it with set_company.',
    );
}
