import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../index.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings.ts';
import { draftMail } from './mail-draft.ts';
import type { AlertMailFacts } from './mail-facts.ts';
import { renderMail } from './mail-layout.ts';

export function renderAlertMail(facts: AlertMailFacts, lang: Lang) {
  const message = draftMail(facts, languageOf(lang).mail);
  const draft = {
    ...message,
    lead: [...message.lead, ...describeSuspectReadings(facts.doubts, { lang, now: facts.now })],
  };

  return renderMail(draft, lang, ACCENTS[facts.kind]);
}

/** For a small screen: what happened, and what to do. */
export function renderAlertPush(
  facts: AlertMailFacts,
  lang: Lang,
): { title: string; body: string } {
  const { subject, lead, advice } = draftMail(facts, languageOf(lang).mail);
  return { title: subject, body: `${lead[0]} ${advice}` };
}

const ACCENTS: Record<AlertMailFacts['kind'], string> = {
  fired: '#c2410c',
  reminder: '#b45309',
  resolved: '#15803d',
  stale: '#64748b',
};
