import { isIsoDate } from '../domain/calendar.ts';
import { dependsOnReader } from '../domain/text/contents.ts';
import { capitalize } from '../domain/text.ts';
import type { AcequiaError } from '../schema/error.ts';
import type { Reader } from './text/reader.ts';
import { argumentInWords } from './text/spoken-argument.ts';
import { formatInstant, formatLocalDay } from './time.ts';

const INSTANT = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;
const DAY = /\b\d{4}-\d{2}-\d{2}/g;
/** An argument has capitals inside or a path after it, unless it is the symbol of a unit. */
const ARGUMENT =
  /(?<before>\b(?:[Tt]he|[Tt]his|a|its|no) )?(?<![\w./{])(?!(?:kPa|mV|dBm|pH|dS)\b)[a-z]+(?:[A-Z]\w*(?:\.\d+(?:\.\w+)?)?|\.\d+(?:\.\w+)?)(?!\w)/g;
/** Such as "micro_sprinkler", which an argument may be. */
const VALUE = /(?<!\w)[a-z]+(?:_[a-z\d]+)+(?!\w)/g;
/** The start of an id in brackets. */
const ID = / ?\((?:#\w|reference (?=[\w-]+\))|[a-z]+_[a-z])/g;

const QUOTED = /("[^"]*")/;

/** True if it has times or quantities, which are said in the zone and units of the farm. */
export const refusalNeedsReader = ({ message, hint }: AcequiaError['texts']): boolean =>
  (typeof message === 'string' ? message.search(DAY) >= 0 : dependsOnReader(message)) ||
  (typeof hint === 'object' && dependsOnReader(hint));

function withoutIds(text: string): string {
  let kept = '';
  let position = 0;
  for (const { 0: start, index } of text.matchAll(ID)) {
    if (index < position) continue;

    const end = text.indexOf(')', index + start.length);
    if (end < 0) break;

    kept += text.slice(position, index);
    position = end + 1;
  }
  return kept + text.slice(position);
}

/** Where the company cannot be read, its zone and units are unknown. */
export const UNKNOWN_READER: Reader = { now: 0, zone: 'UTC', units: 'metric', times: 'iso' };

/**
 * The message of a refusal as a sentence to read aloud: arguments in words, instants in local time,
 * no ids. Programs get the message as it is. A string may begin with `field`; texts of people in
 * it, in quotes, stay as they are.
 */
export function spokenString(message: string, field: string | undefined, reader: Reader): string {
  const wordsOf = (name: string): string => argumentInWords(name, reader.argumentWords);
  const inWords = (text: string): string => {
    const named = withoutIds(text)
      .replaceAll(ARGUMENT, (name: string, before: string | undefined) =>
        before === undefined ? `the ${wordsOf(name)}` : before + wordsOf(name.slice(before.length)),
      )
      .replaceAll(VALUE, (value) => value.replaceAll('_', ' '));
    if (reader.times === 'iso') return named;
    return named
      .replaceAll(INSTANT, (instant) => formatInstant(Date.parse(instant), reader))
      .replaceAll(DAY, (day) => (isIsoDate(day) ? formatLocalDay(day, reader) : day));
  };

  const isField =
    field !== undefined && /^[a-z\d]+$/.test(field) && message.startsWith(`${field} `);
  const sentence = isField ? `the ${wordsOf(field)}${message.slice(field.length)}` : message;
  return capitalize(
    sentence
      .split(QUOTED)
      .map((part, index) => (index % 2 ? part : inWords(part)))
      .join(''),
  );
}
