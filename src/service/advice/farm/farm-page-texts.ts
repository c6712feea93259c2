import type { AssessedProbe } from '../../../domain/advice/farm/assessed-probes.ts';
import { isAsked } from '../../../domain/advice/reason-kinds.ts';
import type { Lang } from '../../../domain/lang.ts';
import { HOUR_MS } from '../../../domain/periods.ts';
import { totalHours } from '../../../domain/text/figures.ts';
import { join, say } from '../../../domain/text/say.ts';
import type { Text } from '../../../domain/text/text.ts';
import { type Language, languageOf } from '../../../language/index.ts';
import { renderForAll } from '../../../language/text/render.ts';
import { readText } from '../../../language/text/rendered-text.ts';
import type { FactSource } from '../../../operation/fact-source.ts';
import type { PageProbe } from '../../../schema/advice/farm-page.ts';

export function textOfCheck(
  { probe, check }: AssessedProbe,
  texts: Language['reasons'],
): PageProbe['checkText'] {
  const reason = check ?? probe.advice?.reasons.map(({ kind }) => kind).find(isAsked);
  return reason === undefined ? null : pageText(texts[reason].check);
}

/** Null if nothing waits. */
export async function textOfWaiting(
  facts: FactSource,
  lang: Lang,
  now: number,
): Promise<string | null> {
  const texts = languageOf(lang).waiting;
  const { devices, senders } = await facts.waitingCounts();
  const parts: Text[] = [];
  for (const advisory of await facts.notices())
    if (advisory.kind === 'undelivered_mail') {
      const { waiting, refused, oldestAt } = advisory;
      const wait = oldestAt === null ? null : totalHours(Math.max(0, now - oldestAt) / HOUR_MS);
      parts.push(texts.unsent(waiting + refused, wait));
    } else if (advisory.kind === 'backup_notice' && advisory.problem !== 'same_disk')
      parts.push(texts.noCopy);
  if (devices > 0) parts.push(texts.devices(devices));
  if (senders > 0) parts.push(texts.senders(senders));
  return parts.length === 0 ? null : pageText(join(parts, say` · `), lang);
}

const pageText = (text: Text, lang?: Lang): string => readText(renderForAll(text, lang).summary);
