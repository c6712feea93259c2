import { firstOf } from '../../../domain/items.ts';
import { operationName } from '../../../domain/text/program-names.ts';
import { say } from '../../../domain/text/say.ts';
import type { Call } from '../../../operation/call.ts';
import { countAddedRows } from '../../../operation/daily-rows.ts';
import type { ParcelAlertsBody, parcelAlertBody } from '../../../schema/alerts/alert.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { FieldsOf } from '../../../schema/field.ts';
import {
  type AlertState,
  insertAlertStates,
  newAlertState,
} from '../../../store/alerts/alert-states.ts';
import { addAlerts } from '../../../store/alerts/alerts.ts';
import { addParts, rowsOfPart } from '../../../store/changes/change-parts.ts';
import { addPendingParts } from '../../../store/changes/pending-parts.ts';
import { readingVersions } from '../../../store/moisture/reading-versions.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import { assertOwnParcel } from '../../ownership.ts';
import { completePendingParts, type FirstStates } from '../../pending-parts.ts';
import { adviseOfHysteresis, adviseOfSameAlert } from '../alert-advisories.ts';
import { newAlertOf } from '../alerts.ts';
import { evaluateCompanyAlerts } from '../due-evaluations.ts';
import { adviseOfNotice } from '../means-of-notice.ts';
import type { NewAlertEvaluations, ParcelProbes, ProbeToWatch } from './new-alert-evaluations.ts';

type ParcelAlertEntry = FieldsOf<typeof parcelAlertBody>;

/**
 * Makes one alert for each soil probe of the parcel that measures moisture. Those of a large parcel
 * are stored in several transactions. Alerts that are to be notified, or whose readings arrived
 * meanwhile, are evaluated in steps after that: if the process dies in between, housekeeping does it.
 */
export async function createParcelAlerts(
  call: Call,
  parcelId: number,
  entry: ParcelAlertEntry,
  evaluations: NewAlertEvaluations,
): Promise<ParcelAlertsBody> {
  const rule = newAlertOf(call, { ...entry, parcelId }, null);
  await assertOwnParcel(call, parcelId);

  const prepared = await evaluations.ofParcel(call, parcelId, rule);
  const { watched, leftOut, sameAlerts } = prepared;
  if (watched.length === 0) throw nothingToWatchError();

  await storeAlerts(call, prepared);

  const { alert } = firstOf(watched);
  await adviseOfNotice(
    call,
    alert.id,
    watched.map(({ module, state }) => ({ moduleId: module.id, state })),
  );
  await adviseOfHysteresis(call, alert);
  adviseOfSameAlert(call, alert.threshold, sameAlerts);
  adviseOfHighestStressPoint(call, watched, entry.threshold);

  return { parcelId, alerts: watched.map(({ body }) => body), leftOut: [...leftOut] };
}

async function storeAlerts(
  call: Call,
  { watched, first, laterParts }: ParcelProbes,
): Promise<void> {
  const { db, company, now } = call;
  await addAlerts(db, first);
  const states = await statesToStore(db, first);
  await insertAlertStates(db, states);

  const hasLaterParts = laterParts.length > 0;
  if (hasLaterParts) {
    const rows = laterParts.reduce((total, part) => total + rowsOfPart(part), 0);
    await countAddedRows(call, rows, { mayRefuse: true });
    call.afterRecording(async (changeId) => {
      await addParts(db, changeId, 0, laterParts);
      await addPendingParts(db, changeId);
    });
    call.afterCommit((store, signal) =>
      completePendingParts(store, company.id, firstStatesOf(watched), signal),
    );
  }

  const isDue = states.some(({ pendingMarks, evaluatedMarks }) => pendingMarks > evaluatedMarks);
  if (isDue || hasLaterParts)
    call.afterCommit((store, signal) => evaluateCompanyAlerts(store, company, { now, signal }));
}

/** The evaluated states, without those to be notified and those with readings since. */
async function statesToStore(
  db: CompanyDb,
  watched: readonly ProbeToWatch[],
): Promise<AlertState[]> {
  const versions = await readingVersions(
    db,
    watched.map(({ module }) => module.id),
  );
  return watched.map(({ module, state, isSilent, readingVersion }) => {
    const isCurrent = isSilent && versions.get(module.id) === readingVersion;
    return isCurrent ? state : newAlertState(state.alertId, 1);
  });
}

/** Another call may have left parts as well. */
function firstStatesOf(watched: readonly ProbeToWatch[]): FirstStates {
  const watchedById = new Map(watched.map((probe) => [probe.alert.id, probe]));
  return async (db, alertIds) => {
    const own = alertIds.flatMap((id) => watchedById.get(id) ?? []);
    const others = alertIds.filter((id) => !watchedById.has(id));
    return [...(await statesToStore(db, own)), ...others.map((id) => newAlertState(id, 1))];
  };
}

/** An alert that is above the stress point of every probe warns in time on all of them. */
function adviseOfHighestStressPoint(
  call: Call,
  watched: readonly ProbeToWatch[],
  threshold: number,
): void {
  const stressPoint = Math.max(...watched.flatMap((probe) => probe.stressPoint ?? []));
  if (threshold < stressPoint)
    call.advise({ kind: 'below_stress_point', stressPoint, hasLine: false });
}

const nothingToWatchError = (): Error =>
  invalidInputError(
    'invalid_body',
    say`The parcel has no soil probe that measures moisture, so no alert was made.`,
    {
      hint: say`Watch a probe of another parcel, or put a soil probe into this one with ${operationName('set_module')}.`,
      field: 'parcel',
    },
  );

/** The rule is the same for all. */
export const conciseParcelAlerts = ({ alerts, ...body }: ParcelAlertsBody) => ({
  ...body,
  alerts: alerts.map(({ id, moduleId, state }) => ({
    id,
    moduleId,
    state: state && { status: state.status, value_vwc: state.value_vwc },
  })),
});
