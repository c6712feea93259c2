import { dueReminder, localDateAt, nextReminderAt } from '../../domain/alerts/reminders.ts';
import { entryOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { MAX_FRESH_AGE_MS } from '../../domain/moisture/coverage.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import { HOUR_MS } from '../../domain/periods.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { langOfCountry } from '../../language/index.ts';
import { renderAlertMail, renderAlertPush, sanitizeName } from '../../language/mail/alert-mail.ts';
import type { AlertMailFacts, AlertMailState, SoilFigure } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { MailKind } from '../../schema/alerts/alert.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { AlertState } from '../../store/alerts/alert-states.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { type Module, moduleById } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { wateringsAfter } from '../../store/irrigation/watering-lists.ts';
import { pushDevices } from '../../store/keys/sessions.ts';
import { addMail, mailRecipients } from '../../store/mail/outbox.ts';
import { parsePush } from '../mail/push.ts';
import { loadSummarySeriesSource, type SummarySeriesSource } from '../moisture/summary-series.ts';
import { suspectReadings } from '../moisture/suspect-readings.ts';
import { thresholdsFor } from './drawn-thresholds.ts';

/** Instants in ms. */
interface EvaluatedState {
  readonly since: number | null;
  readonly newestAt: number | null;
  readonly nextAt: number | null;
}

type NotifiedState = Pick<
  AlertState,
  'notifiedFiring' | 'remindedOn' | 'remindedAt' | 'notifiedStale'
>;

export interface AlertNotifications extends NotifiedState, Pick<AlertState, 'dueAt'> {
  readonly messages: readonly MailKind[];
}

/**
 * The reminders of an episode that is reported later than this count from the day of the report.
 */
const LATE_NOTICE_MS = 12 * HOUR_MS;

/**
 * Each change is reported once, and only the current state, whatever happened since the last
 * evaluation.
 */
export function dueNotifications(
  notified: NotifiedState,
  { since, newestAt, nextAt }: EvaluatedState,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): AlertNotifications {
  const staleAt = newestAt === null ? null : newestAt + MAX_FRESH_AGE_MS + 1;
  const isStale = staleAt !== null && staleAt <= now;
  const { isReminded, ...firing } = firingNotification(notified, since, {
    now,
    zone,
    reminderTime,
  });

  const messages: MailKind[] = [];
  if (firing.notifiedFiring && !notified.notifiedFiring) messages.push('fired');
  if (!firing.notifiedFiring && notified.notifiedFiring) messages.push('resolved');
  if (isStale && !notified.notifiedStale) messages.push('stale');
  if (isReminded) messages.push('reminder');

  const due: number[] = [];
  if (staleAt !== null && !isStale) due.push(staleAt);
  if (nextAt !== null) due.push(nextAt);
  if (firing.remindedOn !== null)
    due.push(nextReminderAt(now, firing.remindedOn, reminderTime, zone));

  return {
    messages,
    ...firing,
    notifiedStale: isStale,
    dueAt: due.length === 0 ? null : Math.min(...due),
  };
}

function firingNotification(
  notified: NotifiedState,
  since: number | null,
  { now, zone, reminderTime }: { now: number; zone: string; reminderTime: string },
): Omit<NotifiedState, 'notifiedStale'> & { isReminded: boolean } {
  if (since === null)
    return { notifiedFiring: false, remindedOn: null, remindedAt: null, isReminded: false };
  if (!notified.notifiedFiring || notified.remindedOn === null) {
    const noticeAt = now - since < LATE_NOTICE_MS ? Math.min(since, now) : now;
    return {
      notifiedFiring: true,
      remindedOn: localDateAt(noticeAt, zone),
      remindedAt: null,
      isReminded: false,
    };
  }

  const due = dueReminder(
    now,
    { localDate: notified.remindedOn, at: notified.remindedAt },
    reminderTime,
    zone,
  );
  const isReminded = due?.isSent ?? false;

  return {
    notifiedFiring: true,
    remindedOn: due?.day ?? notified.remindedOn,
    remindedAt: isReminded ? now : notified.remindedAt,
    isReminded,
  };
}

const RECENT_WATERINGS = 3;

export type MailedAlert = Pick<Alert, 'id' | 'threshold' | 'hysteresis'> & {
  readonly moduleId: number;
};

export async function queueAlertMail(
  context: WriteContext,
  company: CompanyRow,
  alert: MailedAlert,
  kind: MailKind,
  state: AlertMailState,
): Promise<void> {
  const recipients = await mailRecipients(context.db, alert.id);
  const devices = (await pushDevices(context.db, context.now)).map((device) => ({
    ...device,
    ...parsePush(device.push),
  }));
  const companyLang = langOfCountry(company.country_code);
  const langs = new Set(devices.map(({ lang }) => lang));
  if (recipients.length > 0) langs.add(companyLang);

  const factsIn = new Map<Lang, AlertMailFacts>();
  for (const lang of langs)
    factsIn.set(lang, await alertMailFacts(context, company, alert, { kind, state, lang }));
  const message = { alertId: alert.id, kind };
  const mails = recipients.map(({ userId, email }) => ({
    ...message,
    userId,
    to: email,
    ...renderAlertMail(entryOf(factsIn, companyLang), companyLang),
  }));

  const pushes = devices.map(({ userId, sessionId, lang }) => {
    const { title, body } = renderAlertPush(entryOf(factsIn, lang), lang);
    const payload = { title, body, tag: alert.id, moduleId: alert.moduleId };
    // A push message has no address and no HTML.
    return {
      ...message,
      userId,
      sessionId,
      to: '',
      subject: title,
      text: JSON.stringify(payload),
      html: '',
    };
  });
  await addMail(context.db, [...mails, ...pushes], context.now);
}

async function alertMailFacts(
  { db, now }: WriteContext,
  company: CompanyRow,
  { moduleId, threshold, hysteresis }: MailedAlert,
  { kind, state, lang }: { kind: MailKind; state: AlertMailState; lang: Lang },
): Promise<AlertMailFacts> {
  const module = (await moduleById(db, moduleId))!;
  const source = await loadSummarySeriesSource(db, module.id, 'humidity', now);
  const parcel = (await parcelNames(db)).find(({ id }) => id === module.parcelId);

  return {
    kind,
    now,
    zone: company.timezone ?? DEFAULT_TIME_ZONE,
    company: sanitizeName(company.name),
    module: sanitizeName(moduleDisplayName(module, lang) ?? '') || `#${module.id}`,
    parcel: parcel ? sanitizeName(parcel.name) : null,
    threshold,
    hysteresis,
    state,
    // `to` is excluded, and a watering that starts now counts.
    waterings: await wateringsAfter(
      db,
      { moduleId, status: 'done', to: now + 1 },
      null,
      RECENT_WATERINGS,
    ),
    ...(await soilFigures({ db, now }, module, source)),
    doubts: isSoilMoisture(source, module) ? await suspectReadings(db, source, now) : [],
  };
}

async function soilFigures(
  call: WriteContext,
  module: Module,
  source: SummarySeriesSource,
): Promise<Pick<AlertMailFacts, 'fieldCapacity' | 'wiltingPoint' | 'stressPoint'>> {
  const { fieldCapacity, wiltingPoint, stressPoint, basis } = await thresholdsFor(call, module, {
    source,
    hasValue: () => true,
  });

  const figure = (
    name: 'fieldCapacity' | 'wiltingPoint',
    value: number | null,
  ): SoilFigure | null => (value === null ? null : { value, basis: basis[name]! });

  return {
    fieldCapacity: figure('fieldCapacity', fieldCapacity),
    wiltingPoint: figure('wiltingPoint', wiltingPoint),
    stressPoint,
  };
}
