import type { DoubtReason, LastingDoubt } from '../../domain/advice/lasting-doubts.ts';
import { canWait } from '../../domain/advice/meanwhile.ts';
import type { Meanwhile } from '../../domain/advice/probe-advice.ts';
import { firstOf, withoutNulls } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { isQualityFlag } from '../../domain/moisture/suspect-readings.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { SuspectReadingBody } from '../../schema/moisture/series.ts';
import { languageOf } from '../index.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { formatAdvisedMinutes, formatEstimate } from '../number-format.ts';
import { inUnitsOfFarm } from '../units-of-farm.ts';
import type { MailDraft } from './mail-draft.ts';
import type { ProbeMailFacts } from './mail-facts.ts';
import { renderMail } from './mail-layout.ts';

export interface DoubtMailFacts extends ProbeMailFacts {
  /** At least one; the first leads the message. */
  readonly doubts: readonly Pick<LastingDoubt, 'reason' | 'since'>[];
  readonly readings: readonly SuspectReadingBody[];
  /** With the name of the probe whose amount it is. */
  readonly meanwhile: (Omit<Meanwhile, 'moduleId'> & { readonly module: string | null }) | null;
}

const ACCENT = '#7c3aed';

export const renderDoubtMail = (facts: DoubtMailFacts, lang: Lang) =>
  renderMail(draftInUnits(facts, lang), lang, ACCENT);

/** For a small screen: what is in doubt, and what to check. */
export function renderDoubtPush(
  facts: DoubtMailFacts,
  lang: Lang,
): { title: string; body: string } {
  const { subject, lead } = draftInUnits(facts, lang);
  return { title: subject, body: lead.slice(0, 2).join(' ') };
}

const draftInUnits = (facts: DoubtMailFacts, lang: Lang): MailDraft =>
  inUnitsOfFarm(facts, lang, (known) => draftDoubtMail(known, lang));

function draftDoubtMail(facts: DoubtMailFacts, lang: Lang): MailDraft {
  const { mail, checks } = languageOf(lang);
  const { doubt: phrases } = mail;
  const { module: name, parcel, doubts } = facts;
  const probe = parcel === null ? name : `${name} (${parcel})`;

  return {
    subject: phrases.subject(name, checks[firstOf(doubts).reason]),
    colon: mail.colon,
    lead: doubts.flatMap(({ reason, since }) => [
      phrases.lead(probe, dayOf(since, facts, lang), checks[reason]),
      ...stepsFor(reason, facts, lang),
    ]),
    figures: [],
    waterings: null,
    advice: adviceMeanwhile(facts, lang),
    footer: phrases.footer(facts.zone, facts.company),
  };
}

function dayOf(at: number, { now, zone }: DoubtMailFacts, lang: Lang): string {
  const local = civilAt(at, zone);
  const isThisYear = local.year === civilAt(now, zone).year;
  return languageOf(lang).mail.format.day(local.day, local.month, isThisYear ? null : local.year);
}

function stepsFor(reason: DoubtReason, { readings, now }: DoubtMailFacts, lang: Lang): string[] {
  if (!isQualityFlag(reason)) return [languageOf(lang).mail.doubt.steps[reason]];
  return describeSuspectReadings(
    readings.filter((reading) => reading.reason === reason),
    { lang, now },
  );
}

function adviceMeanwhile({ doubts, meanwhile }: DoubtMailFacts, lang: Lang): string {
  const { tooWet, look, noWater, byProbe, byBalance, asBefore } =
    languageOf(lang).mail.doubt.meanwhile;
  if (meanwhile === null) return doubts.some(({ reason }) => reason === 'TOO_WET') ? tooWet : look;

  const { basis, module, waterMm, durationMin } = meanwhile;
  if ((basis === 'probe' || basis === 'balance') && canWait(meanwhile)) return noWater(module);

  const amount = withoutNulls([
    durationMin === null ? null : formatAdvisedMinutes(durationMin),
    waterMm === null ? null : `${formatEstimate(waterMm, lang)} mm`,
  ]).join(', ');
  switch (basis) {
    case 'probe':
      return byProbe(module ?? '', amount);
    case 'balance':
      return byBalance(amount);
    case 'recent':
    case 'unconfirmed':
      return asBefore(amount, basis === 'unconfirmed');
  }
}
