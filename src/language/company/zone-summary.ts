import type { Lang } from '../../domain/lang.ts';
import { nameInSentence } from '../../domain/text.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import { languageOf } from '../index.ts';

/** What a new time zone of the company means for local hours. */
export type ZoneAdvisory = AdvisoryOf<'schedules_keep_zone' | 'reminders_follow_zone'>;

export function describeZoneChange(advisory: ZoneAdvisory, lang: Lang): string {
  const { zoneChange: words, format } = languageOf(lang);
  const { count } = advisory;
  const list = (listed: readonly string[]): string => {
    const others = count - listed.length;
    return words.list(others > 0 ? [...listed, words.others(others)] : listed);
  };

  if (advisory.kind === 'reminders_follow_zone')
    return words.reminders(
      count,
      list(
        advisory.alerts.map(
          ({ name, reminderTime }) => `${nameInSentence(name)}, ${reminderTime.slice(0, 5)}`,
        ),
      ),
    );

  return words.schedules(
    count,
    list(
      advisory.schedules.map(({ name, starts, timezone }) =>
        words.schedule(nameInSentence(name), format.list(starts), timezone),
      ),
    ),
  );
}
