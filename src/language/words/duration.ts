import { numberValue } from './number.ts';
/** Lengths of time in words: "half an hour", "1h20", "une heure et quart". */
/** Stretches of time from now in words: "20 minutes ago", "il y a une demi-heure", "in two hours". */
import { refusedToken, type TimeToken, type WordRule, wordRule } from './word-rule.ts';

const AN_HOUR = "(?:(?:of )?(?:an )?hour|d'? ?heure)";
const HALF_HOUR = '(?:half an hour|(?:a )?half hour|(?:(?:#1|la) )?demie? heure|1/2 (?:hour|heure))';
const QUARTER_HOUR = `(?:(?:(?:an?|#1|le) )?(?:quarter|quart) ${AN_HOUR}|1/4 ${AN_HOUR})`;
const THREE_QUARTERS = `(?:(?:#?3 quarters?|#?3 quarts?|3/4) ${AN_HOUR})`;
const NUMBER = '#?\\d{1,5}';
const FIGURE = `(?:\\d{1,4}[.,]\\d{1,2}|${NUMBER}|an?)`;
const HOURS = `(?<hours>${FIGURE}) ?(?:hours?|hrs?|heures?|h)`;
const MINUTES = `(?:(?<minutes>${FIGURE}) ?(?:minutes?|mins?|mn)|(?<m>\\d{1,5}) ?m)`;
const AND_MINUTES = `(?<plus>\\d{1,2}|${NUMBER})(?: ?(?:minutes?|mins?|mn|m))?`;
const SECONDS = `(?<seconds>${NUMBER}) ?(?:seconds?|secs?|secondes?)`;
const PART_OF_HOUR = '(?:half|#3 quarters|quarter|demie?|#3 quarts|(?:#1 )?quart)';

/** Sources of regular expressions whose groups `lengthMs` reads. */
export const DURATION_PATTERNS: readonly string[] = [
  `(?<half>${HALF_HOUR})`,
  `(?<quarter>${QUARTER_HOUR})`,
  `(?<three>${THREE_QUARTERS})`,
  `(?<hours>${FIGURE}) and (?:an? )?(?<part>half|quarter|#3 quarters) hours`,
  `${HOURS} (?:and |et )?(?:an? )?(?<part>${PART_OF_HOUR})`,
  `${HOURS}(?: ?(?:and |et )?${AND_MINUTES})?`,
  MINUTES,
  SECONDS,
];

/** The length in ms; null for what nobody says of one ("1h75", "1.5 h 20"). */
export function durationMs(g: Record<string, string | undefined>): number | null {
  if (g.seconds !== undefined) return figureValue(g.seconds) * 1000;
  const minutes = durationMinutes(g);
  return minutes === null ? null : Math.round(minutes * 60_000);
}

function durationMinutes(g: Record<string, string | undefined>): number | null {
  if (g.half !== undefined) return 30;
  if (g.quarter !== undefined) return 15;
  if (g.three !== undefined) return 45;
  const minutes = g.minutes ?? g.m;
  if (minutes !== undefined) return figureValue(minutes);
  const hours = figureValue(g.hours!);
  const rest = g.part === undefined ? figureValue(g.plus ?? '0') : partMinutes(g.part);
  return rest > 59 || (rest > 0 && !Number.isInteger(hours)) ? null : hours * 60 + rest;
}

const partMinutes = (part: string): number => (/^(?:half|demi)/.test(part) ? 30 : part.startsWith('#3') ? 45 : 15);

const figureValue = (text: string): number => (/^an?$/.test(text) ? 1 : numberValue(text.replace(',', '.')));

export const ELAPSED_RULES: readonly WordRule[] = [
  wordRule("(?:right |just )?now|maintenant|a l'instant|en ce moment", () => elapsedToken(0)),
  ...DURATION_PATTERNS.flatMap((length) => [
    wordRule(`${length} (?:ago|back)`, (g) => elapsedTokens(g, -1)),
    wordRule(`(?:il y a|ca fait) (?:environ |a peu pres |a peine )?${length}`, (g) => elapsedTokens(g, -1)),
    wordRule(`(?:in|dans) (?:about |around |environ )?${length}`, (g) => elapsedTokens(g, 1)),
    wordRule(`${length} from now`, (g) => elapsedTokens(g, 1)),
  ]),
];

const elapsedToken = (ms: number): TimeToken[] => [{ kind: 'elapsed', ms }];

function elapsedTokens(g: Record<string, string | undefined>, side: 1 | -1): TimeToken[] {
  const ms = durationMs(g);
  return ms === null
    ? refusedToken('those hours and minutes do not go together: say it in minutes')
    : elapsedToken(side * ms);
}
