import type { Meanwhile } from '../../domain/advice/advice.ts';
import type { DoubtReason, LastingDoubt } from '../../domain/advice/lasting-doubts.ts';
import { canWait } from '../../domain/advice/meanwhile.ts';
import { attributesOf } from '../../domain/advice/reason-kinds.ts';
import type { SuspectReading } from '../../domain/facts/probe-facts.ts';
import { firstOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { isQualityFlag } from '../../domain/moisture/quality-flags.ts';
import { advisedMinutes, estimate } from '../../domain/text/figures.ts';
import { commaSeparated, say, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { longDateOf, zone } from '../../domain/text/times.ts';
import { languageOf } from '../index.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings-summary.ts';
import type { MailDraft } from './mail-draft.ts';
import type { ProbeMailFacts } from './mail-facts.ts';
import { renderMail, renderPush } from './mail-layout.ts';

export interface DoubtMailFacts extends ProbeMailFacts {
  /** At least one; the first leads the message. */
  readonly doubts: readonly Pick<LastingDoubt, 'reason' | 'since'>[];
  readonly readings: readonly SuspectReading[];
  /** With the name of the probe whose amount it is. */
  readonly meanwhile: (Omit<Meanwhile, 'moduleId'> & { readonly module: string | null }) | null;
}

const ACCENT = '#7c3aed';

export const renderDoubtMail = (facts: DoubtMailFacts, lang: Lang) =>
  renderMail(draftDoubtMail(facts, lang), { ...facts, lang }, ACCENT);

/** For a small screen: what is in doubt, and what to check. */
export function renderDoubtPush(
  facts: DoubtMailFacts,
  lang: Lang,
): { title: string; body: string } {
  const { subject, lead } = draftDoubtMail(facts, lang);
  return renderPush(subject, lead.slice(0, 2), { ...facts, lang });
}

function draftDoubtMail(facts: DoubtMailFacts, lang: Lang): MailDraft {
  const { reasons, doubtMail: phrases } = languageOf(lang);
  const { parcel, doubts } = facts;
  const name = verbatim(facts.module);
  const probe = parcel === null ? say`${name}` : say`${name} (${verbatim(parcel)})`;

  return {
    subject: phrases.subject(name, reasons[firstOf(doubts).reason].check),
    lead: doubts.flatMap(({ reason, since }) => [
      phrases.lead(probe, longDateOf(since), reasons[reason].check),
      ...stepsFor(reason, facts, lang),
    ]),
    figures: [],
    waterings: null,
    advice: adviceMeanwhile(facts, lang),
    footer: phrases.footer(zone, verbatim(facts.company)),
  };
}

function stepsFor(reason: DoubtReason, { readings, now }: DoubtMailFacts, lang: Lang): Text[] {
  if (!isQualityFlag(reason)) return [languageOf(lang).reasons[reason].steps];
  return describeSuspectReadings(
    readings.filter((reading) => reading.reason === reason),
    { lang, now },
  );
}

function adviceMeanwhile({ doubts, meanwhile }: DoubtMailFacts, lang: Lang): Text {
  const { tooWet, look, noWater, byProbe, byBalance, asBefore } =
    languageOf(lang).doubtMail.meanwhile;
  if (meanwhile === null)
    return doubts.some(({ reason }) => attributesOf(reason).tooWet === 'certain') ? tooWet : look;

  const { basis, waterMm, durationMin } = meanwhile;
  const probe = meanwhile.module === null ? null : say`${verbatim(meanwhile.module)}`;
  if ((basis === 'probe' || basis === 'balance') && canWait(meanwhile)) return noWater(probe);

  const water = commaSeparated([
    durationMin === null ? null : advisedMinutes(durationMin),
    waterMm === null ? null : estimate(waterMm, 'mm'),
  ]);
  switch (basis) {
    case 'probe':
      return byProbe(probe ?? say``, water);
    case 'balance':
      return byBalance(water);
    case 'recent':
    case 'unconfirmed':
      return asBefore(water, basis === 'unconfirmed');
  }
}
