import { entryOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { isSoilMoisture } from '../../domain/moisture/measurement.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { langOfCountry } from '../../language/index.ts';
import { renderAlertMail, renderAlertPush, sanitizeName } from '../../language/mail/alert-mail.ts';
import type { AlertMailFacts, AlertMailState, SoilFigure } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { MailKind } from '../../schema/alerts/alert.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { type Module, moduleById } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { wateringsAfter } from '../../store/irrigation/watering-lists.ts';
import { pushDevices } from '../../store/keys/sessions.ts';
import { addMail, mailRecipients } from '../../store/mail/outbox.ts';
import { parsePush } from '../mail/push.ts';
import { loadSummarySeriesSource } from '../moisture/summary-series.ts';
import { suspectReadings, toSuspectReadingBody } from '../moisture/suspect-readings.ts';
import { thresholdsFor } from './drawn-thresholds.ts';

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
    doubts: isSoilMoisture(source, module)
      ? (await suspectReadings(db, source, now)).map(toSuspectReadingBody)
      : [],
  };
}

async function soilFigures(
  call: WriteContext,
  module: Module,
  source: SummarySource,
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
