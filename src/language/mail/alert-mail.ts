import { firstOf } from '../../domain/items.ts';
import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../index.ts';
import { describeSuspectReadings } from '../moisture/suspect-readings-summary.ts';
import { draftMail, type MailDraft } from './mail-draft.ts';
import type { AlertMailFacts } from './mail-facts.ts';
import { renderMail, renderPush } from './mail-layout.ts';

export const renderAlertMail = (facts: AlertMailFacts, lang: Lang) =>
  renderMail(draftAlertMail(facts, lang), { ...facts, lang }, ACCENTS[facts.kind]);

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
  const { subject, lead, advice } = draftMail(facts, languageOf(lang).mail);
  return renderPush(subject, [firstOf(lead), advice], { ...facts, lang });
}

const ACCENTS: Record<AlertMailFacts['kind'], string> = {
  fired: '#c2410c',
  reminder: '#b45309',
  resolved: '#15803d',
  stale: '#64748b',
};
