import { belowThreshold, resolveLevel } from '../domain/alert.ts';
import { ageOf } from '../domain/coverage.ts';
import type { Lang } from '../domain/lang.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { AlertBody, AlertStateBody, WatchedAlertBody } from '../schema/alert.ts';
import type { AlertWords, SaidRule } from './alert-words.ts';
import { englishAlerts } from './alert-words-en.ts';
import { frenchAlerts } from './alert-words-fr.ts';
import { sayNumber } from './say-figures.ts';
import { sayMore } from './say-lists.ts';

const WORDS: Record<Lang, AlertWords> = { en: englishAlerts, fr: frenchAlerts };

export const alertWords = ({ lang }: Pick<Saying, 'lang'>): AlertWords => WORDS[lang];

type Rule = Pick<AlertBody, 'threshold' | 'hysteresis' | 'reminderTime'>;
type Levels = Pick<Rule, 'threshold' | 'hysteresis'>;

interface FiringState {
  readonly since: number;
  readonly evaluatedAt: number | null;
  readonly value: number | null;
}

/** "08:00", with the seconds where they are not 0. */
const sayClock = (time: string): string => time.replace(/:00$/, '');

const levels = (rule: Levels, { lang }: Saying) => ({
  threshold: sayNumber(rule.threshold, lang),
  resolveAt: sayNumber(resolveLevel(rule), lang),
});

const saidRule = (rule: Rule, call: Saying): SaidRule => ({
  ...levels(rule, call),
  reminderTime: sayClock(rule.reminderTime),
  zone: call.zone,
});

async function targetName({ moduleId, parcelId }: AlertBody, call: Saying): Promise<string> {
  if (moduleId !== null) return moduleName(call.directory, moduleId);
  return alertWords(call).noProbe(parcelId === null ? null : await parcelName(call.directory, parcelId, call.lang));
}

const saidValue = (rule: Levels, value: number | null, { lang }: Saying) => ({
  value: value === null ? null : sayNumber(value, lang),
  isBelow: value !== null && belowThreshold(rule)(value),
});

/** How an alert stands: "quiet: 24.1 % today 11:45", "firing since yesterday 06:00: 18.4 % is below 20 %". */
export function sayAlertState(rule: Rule, state: AlertStateBody, call: Saying): string {
  const at = (time: string | null): string | null =>
    time === null ? null : sayInstant(Date.parse(time), call.zone, call.now, call.lang);
  return alertWords(call).state(saidRule(rule, call), {
    ...saidValue(rule, state.value_vwc, call),
    at: at(state.time),
    isStale: state.status === 'stale',
    since: at(state.since),
  });
}

/** That an alert is firing, with the newest value, or how old that is. Instants in ms. */
export function sayFiring(alert: FiringState & Levels, call: Saying): string {
  const at = (instant: number): string => sayInstant(instant, call.zone, call.now, call.lang);
  const { since, evaluatedAt, value } = alert;
  if (evaluatedAt !== null && !ageOf(evaluatedAt, call.now).isFresh)
    return alertWords(call).stillFiring(at(since), at(evaluatedAt));
  return alertWords(call).firing(levels(alert, call), saidValue(alert, value, call), at(since));
}

export const sayCreatedAlert = async (body: AlertBody, call: Saying): Promise<string> =>
  [alertWords(call).created(await targetName(body, call), saidRule(body, call)), ...call.remarks].join(' ');

export const sayUpdatedAlert = async (body: AlertBody, call: Saying): Promise<string> =>
  [alertWords(call).updated(await targetName(body, call), saidRule(body, call), body.isActive), ...call.remarks].join(
    ' ',
  );

/** The alerts of a page, what each stands at. */
export async function sayAlerts(
  page: { data: WatchedAlertBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  const words = alertWords(call);
  if (page.data.length === 0) return [words.noneMatches, ...call.remarks].join(' ');
  const rows = [];
  for (const each of page.data) {
    const unwatched = each.isActive ? words.neverEvaluated : words.disabled;
    const standing = each.state ? sayAlertState(each, each.state, call) : unwatched;
    rows.push(words.row(await targetName(each, call), sayNumber(each.threshold, call.lang), standing));
  }
  return [words.page(rows, call.zone), ...call.remarks, ...sayMore(page, call.lang)].join(' ');
}
