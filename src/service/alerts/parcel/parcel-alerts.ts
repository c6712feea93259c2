import { firstOf } from '../../../domain/items.ts';
import { operationName } from '../../../domain/text/program-names.ts';
import { say } from '../../../domain/text/say.ts';
import type { Call } from '../../../operation/call.ts';
import type { ParcelAlertsBody, parcelAlertBody } from '../../../schema/alerts/alert.ts';
import { invalidInputError } from '../../../schema/error.ts';
import type { FieldsOf } from '../../../schema/field.ts';
import { insertAlertStates, newAlertState } from '../../../store/alerts/alert-states.ts';
import { addAlerts } from '../../../store/alerts/alerts.ts';
import { readingVersions } from '../../../store/moisture/reading-versions.ts';
import { assertOwnParcel } from '../../ownership.ts';
import { adviseOfHysteresis, adviseOfSameAlert } from '../alert-advisories.ts';
import { newAlertOf } from '../alerts.ts';
import { evaluateCompanyAlerts } from '../due-evaluations.ts';
import { adviseOfNotice } from '../means-of-notice.ts';
import type { NewAlertEvaluations, ProbeToWatch } from './new-alert-evaluations.ts';

type ParcelAlertEntry = FieldsOf<typeof parcelAlertBody>;

/**
 * Makes one alert for each soil probe of the parcel that measures moisture. They are stored at once;
 * those that are to be notified, or whose readings arrived meanwhile, are evaluated in steps after
 * that: if the process dies in between, housekeeping does it.
 */
export async function createParcelAlerts(
  call: Call,
  parcelId: number,
  entry: ParcelAlertEntry,
  evaluations: NewAlertEvaluations,
): Promise<ParcelAlertsBody> {
  const rule = newAlertOf(call, { ...entry, parcelId }, null);
  await assertOwnParcel(call, parcelId);

  const { watched, leftOut, sameAlerts } = await evaluations.ofParcel(call, parcelId, rule);
  if (watched.length === 0) throw nothingToWatchError();

  await addAlerts(
    call.db,
    watched.map(({ alert }) => alert),
    watched.map(({ recipient }) => recipient),
  );
  await storeStates(call, watched);

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

async function storeStates(call: Call, watched: readonly ProbeToWatch[]): Promise<void> {
  const versions = await readingVersions(
    call.db,
    watched.map(({ module }) => module.id),
  );
  const states = watched.map(({ module, state, isSilent, readingVersion }) => {
    const isCurrent = isSilent && versions.get(module.id) === readingVersion;
    return isCurrent ? state : newAlertState(state.alertId, 1);
  });
  await insertAlertStates(call.db, states);

  const isDue = states.some(({ pendingMarks, evaluatedMarks }) => pendingMarks > evaluatedMarks);
  const { company, now } = call;
  if (isDue)
    call.afterCommit((store, signal) => evaluateCompanyAlerts(store, company, { now, signal }));
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
