import { curveSoil, thresholdsOf } from '../domain/agronomic-state.ts';
import { langOfCountry } from '../domain/country-lang.ts';
import { rounded } from '../domain/decimal.ts';
import { shownName } from '../domain/labels.ts';
import type { Lang } from '../domain/lang.ts';
import type { Books } from '../operation/call.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import type { Company } from '../store/companies.ts';
import { type Module, moduleById } from '../store/modules.ts';
import { addMessages, type MailKind, mailRecipients } from '../store/outbox.ts';
import { parcelNames } from '../store/parcels.ts';
import { wateringsBefore } from '../store/waterings.ts';
import { drawnThresholds } from './agronomy.ts';
import { alertMail, cleanName } from './alert-mail.ts';
import type { AlertMailFacts, AlertStanding } from './mail-words.ts';
import { servedCurve } from './served-curve.ts';

/** Waterings that a message names. */
const WATERINGS_TOLD = 3;
/** Decimal places of soil figures. */
const DECIMALS = 2;

/** The alert that a message tells of; it has a module, or nothing would watch it. */
export interface ToldAlert {
  readonly id: string;
  readonly moduleId: number;
  /** Decimals, % of volume and percentage points. */
  readonly threshold: string;
  readonly hysteresis: string;
}

/**
 * Writes a message to each recipient of an alert, to be sent later, in the transaction that records what it tells.
 * Without a `lang` each company is written to in that of its country.
 */
export async function alertMessages(
  books: Books,
  company: Company,
  alert: ToldAlert,
  kind: MailKind,
  standing: AlertStanding,
  lang: Lang | undefined,
): Promise<void> {
  const recipients = await mailRecipients(books.db, alert.id);
  if (recipients.length === 0) return;
  const spoken = lang ?? langOfCountry(company.country_code);
  const mail = alertMail(await factsOf(books, company, alert, kind, standing, spoken), spoken);
  await addMessages(
    books.db,
    recipients.map(({ userId, email }) => ({ alertId: alert.id, kind, userId, to: email, ...mail })),
    books.now,
  );
}

async function factsOf(
  { db, now }: Books,
  company: Company,
  { moduleId, threshold, hysteresis }: ToldAlert,
  kind: MailKind,
  standing: AlertStanding,
  lang: Lang,
): Promise<AlertMailFacts> {
  const module = (await moduleById(db, moduleId))!;
  const parcel = (await parcelNames(db)).find(({ id }) => id === module.parcelId);
  return {
    kind,
    now,
    zone: company.timezone ?? DEFAULT_ZONE,
    company: cleanName(company.name),
    module: cleanName(shownName(module, lang) ?? '') || `#${module.id}`,
    parcel: parcel ? cleanName(parcel.name) : null,
    threshold,
    hysteresis,
    standing,
    // One that starts this very millisecond has started.
    waterings: await wateringsBefore(db, { moduleId, status: 'done', to: now + 1 }, null, WATERINGS_TOLD),
    ...(await soilOf({ db, now }, module)),
  };
}

/** What the soil of a probe holds: the lines drawn on its curve, else the soil of its parcel; in % as shown. */
async function soilOf(
  { db, now }: Books,
  module: Module,
): Promise<Pick<AlertMailFacts, 'fieldCapacity' | 'wiltingPoint'>> {
  const drawn = await drawnThresholds({ db }, module.id);
  const { curve, layers } = await servedCurve(db, module.id, 'humidity');
  const soil = curveSoil(curve, layers, now, () => true);
  const { fieldCapacity, basis } = thresholdsOf({ fieldCapacity: drawn.fieldCapacity, stressPoint: null }, soil);
  const wiltingPoint = drawn.wiltingPoint ?? (soil && 100 * soil.wiltingPoint);
  return {
    fieldCapacity:
      fieldCapacity === null ? null : { value: rounded(fieldCapacity, DECIMALS), basis: basis.fieldCapacity! },
    wiltingPoint:
      wiltingPoint === null
        ? null
        : {
            value: rounded(wiltingPoint, DECIMALS),
            basis: drawn.wiltingPoint === null ? 'soil_profile' : 'annotation',
          },
  };
}
