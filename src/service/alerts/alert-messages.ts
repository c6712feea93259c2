import { entryOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { langOfCountry } from '../../language/index.ts';
import { renderAlertMail, renderAlertPush, sanitizeName } from '../../language/mail/alert-mail.ts';
import type { AlertMailFacts, AlertMailState } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { MailKind } from '../../schema/alerts/alert.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { moduleById } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { wateringsAfter } from '../../store/irrigation/watering-lists.ts';
import { pushDevices } from '../../store/keys/sessions.ts';
import { addMail, mailRecipients } from '../../store/mail/outbox.ts';
import { parsePush } from '../mail/push.ts';
import { WATCHED_VALUES } from './kinds/alert-kinds.ts';

const RECENT_WATERINGS = 3;

export type MailedAlert = Pick<Alert, 'id' | 'kind' | 'threshold' | 'hysteresis'> & {
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
  { moduleId, kind: alertKind, threshold, hysteresis }: MailedAlert,
  { kind, state, lang }: { kind: MailKind; state: AlertMailState; lang: Lang },
): Promise<AlertMailFacts> {
  const module = (await moduleById(db, moduleId))!;
  const watched = WATCHED_VALUES[alertKind];
  const parcel = (await parcelNames(db)).find(({ id }) => id === module.parcelId);

  return {
    kind,
    alertKind,
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
    soil: await watched.soilFigures({ db, now }, module),
    doubts: await watched.suspectReadings({ db, now }, module),
  };
}
