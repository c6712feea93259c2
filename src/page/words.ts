import type { Lang } from '../domain/lang.ts';
import { MINUTE_MS } from '../domain/periods.ts';
import type { Language } from '../language/index.ts';
import { languageOf } from '../language/index.ts';
import { formatMinutes } from '../language/number-format.ts';
import type { WordingContext } from '../language/summary-context.ts';
import { formatDate, formatTime } from '../language/time.ts';

export type PageWords = Language['page'];

export const wordsOf = (lang: Lang): PageWords => languageOf(lang).page;

const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** "10 min ago", "3 h ago", "2 days ago". */
export function formatAgo(minutes: number, lang: Lang): string {
  const { format, page } = languageOf(lang);
  if (minutes < 2 * HOUR_MIN) return page.ago(`${Math.max(1, minutes)} min`);
  if (minutes < 2 * DAY_MIN) return page.ago(formatMinutes(HOUR_MIN * Math.round(minutes / HOUR_MIN)));
  return page.ago(format.duration(Math.round(minutes / DAY_MIN), 'day'));
}

/** With the hour only where it still matters: "yesterday 06:00", "12 Jul". */
export const formatRecent = (time: string, context: WordingContext): string =>
  context.now - Date.parse(time) < 2 * DAY_MIN * MINUTE_MS ? formatTime(time, context) : formatDate(time, context);
