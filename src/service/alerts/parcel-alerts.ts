import type { Call } from '../../operation/call.ts';
import type {
  ListedAlertBody,
  ParcelAlertsBody,
  parcelAlertBody,
} from '../../schema/alerts/alert.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { recipientsOf } from '../../store/alerts/alerts.ts';
import { type Module, moduleById, moduleIdsOfParcel } from '../../store/company/modules.ts';
import { assertOwnParcel, requireUser } from '../ownership.ts';
import { adviseOfAlertRecipient, adviseOfUnreachableLevel } from './alert-advisories.ts';
import { addWatchedAlert, listedAlertBody } from './alerts.ts';
import { WATCHED_VALUES } from './kinds/alert-kinds.ts';

type ParcelAlertEntry = FieldsOf<typeof parcelAlertBody>;

/** Makes one alert for each soil probe of the parcel that measures moisture. */
export async function createParcelAlerts(
  call: Call,
  parcelId: number,
  entry: ParcelAlertEntry,
): Promise<ParcelAlertsBody> {
  requireUser(call, 'An alert needs a recipient.');
  await assertOwnParcel(call, parcelId);

  const { watched, leftOut } = await modulesToWatch(call, parcelId);
  if (watched.length === 0) throw nothingToWatchError();

  const alerts: ListedAlertBody[] = [];
  for (const module of watched) {
    const { alert, state } = await addWatchedAlert(call, { ...entry, parcelId }, module);
    if (alerts.length === 0) {
      await adviseOfAlertRecipient(call, alert);
      adviseOfUnreachableLevel(call, alert);
    }
    alerts.push(listedAlertBody(call, alert, state, await recipientsOf(call.db, [alert.id])));
    await call.yieldOrCancel();
  }
  await adviseOfHighestStressPoint(call, watched, entry.threshold);

  return { parcelId, alerts, leftOut: leftOut.map(({ id }) => id) };
}

async function modulesToWatch(call: Call, parcelId: number) {
  const watched: Module[] = [];
  const leftOut: Module[] = [];
  for (const id of await moduleIdsOfParcel(call.db, parcelId)) {
    const module = await moduleById(call.db, id);
    if (module === null) continue;

    const isWatched =
      module.category === 'SOIL_PROBE' &&
      (await WATCHED_VALUES.moisture.isMeasuredBy(call, module));
    (isWatched ? watched : leftOut).push(module);
  }
  return { watched, leftOut };
}

/** An alert that is above the stress point of every probe warns in time on all of them. */
async function adviseOfHighestStressPoint(
  call: Call,
  modules: readonly Module[],
  threshold: number,
): Promise<void> {
  const stressPoints: number[] = [];
  for (const module of modules) {
    const figures = await WATCHED_VALUES.moisture.soilFigures(call, module);
    if (figures?.stressPoint != null) stressPoints.push(figures.stressPoint);
  }

  const stressPoint = Math.max(...stressPoints);
  if (threshold < stressPoint)
    call.advise({ kind: 'below_stress_point', stressPoint, hasLine: false });
}

const nothingToWatchError = (): Error =>
  invalidInputError(
    'invalid_body',
    'The parcel has no soil probe that measures moisture, so no alert was made.',
    {
      hint: 'Watch a probe of another parcel, or put a soil probe into this one with set_module.',
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
