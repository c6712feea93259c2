import type { Lang } from '../../domain/lang.ts';
import { unitSystemOf } from '../../domain/units.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import { renderAlertMail, renderAlertPush } from '../../language/mail/alert-mail.ts';
import type { AlertMailFacts, AlertMailState } from '../../language/mail/mail-facts.ts';
import { sanitizeName } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { AlertMailKind } from '../../schema/alerts/alert.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { moduleById } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { newestDoneOf } from '../../store/irrigation/watering-lists.ts';
import { mailRecipients } from '../../store/mail/outbox.ts';
import { queueMessages } from '../mail/queued-messages.ts';
import { WATCHED_VALUES } from './kinds/watched-values.ts';

const RECENT_WATERINGS = 3;

export type MailedAlert = Pick<Alert, 'id' | 'kind' | 'threshold' | 'hysteresis'> & {
  readonly moduleId: number;
};

export async function queueAlertMail(
  context: WriteContext,
  company: CompanyRow,
  alert: MailedAlert,
  kind: AlertMailKind,
  state: AlertMailState,
): Promise<void> {
  await queueMessages(context, company, {
    alertId: alert.id,
    kind,
    moduleId: alert.moduleId,
    tag: alert.id,
    recipients: await mailRecipients(context.db, alert.id),
    async render(lang) {
      const facts = await alertMailFacts(context, company, alert, { kind, state, lang });
      return { mail: renderAlertMail(facts, lang), push: renderAlertPush(facts, lang) };
    },
  });
}

async function alertMailFacts(
  { db, now }: WriteContext,
  company: CompanyRow,
  { moduleId, kind: alertKind, threshold, hysteresis }: MailedAlert,
  { kind, state, lang }: { kind: AlertMailKind; state: AlertMailState; lang: Lang },
): Promise<AlertMailFacts> {
  const module = (await moduleById(db, moduleId))!;
  const watched = WATCHED_VALUES[alertKind];
  const parcel = (await parcelNames(db)).find(({ id }) => id === module.parcelId);

  const zone = company.timezone ?? DEFAULT_TIME_ZONE;
  const waterings = await newestDoneOf(db, moduleId, now, RECENT_WATERINGS);

  return {
    kind,
    alertKind,
    now,
    zone,
    units: unitSystemOf(company.units, company.country_code),
    company: sanitizeName(company.name),
    module: sanitizeName(moduleDisplayName(module, lang) ?? '') || `#${module.id}`,
    parcel: parcel ? sanitizeName(parcel.name) : null,
    threshold,
    hysteresis,
    state,
    // No probe is asked about them, because the alert was evaluated in a write.
    waterings: waterings.map(({ startedAt, waterMm, verifiedAt }) => ({
      startedAt,
      waterMm,
      isConfirmed: verifiedAt !== null,
    })),
    soil: await watched.soilFigures({ db, now }, module),
    doubts: await watched.suspectReadings({ db, now, zone }, module),
  };
}
