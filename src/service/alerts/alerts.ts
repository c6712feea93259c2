import { ALERT_DEFAULTS, alertStatus } from '../../domain/alerts/alert-episodes.ts';
import { formatPlainDecimal } from '../../domain/decimal.ts';
import { argument, operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { moduleText } from '../../language/text/names-of-farm.ts';
import type { Call } from '../../operation/call.ts';
import type {
  AlertBody,
  AlertStateBody,
  AlertWithRecipientsBody,
  alertBody,
  alertChange,
  ListedAlertBody,
} from '../../schema/alerts/alert.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import { type AlertState, alertStateOf, alertStatesOf } from '../../store/alerts/alert-states.ts';
import {
  type Alert,
  type AlertChange,
  addAlert,
  alertById,
  alertCount,
  alertMapper,
  alertsAfter,
  type NewAlert,
  type NewRecipient,
  recipientsOf,
  type UnnumberedAlert,
} from '../../store/alerts/alerts.ts';
import type { Module } from '../../store/company/modules.ts';
import { assertOwnParcel, ownershipError, requireOwnModule, requireUser } from '../ownership.ts';
import { idBeforePage, toPage } from '../pagination.ts';
import {
  adviseOfAlertState,
  adviseOfNewAlert,
  adviseOfSameAlert,
  adviseOfSuspectReadings,
  sameAlertCount,
} from './alert-advisories.ts';
import { applyAlertChange, startEvaluation } from './alert-lifecycle.ts';
import { WATCHED_VALUES } from './kinds/watched-values.ts';
import { moveLineOfAlert } from './line-alerts.ts';
import { adviseOfMail, adviseOfNotice } from './means-of-notice.ts';

type AlertEntry = FieldsOf<typeof alertBody>;

type AlertCorrection = FieldsOf<typeof alertChange>;

function alertBodyOf({ company }: Call, alert: UnnumberedAlert): AlertBody {
  const { id, ...rule } = alertMapper.toBody(alert);
  return { id, companyId: company.id, ...rule };
}

const recipientBody = ({ id, alertId, userId }: NewRecipient) => ({
  id,
  alertId,
  userId: String(userId),
});

function stateBody(state: AlertState, now: number): AlertStateBody {
  return {
    status: alertStatus(state, now),
    firing: state.since !== null,
    since: toIsoOrNull(state.since),
    value_vwc: state.value,
    time: toIsoOrNull(state.evaluatedAt),
  };
}

export async function createAlert(call: Call, entry: AlertEntry): Promise<AlertWithRecipientsBody> {
  requireUser(call, say`An alert needs a recipient.`);
  const module = entry.moduleId == null ? null : await requireOwnModule(call, entry.moduleId);
  if (entry.parcelId != null) await assertOwnParcel(call, entry.parcelId);
  if (module !== null && call.isToolCall) await assertCanFire(call, module);

  const newAlert = newAlertOf(call, entry, module?.id ?? null);
  const { threshold } = newAlert;
  const sameAlerts = module === null ? 0 : await sameAlertCount(call.db, threshold, [module.id]);
  const alert = await addAlert(call.db, newAlert, call.now);
  const state = await startEvaluation(call, alert);
  if (module !== null) await adviseOfNewAlert(call, alert, { module, state });
  adviseOfSameAlert(call, threshold, sameAlerts);
  await adviseOfAlertState(call, alert, state && stateBody(state, call.now));

  if (module !== null) {
    await WATCHED_VALUES[alert.kind].adviseOfThreshold(call, module, entry.threshold, false);
    await adviseOfSuspectReadings(call, alert.kind, module);
  }

  return {
    ...alertBodyOf(call, alert),
    recipients: (await recipientsOf(call.db, [alert.id])).map(recipientBody),
  };
}

/**
 * REST stores an alert that never fires, as the specification has it; a person would wait for it.
 */
async function assertCanFire(call: Call, module: Module): Promise<void> {
  const isTensiometer = module.category === 'TENSIOMETER';
  // A probe may still get its sensors.
  if (!isTensiometer && module.category !== 'WEATHER_STATION') return;
  if (await WATCHED_VALUES.moisture.isMeasuredBy(call, module)) return;

  const name = await moduleText(call.directory, module.id);
  throw invalidInputError(
    'invalid_body',
    say`${name} has no sensor of soil moisture, so an alert on it would never fire.`,
    {
      hint: isTensiometer
        ? say`Draw its dry level with ${operationName('create_annotation')} (${argument('chartType')} tensio, type h-line, style.fill dry, value in kPa): ${operationName('morning_brief')} then names it when it is drier. Or watch a soil probe: see ${operationName('list_modules')}.`
        : say`Watch a soil probe: ${operationName('list_modules')} with category SOIL_PROBE shows them.`,
      field: 'module',
    },
  );
}

/** `moduleId` is null for an alert that watches nothing. */
export const newAlertOf = (
  call: Call,
  { parcelId, threshold, hysteresis, reminderTime }: Omit<AlertEntry, 'moduleId'>,
  moduleId: number | null,
): NewAlert => ({
  moduleId,
  parcelId: parcelId ?? null,
  annotationId: null,
  threshold: formatPlainDecimal(threshold),
  hysteresis: hysteresis === undefined ? ALERT_DEFAULTS.hysteresis : formatPlainDecimal(hysteresis),
  reminderTime: reminderTime ?? ALERT_DEFAULTS.reminderTime,
  source: 'manual',
  createdBy: requireUser(call, say`An alert needs a recipient.`),
});

export async function updateAlert(
  call: Call,
  id: string,
  correction: AlertCorrection,
): Promise<AlertBody> {
  const before = await requireOwnAlert(call, id);
  const change = changesOf(before, correction);
  if (Object.keys(change).length === 0) return alertBodyOf(call, before);

  const after = await applyAlertChange(call, before, change);
  if (after.annotationId !== null && change.threshold !== undefined) {
    const isMoved = await moveLineOfAlert(call, after.annotationId, change.threshold);
    call.advise(
      isMoved ? { kind: 'line_moved', threshold: after.threshold } : { kind: 'line_unchanged' },
    );
  }

  const state = await alertStateOf(call.db, id);
  if (after.isActive && after.moduleId !== null)
    await adviseOfNotice(call, id, [{ moduleId: after.moduleId, state }]);
  await adviseOfAlertState(call, after, state && stateBody(state, call.now));

  if (after.isActive && after.moduleId !== null)
    await WATCHED_VALUES[after.kind].adviseOfThreshold(
      call,
      await requireOwnModule(call, after.moduleId),
      Number(after.threshold),
      after.annotationId !== null,
    );

  return alertBodyOf(call, after);
}

function changesOf(
  before: Alert,
  { threshold, hysteresis, reminderTime, isActive }: AlertCorrection,
): AlertChange {
  const corrected = {
    threshold: threshold === undefined ? before.threshold : formatPlainDecimal(threshold),
    hysteresis: hysteresis === undefined ? before.hysteresis : formatPlainDecimal(hysteresis),
    reminderTime: reminderTime ?? before.reminderTime,
    isActive: isActive ?? before.isActive,
  };
  return Object.fromEntries(
    Object.entries(corrected).filter(([name, value]) => before[name as keyof Alert] !== value),
  );
}

async function requireOwnAlert(call: Call, id: string): Promise<Alert> {
  const alert = await alertById(call.db, id);
  if (alert) return alert;
  throw await ownershipError(call, 'alerts', id, {
    kind: say`alert`,
    hint: say`See ids in ${operationName('list_alerts')}.`,
  });
}

export async function listAlerts(
  call: Call,
  query: { moduleId?: number; isActive?: boolean; limit: number; cursor?: string },
): Promise<{ data: ListedAlertBody[]; next_cursor: string | null }> {
  const list = ['alerts', call.company.id] as const;
  const afterSeq = idBeforePage(list, query.cursor);
  const module = query.moduleId === undefined ? null : await requireOwnModule(call, query.moduleId);
  const filter = { moduleId: query.moduleId, isActive: query.isActive };
  const rows = await alertsAfter(call.db, filter, afterSeq, query.limit + 1);
  const total = await alertCount(call.db, filter);
  if (total > 0) call.advise({ kind: 'total', count: total });
  const listed = rows.slice(0, query.limit);
  const ids = listed.map(({ id }) => id);

  const recipients = await recipientsOf(call.db, ids);
  const states = new Map(
    (await alertStatesOf(call.db, ids)).map((state) => [state.alertId, state]),
  );

  await adviseOfMail(call, listed);
  if (module !== null)
    for (const kind of new Set(listed.map((alert) => alert.kind)))
      await adviseOfSuspectReadings(call, kind, module);

  const rowOf = (alert: Alert): ListedAlertBody =>
    listedAlertBody(
      call,
      alert,
      states.get(alert.id) ?? null,
      recipients.filter(({ alertId }) => alertId === alert.id),
    );

  return toPage(list, rows, {
    limit: query.limit,
    positionOf: ({ seq }) => [seq],
    bodyOf: rowOf,
  });
}

export const listedAlertBody = (
  call: Call,
  alert: UnnumberedAlert,
  state: AlertState | null,
  recipients: readonly (NewRecipient & { readonly userName: string })[],
): ListedAlertBody => ({
  ...alertBodyOf(call, alert),
  recipients: recipients.map((recipient) => ({
    ...recipientBody(recipient),
    userName: recipient.userName,
  })),
  state: state && stateBody(state, call.now),
});
