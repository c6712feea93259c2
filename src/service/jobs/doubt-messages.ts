import type { ProbeAdvice } from '../../domain/advice/advice.ts';
import type { LastingDoubt } from '../../domain/advice/lasting-doubts.ts';
import { readingsInDoubt } from '../../domain/advice/reason.ts';
import type { ModuleFacts } from '../../domain/facts/probe-facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { unitSystemOf } from '../../domain/units.ts';
import { moduleDisplayName } from '../../language/default-names.ts';
import {
  type DoubtMailFacts,
  renderDoubtMail,
  renderDoubtPush,
} from '../../language/mail/doubt-mail.ts';
import { sanitizeName } from '../../language/mail/mail-facts.ts';
import type { WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { moduleById } from '../../store/company/modules.ts';
import { parcelNames } from '../../store/company/parcels.ts';
import { alertRecipientsOfProbe, ownerRecipients } from '../../store/mail/outbox.ts';
import { queueMessages } from '../mail/queued-messages.ts';

export interface DoubtReport {
  readonly module: ModuleFacts;
  readonly advice: ProbeAdvice;
  /** At least one, in the order in which a summary names them. */
  readonly doubts: readonly LastingDoubt[];
}

/** Queues it for those who get the alerts of the probe, else for the owners. */
export async function queueDoubtMessage(
  context: WriteContext,
  company: CompanyRow,
  report: DoubtReport,
): Promise<number> {
  const { module } = report;
  const recipients = await alertRecipientsOfProbe(context.db, module);
  return queueMessages(context, company, {
    alertId: null,
    kind: 'doubt',
    moduleId: module.id,
    tag: `doubt ${module.id}`,
    recipients: recipients.length > 0 ? recipients : await ownerRecipients(context.db),
    async render(lang) {
      const facts = await doubtMailFacts(context, company, report, lang);
      return { mail: renderDoubtMail(facts, lang), push: renderDoubtPush(facts, lang) };
    },
  });
}

async function doubtMailFacts(
  { db, now }: WriteContext,
  company: CompanyRow,
  { module, advice, doubts }: DoubtReport,
  lang: Lang,
): Promise<DoubtMailFacts> {
  const { meanwhile } = advice;
  const parcel = (await parcelNames(db)).find(({ id }) => id === module.parcelId);

  /** The name in this language of a module without one. */
  const nameOf = async (id: number): Promise<string> => {
    const named = await moduleById(db, id);
    return sanitizeName((named && moduleDisplayName(named, lang)) ?? '') || `#${id}`;
  };

  return {
    now,
    zone: company.timezone ?? DEFAULT_TIME_ZONE,
    units: unitSystemOf(company.units, company.country_code),
    company: sanitizeName(company.name),
    module: await nameOf(module.id),
    parcel: parcel ? sanitizeName(parcel.name) : null,
    doubts,
    readings: readingsInDoubt(advice.reasons),
    meanwhile: meanwhile && {
      basis: meanwhile.basis,
      module: meanwhile.moduleId === null ? null : await nameOf(meanwhile.moduleId),
      waterMm: meanwhile.waterMm,
      durationMin: meanwhile.durationMin,
      daysToStress: meanwhile.daysToStress,
    },
  };
}
