import { roundTo } from '../../domain/decimal.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { quote } from '../../domain/text.ts';
import { englishMeasurements } from '../en/measurements.ts';

const MAX_NAMED_FIELDS = 12;
const MAX_COUNTED_FIELDS = 1_000;
const MAX_NAMED_TOPICS = 4;
const NO_KNOWN_FIELD = 'no field is known';
const MAX_VALUE_LENGTH = 40;

interface Network {
  /** As in the names of its presets. */
  readonly name: string;
  readonly title: string;
}

const VALUE_REFUSED = 'a value was refused';

/** Ends "A message of it …". */
export const outcomeOfMessage = (reason: string): 'was not read in full' | 'gave nothing' =>
  reason.startsWith(VALUE_REFUSED) ? 'was not read in full' : 'gave nothing';

/** Why nothing in a message could be stored, for the person who set up its sender; in English, like errors. */
export const unreadReasons = {
  /** `decoder` says where the network has its decoder. */
  notDecoded: (path: string, decoder: string): string =>
    `the network does not decode the message, which has no ${path}: add a decoder ${decoder}`,

  /** `known` are the networks of LoRaWAN whose messages are understood. */
  unknownEnvelope: (known: readonly Network[]): string =>
    `the message is in the form of no network that is known, which are ${known.map(({ name, title }) => `${title} (${name})`).join(', ')}`,

  otherNetwork: ({ name, title }: Network): string =>
    `the message is in the form of ${title}: use a preset of ${name}, such as ${name}/dragino-lse01`,

  otherPreset: (preset: string): string =>
    `these fields are not of the preset that was named, but of ${preset}: name that one`,

  readByPreset: (preset: string): string =>
    `the device is read by the preset ${preset}: assign it again to let another one read it`,

  unreadTopic: (topics: readonly string[]): string =>
    `no rule reads this topic; these are read: ${topics.slice(0, MAX_NAMED_TOPICS).join(', ')}`,

  /** `field` says that a measurement failed, by its value; it may have no name. */
  failed: (field: string, value: unknown): string =>
    `the device reports a failed measurement (${`${field} ${JSON.stringify(value).slice(0, MAX_VALUE_LENGTH)}`.trim()}): check its sensor and the cable`,

  /** `time` in ISO 8601. */
  unsetClock: (time: string): string =>
    `its time, ${time.slice(0, 10)}, is more than a year before it arrived: set the clock of the device or its gateway, which usually fetches the time from an NTP server`,

  fraction: (value: number): string =>
    `moisture ${value} may be a fraction (m³/m³), and % is expected: send ${roundTo(value * 100, 2)}, or give the map the unit m3/m3`,

  fractionInField:
    'moisture may be a fraction (m³/m³), and % is expected: choose the unit m3/m3 for its field',

  /** `measure` is the code of a measurement, or rain, wind or radiation. */
  unknownUnit(symbol: string, measure: string): string {
    const type = MEASUREMENT_TYPES.find((code) => code === measure);
    const noun = type === undefined ? measure : englishMeasurements[type].noun;
    return symbol === ''
      ? `the unit of ${noun} is missing`
      : `the unit ${quote(symbol)} of ${noun} is unknown`;
  },

  /** Of a message of which other values may have been stored. */
  valueRefused: (reason: string): string => `${VALUE_REFUSED}: ${reason}`,

  isNoKnownField: (reason: string): boolean => reason.startsWith(NO_KNOWN_FIELD),

  /** Values by the names of their fields. */
  noKnownField(fields: ReadonlyMap<string, unknown>): string {
    if (fields.size === 0) return 'the message has no field with a value';
    const named = [...fields]
      .slice(0, MAX_NAMED_FIELDS)
      .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : name))
      .join(', ');
    const others = fields.size - MAX_NAMED_FIELDS;
    const count = others > MAX_COUNTED_FIELDS ? 'many' : others;
    return `${NO_KNOWN_FIELD}; these are there: ${named}${others > 0 ? ` and ${count} others` : ''}`;
  },
};
