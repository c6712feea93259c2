import { MINUTE_MS, SECOND_MS } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import type { LanguageWords, NumberWords } from './language-words.ts';
import { figureValue, minutesIn } from './number.ts';
import {
  errorToken,
  fillTemplate,
  type Groups,
  type TimeToken,
  type WordRule,
  wordRule,
} from './word-rule.ts';

const NUMBER = '#?\\d{1,5}';

export function durationPatterns({ durations, numbers }: LanguageWords): string[] {
  const figure = `(?:#?\\d{1,4}[.,]\\d{1,2}|${NUMBER}${numbers.one === undefined ? '' : `|${numbers.one}`})`;
  const hours = `(?<hours>${figure}) ?(?:${durations.hours}|h)`;
  const minuteUnit = `(?:${durations.minutes}|min|mn)`;

  return [
    `(?<fraction>${durations.fractionOfHour})`,
    ...(durations.others?.(figure) ?? []),
    `${hours} (?:${numbers.and} )?(?<plus>${durations.fractionAfterHours})`,
    `${hours}(?: ?(?:${numbers.and} )?(?<plus>${NUMBER})(?: ?(?:${minuteUnit}|m))?)?`,
    `(?:(?<minutes>${figure}) ?${minuteUnit}|(?<m>\\d{1,5}) ?m)`,
    `(?<seconds>${NUMBER}) ?(?:${durations.seconds})`,
  ];
}

/** Null for combinations that make no sense ("1h75", "1.5 h 20"). */
export function durationMs(g: Groups, fractions: NumberWords['fractions']): number | null {
  if (g.seconds !== undefined) return figureValue(g.seconds) * SECOND_MS;
  if (g.fraction !== undefined) return minutesIn(g.fraction, fractions) * MINUTE_MS;
  const minutes = g.minutes ?? g.m;
  if (minutes !== undefined) return Math.round(figureValue(minutes) * MINUTE_MS);
  const hours = figureValue(g.hours ?? '1');
  const rest = g.plus === undefined ? 0 : minutesIn(g.plus, fractions);
  if (rest > 59 || (rest > 0 && !Number.isInteger(hours))) return null;
  return Math.round((hours * 60 + rest) * MINUTE_MS);
}

export function elapsedRules(words: LanguageWords): WordRule[] {
  const { now, ago, ahead } = words.durations;

  const elapsed =
    (sign: 1 | -1) =>
    (g: Groups): TimeToken[] => {
      const ms = durationMs(g, words.numbers.fractions);
      if (ms === null)
        return errorToken(say`those hours and minutes do not go together: say it in minutes`);
      return [{ kind: 'elapsed', ms: sign * ms }];
    };

  return [
    wordRule(now, () => [{ kind: 'elapsed', ms: 0 }]),
    ...durationPatterns(words).flatMap((length) => [
      ...ago.map((template) => wordRule(fillTemplate(template, length), elapsed(-1))),
      ...ahead.map((template) => wordRule(fillTemplate(template, length), elapsed(1))),
    ]),
  ];
}
