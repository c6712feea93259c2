import { roundTo } from '../../domain/decimal.ts';
import type { UnreadCode, UnreadReason } from '../../domain/ingest/unread-reason.ts';
import { MEASUREMENT_TYPES } from '../../domain/moisture/measurement.ts';
import { quote } from '../../domain/strings.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { englishMeasurements } from '../en/measurements.ts';

const MAX_NAMED_FIELDS = 12;
const MAX_COUNTED_FIELDS = 1_000;
const MAX_NAMED_TOPICS = 4;
const MAX_VALUE_LENGTH = 40;

interface Network {
  /** As in the names of its presets. */
  readonly name: string;
  readonly title: string;
}

/** Ends "A message of it …". */
export const outcomeOfMessage = (isReadInPart: boolean): 'was not read in full' | 'gave nothing' =>
  isReadInPart ? 'was not read in full' : 'gave nothing';

/** Where messages that were read in part are in the list to which the advisories belong. */
export const positionsReadInPart = (advisories: readonly Advisory[]): ReadonlySet<number> =>
  new Set(
    advisories.flatMap((each) => (each.kind === 'messages_read_in_part' ? each.positions : [])),
  );

const unread = (code: UnreadCode, text: string): UnreadReason => ({ code, text });

/** Why a message, or a value in it, is not stored, for the person who set up its sender; in English, like errors. */
export const unreadReasons = {
  /** For a message that is left out on purpose. */
  ignored: (why: string): UnreadReason => unread('ignored', why),

  /** `mapPath` names the entry of the map that could not be applied. */
  unreadable: (why: string, mapPath?: string): UnreadReason =>
    unread('unreadable', mapPath === undefined ? why : `${why} (${mapPath})`),

  /** `path`: where it is in the map, and its text in quotes. */
  noValue: (path: string | null): UnreadReason =>
    unread('no_value', `no path of the map has a value; ${path}, is the first`),

  /** `decoder` says where the network has its decoder. */
  notDecoded: (path: string, decoder: string): UnreadReason =>
    unread(
      'not_decoded',
      `the network does not decode the message, which has no ${path}: add a decoder ${decoder}`,
    ),

  /** `known` are the networks of LoRaWAN whose messages are understood. */
  unknownEnvelope: (known: readonly Network[]): UnreadReason =>
    unread(
      'unknown_envelope',
      `the message is in the form of no network that is known, which are ${known.map(({ name, title }) => `${title} (${name})`).join(', ')}`,
    ),

  otherNetwork: ({ name, title }: Network): UnreadReason =>
    unread(
      'other_network',
      `the message is in the form of ${title}: use a preset of ${name}, such as ${name}/dragino-lse01`,
    ),

  otherPreset: (preset: string): UnreadReason =>
    unread(
      'other_preset',
      `these fields are not of the preset that was named, but of ${preset}: name that one`,
    ),

  readByPreset: (preset: string): UnreadReason =>
    unread(
      'read_by_preset',
      `the device is read by the preset ${preset}: assign it again to let another one read it`,
    ),

  unreadTopic: (topics: readonly string[]): UnreadReason =>
    unread(
      'unread_topic',
      `no rule reads this topic; these are read: ${topics.slice(0, MAX_NAMED_TOPICS).join(', ')}`,
    ),

  /** `field` says that a measurement failed, by its value; it may have no name. */
  failed: (field: string, value: unknown): UnreadReason =>
    unread(
      'failed_measurement',
      `the device reports a failed measurement (${`${field} ${JSON.stringify(value).slice(0, MAX_VALUE_LENGTH)}`.trim()}): check its sensor and the cable`,
    ),

  /** `time` in ISO 8601. */
  unsetClock: (time: string): UnreadReason =>
    unread(
      'unset_clock',
      `its time, ${time.slice(0, 10)}, is more than a year before it arrived: set the clock of the device or its gateway, which usually fetches the time from an NTP server`,
    ),

  fraction: (value: number): UnreadReason =>
    unread(
      'fraction',
      `moisture ${value} may be a fraction (m³/m³), and % is expected: send ${roundTo(value * 100, 2)}, or give the map the unit m3/m3`,
    ),

  fractionInField: unread(
    'fraction',
    'moisture may be a fraction (m³/m³), and % is expected: choose the unit m3/m3 for its field',
  ),

  /** `measure` is the code of a measurement, or rain, wind or radiation. */
  unknownUnit(symbol: string, measure: string): UnreadReason {
    const type = MEASUREMENT_TYPES.find((code) => code === measure);
    const noun = type === undefined ? measure : englishMeasurements[type].noun;
    return unread(
      'unknown_unit',
      symbol === ''
        ? `the unit of ${noun} is missing`
        : `the unit ${quote(symbol)} of ${noun} is unknown`,
    );
  },

  /** For a message of which other values may have been stored. */
  valueRefused: (why: string): UnreadReason =>
    unread('value_refused', `a value was refused: ${why}`),

  /** For a message that gave nothing else. */
  noValidValue: (why: string): UnreadReason =>
    unread('no_valid_value', `no value is valid: ${why}`),

  /** Values by the names of their fields. */
  noKnownField(fields: ReadonlyMap<string, unknown>): UnreadReason {
    if (fields.size === 0) return unread('no_field', 'the message has no field with a value');
    const named = [...fields]
      .slice(0, MAX_NAMED_FIELDS)
      .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : name))
      .join(', ');
    const others = fields.size - MAX_NAMED_FIELDS;
    const count = others > MAX_COUNTED_FIELDS ? 'many' : others;
    return unread(
      'no_known_field',
      `no field is known; these are there: ${named}${others > 0 ? ` and ${count} others` : ''}`,
    );
  },
};

interface ClockOffsets {
  readonly zone: string;
  /** Such as +01:00. */
  readonly winter: string;
  readonly summer: string;
}

const whichOffset = ({ winter, summer }: ClockOffsets): string =>
  `send times with an offset, ${winter} if it shows winter time all year, ${summer} if summer time`;

/**
 * Why local times are rejected of a sender whose clock may not change with the season. In English,
 * like errors.
 */
export const clockReasons = {
  skippedHour: (time: string, offsets: ClockOffsets): UnreadReason => ({
    code: 'skipped_hour',
    text: `its clock may not follow ${offsets.zone}, which has no ${time} (clocks go forward): ${whichOffset(offsets)}`,
  }),

  hourNotRepeated: (day: string, offsets: ClockOffsets): UnreadReason => ({
    code: 'hour_not_repeated',
    text: `its clock may not follow ${offsets.zone}: it does not repeat the hour that clocks repeat on ${day}; ${whichOffset(offsets)}, or name timezone ${offsets.zone}`,
  }),
};
