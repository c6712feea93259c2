import { isIsoDate } from '../domain/calendar.ts';
import { capitalize } from '../domain/text.ts';
import type { Problem } from '../schema/error.ts';
import { formatInstant, formatLocalDay, type TimeContext } from './time.ts';

/** What people call an argument, where its name in words would not say it. */
const ARGUMENT_WORDS: Readonly<Record<string, string>> = {
  module: 'probe',
  startedAt: 'start',
  endedAt: 'end',
  from: 'start of the period',
  to: 'end of the period',
  when: 'time',
  mm: 'amount of rain',
  inputMode: 'kind of amount',
  inputDepthMm: 'depth of water',
  freq: 'frequency',
  startTimes: 'start time',
  startsOn: 'first day',
  endsOn: 'last day',
  filledOn: 'day when the soil was full',
  plantedOn: 'day of planting',
  harvestedOn: 'day of harvest',
  restFrom: 'first day of the rest',
  restUntil: 'last day of the rest',
  refillPercent: 'share to refill',
  demandPercent: 'share of the demand',
  limit: 'number of rows',
  effectiveFrom: 'start',
  commissionedAt: 'start of service',
  emitterFlowLph: 'flow of an emitter',
  emittersPerM2: 'number of emitters per square metre',
  emitterSpacingM: 'spacing of the emitters',
  lineSpacingM: 'spacing of the lines',
  flowMmPerH: 'application rate',
  depthTopCm: 'top of a layer',
  depthBottomCm: 'bottom of a layer',
  soilHorizonId: 'texture of a layer',
  depthWeights: 'weights by depth',
  hysteresis: 'distance to the level that ends the alert',
  chartType: 'kind of curve',
  idempotencyKey: 'key against double entries',
  eventId: 'watering',
  versionId: 'version of the equipment',
  serialHex: 'serial number',
};

/** One item of a list, where its name without an s would not say it. */
const ITEM_WORDS: Readonly<Record<string, string>> = {
  depthWeights: 'weight',
  probes: 'probe',
};

/** Units and other endings that are not said. */
const SILENT_ENDING = /(Id|Min|Mm|Cm|M|M2|M3|Percent)$/;

export const argumentWords = (name: string): string =>
  ARGUMENT_WORDS[name] ??
  name
    .replace(SILENT_ENDING, '')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** "layers.2" is the third layer, and "layers.2.depthTopCm" what is wrong with it. */
function argumentInWords(path: string): string {
  const [name = '', index, member] = path.split('.');
  if (index === undefined) return argumentWords(name);
  const item = `${ITEM_WORDS[name] ?? argumentWords(name).replace(/s$/, '')} ${Number(index) + 1}`;
  return member === undefined ? item : `${argumentWords(member)}, in ${item},`;
}

const INSTANT = /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z/g;
const DAY = /\b\d{4}-\d{2}-\d{2}/g;
/** An argument has capitals inside or a path after it, unless it is the symbol of a unit. */
const ARGUMENT =
  /(?<before>\b(?:[Tt]he|[Tt]his|a|its|no) )?(?<![\w./{])(?!(?:kPa|mV|dBm|pH|dS)\b)[a-z]+(?:[A-Z]\w*(?:\.\d+(?:\.\w+)?)?|\.\d+(?:\.\w+)?)(?!\w)/g;
/** Such as "micro_sprinkler", which an argument may be. */
const VALUE = /(?<!\w)[a-z]+(?:_[a-z\d]+)+(?!\w)/g;
/** The start of an id in brackets. */
const ID = / ?\((?:#\w|reference (?=[\w-]+\))|[a-z]+_[a-z])/g;

export const namesInstants = (message: string): boolean => message.search(DAY) >= 0;

const QUOTED = /("[^"]*")/;

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

/**
 * The message of a refusal as a sentence to read aloud: arguments in words, instants in local time,
 * no ids. Programs get the message as it is. It may begin with `field`. Texts of people, in quotes, stay as they are.
 */
export function spokenRefusal(
  { message, field }: Pick<Problem, 'message' | 'field'>,
  time: TimeContext | null,
): string {
  const inWords = (text: string): string => {
    const named = withoutIds(text)
      .replaceAll(ARGUMENT, (name: string, before: string | undefined) =>
        before === undefined
          ? `the ${argumentInWords(name)}`
          : before + argumentInWords(name.slice(before.length)),
      )
      .replaceAll(VALUE, (value) => value.replaceAll('_', ' '));
    if (time === null) return named;
    return named
      .replaceAll(INSTANT, (instant) => formatInstant(Date.parse(instant), time))
      .replaceAll(DAY, (day) => (isIsoDate(day) ? formatLocalDay(day, time) : day));
  };

  const isField =
    field !== undefined && /^[a-z\d]+$/.test(field) && message.startsWith(`${field} `);
  const said = isField ? `the ${argumentWords(field)}${message.slice(field.length)}` : message;
  return capitalize(
    said
      .split(QUOTED)
      .map((part, index) => (index % 2 ? part : inWords(part)))
      .join(''),
  );
}
