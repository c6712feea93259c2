/** Stretches of time from now in words: "20 minutes ago", "il y a une demi-heure", "in two hours". */
import { NUMBER, numberOf } from './number-words.ts';
import { type Finding, rule, type WordRule } from './word-rule.ts';

const HALF_HOUR = '(?:half an hour|a half hour|half hour|(?:#1 )?demi heure)';
const QUARTER_HOUR = "(?:(?:a )?quarter (?:of an )?hour|(?:#1 )?quart d'heure)";
const THREE_QUARTERS = "(?:#3 quarters of an hour|#?3 quarts d'heure)";
const AMOUNT = `(?:\\d{1,4}[.,]\\d{1,2}|${NUMBER}|an?)`;
const HOURS = `(?<hours>${AMOUNT}) ?(?:hours?|hrs?|heures?|h)`;
const MINUTES = `(?<minutes>${NUMBER}|a) ?(?:minutes?|mins?|mn)`;
const AND_MINUTES = `(?<plus>\\d{1,2}|${NUMBER})(?: ?(?:minutes?|mins?|mn))?`;
const SECONDS = `(?<seconds>${NUMBER}) ?(?:seconds?|secs?|secondes?)`;

const LENGTHS: readonly string[] = [
  `(?<half>${HALF_HOUR})`,
  `(?<quarter>${QUARTER_HOUR})`,
  `(?<three>${THREE_QUARTERS})`,
  `(?<hours>${AMOUNT}) and a half hours`,
  `${HOURS} (?:and a (?<tail>half|quarter)|et (?<queue>demie?|(?:#1 )?quart))`,
  `${HOURS}(?: ?(?:and |et )?${AND_MINUTES})?`,
  MINUTES,
  SECONDS,
];

export const ELAPSED_RULES: readonly WordRule[] = [
  rule("(?:right |just )?now|maintenant|a l'instant|en ce moment", () => elapsed(0)),
  ...LENGTHS.flatMap((length, index) => {
    const ms = (g: Record<string, string | undefined>): number => lengthMs(g, index === 3);
    return [
      rule(`${length} ago`, (g) => elapsed(-ms(g))),
      rule(`il y a (?:environ |a peu pres |a peine )?${length}`, (g) => elapsed(-ms(g))),
      rule(`(?:in|dans) (?:about |around |environ )?${length}`, (g) => elapsed(ms(g))),
      rule(`${length} from now`, (g) => elapsed(ms(g))),
    ];
  }),
];

const elapsed = (ms: number): Finding[] => [{ kind: 'elapsed', ms }];

function lengthMs(g: Record<string, string | undefined>, hasHalf: boolean): number {
  if (g.seconds !== undefined) return amount(g.seconds) * 1000;
  return Math.round(lengthMinutes(g, hasHalf) * 60_000);
}

function lengthMinutes(g: Record<string, string | undefined>, hasHalf: boolean): number {
  if (g.half !== undefined) return 30;
  if (g.quarter !== undefined) return 15;
  if (g.three !== undefined) return 45;
  if (g.minutes !== undefined) return amount(g.minutes);
  const rest = g.tail ?? g.queue;
  const part = rest === undefined ? (hasHalf ? 30 : 0) : /^(?:half|demi)/.test(rest) ? 30 : 15;
  return amount(g.hours!) * 60 + part + (g.plus === undefined ? 0 : amount(g.plus));
}

const amount = (text: string): number => (/^an?$/.test(text) ? 1 : numberOf(text.replace(',', '.')));
