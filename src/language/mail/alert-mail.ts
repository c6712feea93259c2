import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../index.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { inUnitsOfFarm } from '../units-of-farm.ts';
import { draftMail, type MailDraft } from './mail-draft.ts';
import type { AlertMailFacts } from './mail-facts.ts';
import { renderMail } from './mail-layout.ts';

export const renderAlertMail = (facts: AlertMailFacts, lang: Lang) =>
  renderMail(
    inUnitsOfFarm(facts, lang, (known) => draftAlertMail(known, lang)),
    lang,
    ACCENTS[facts.kind],
  );

function draftAlertMail(facts: AlertMailFacts, lang: Lang): MailDraft {
  const message = draftMail(facts, languageOf(lang).mail);
  const doubts = describeSuspectReadings(facts.doubts, { lang, now: facts.now });
  return { ...message, lead: [...message.lead, ...doubts] };
}

/** For a small screen: what happened, and what to do. */
export function renderAlertPush(
  facts: AlertMailFacts,
  lang: Lang,
): { title: string; body: string } {
  const { subject, lead, advice } = inUnitsOfFarm(facts, lang, (known) =>
    draftMail(known, languageOf(lang).mail),
  );
  return { title: subject, body: `${lead[0]} ${advice}` };
}

const ACCENTS: Record<AlertMailFacts['kind'], string> = {
  fired: '#c2410c',
  reminder: '#b45309',
  resolved: '#15803d',
  stale: '#64748b',
};
