import { lastOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { argument, aside, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { timeOf } from '../../domain/text/times.ts';
import { describeEffects } from '../../language/changes/change-summary.ts';
import { summaryContextOf } from '../../language/summary-context.ts';
import { inWords } from '../../language/text/render.ts';
import type { Call } from '../../operation/call.ts';
import { changeBodies } from '../../operation/replay/change-bodies.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  type Change,
  changeById,
  changeWithoutParts,
  latestChangeWithoutEffect,
  ownChangesBefore,
  undoneBy,
} from '../../store/changes/changes.ts';
import { ownershipError } from '../ownership.ts';
import { changeInBrackets, notUndoableError } from './undo-conflicts.ts';

/** Rows of the change that the error describes. */
const MAX_ROWS = 5;
const OWN_CHANGES_PER_QUERY = 20;

/** A call without an id undoes no older change than this. */
const MAX_AGE_WITHOUT_ID_MS = DAY_MS;

/**
 * The latest change of the caller. If it is old, or a later call changed nothing, the caller must
 * name its id.
 */
export async function latestChange(call: Call): Promise<Change> {
  const { db, caller, now } = call;
  const latest = await newestUndoableChange(call);
  const callWithoutEffect = await latestChangeWithoutEffect(db, caller.id);
  const isOld = now - latest.at > MAX_AGE_WITHOUT_ID_MS;
  if (callWithoutEffect === null && !isOld) return latest;

  const { id, at } = latest;
  const context = summaryContextOf(call);
  const whole = (await changeById(db, id)) ?? latest;
  const bodyOf = await changeBodies(call, MAX_ROWS);
  const effects = await describeEffects(await bodyOf(whole), context);
  const made = inWords(say`from ${timeOf(at)}: ${effects}`, context);
  const change = changeInBrackets(latest);

  throw notUndoableError(
    callWithoutEffect === null
      ? say`Your latest change${change} is more than a day old, ${made}.`
      : say`Your latest call${aside(operationName(callWithoutEffect.operation))} changed nothing. The change before it${change} is ${made}.`,
    say`Ask whether that is meant; if so, call ${operationName('undo')} with ${argument('changeId')} ${id}.`,
  );
}

/** The newest change of the caller that was not undone and is no undo itself. */
async function newestUndoableChange({ db, caller }: Call): Promise<Change> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const ids = await ownChangesBefore(db, caller.id, before, OWN_CHANGES_PER_QUERY);
    for (const id of ids) {
      const change = (await undoneBy(db, id)) === null ? await changeWithoutParts(db, id) : null;
      if (change !== null) return change;
    }

    if (ids.length < OWN_CHANGES_PER_QUERY)
      throw new AcequiaError({
        code: 'not_found',
        status: 404,
        message: say`There is no change of yours to undo.`,
        hint: say`See ${operationName('list_changes')} for those of others, and name one with ${argument('changeId')}.`,
      });

    before = lastOf(ids);
  }
}

export async function requireOwnChange(call: Call, id: number): Promise<Change> {
  const change = await changeWithoutParts(call.db, id);
  if (change) return change;
  throw await ownershipError(call, 'changes', id, {
    kind: say`change`,
    hint: say`See ids in ${operationName('list_changes')}.`,
  });
}
